import { expect, test } from "vitest";
import type { Offer, WayInfo } from "../src/lib/api/messages";
import { chainOf, claimable, offersFor, thriftiest } from "../src/lib/claims/payments";
import { board } from "./board";

const offer = (action: number, kind: string, more: Partial<Offer> = {}): Offer => ({
  ...{ action, do: kind, notation: "", text: "" },
  ...more,
});
const way = (more: Partial<WayInfo> = {}): WayInfo => ({
  ...{ actions: [5, 9], card: 0, cards: [0, 0, 0], text: "" },
  ...more,
});

test("the thriftiest payment has the fewest locomotives", () => {
  const pays = [
    offer(1, "pay", { cards: [0, 1, 2] }),
    offer(2, "pay", { cards: [0, 3, 0] }),
    offer(3, "pay", { cards: [0, 2, 1] }),
  ];
  expect(thriftiest(board, pays).map((pay) => pay.action)).toEqual([2, 3, 1]);
});

test("cards beyond need come after a plain payment with locomotives", () => {
  const pays = [
    offer(1, "pay", { cards: [0, 4, 0], extra: 1 }),
    offer(2, "pay", { cards: [0, 2, 1] }),
  ];
  expect(thriftiest(board, pays)[0]?.action).toBe(2);
});

const ferry = way({
  cards: [1, 0, 0],
  sets: 1,
  set_size: 3,
  room: [2, 2, 1],
  substitutes: [20, 21, 22],
});

test("a whole claim is one chain, the cards of its sets in ascending order", () => {
  expect(chainOf({ way: way(), any: [] })).toEqual([5, 9]);
  expect(chainOf({ way: ferry, any: [1, 0, 1] })).toEqual([5, 9, 20, 21, 21]);
});

test("claimable routes are those with an offer", () => {
  expect([...claimable([offer(1, "claim", { route: 4 }), offer(2, "draw")])]).toEqual([4]);
});

test("a colour pays for the claims in it, a locomotive where the board lets it", () => {
  const claims = [
    offer(1, "claim", { route: 0, card: 0 }),
    offer(2, "claim", { route: 1, card: 1 }),
  ];
  expect(offersFor(board, claims, 1)).toEqual([claims[1]]);
  expect(offersFor(board, claims, 2)).toEqual(claims);
  const [first, ...others] = board.route_list;
  const strict = { ...board, route_list: first ? [{ ...first, wild: false }, ...others] : [] };
  expect(offersFor(strict, claims, 2)).toEqual([claims[1]]);
});
