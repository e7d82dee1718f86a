import { expect, test } from "vitest";
import type { Offer, WayInfo } from "../src/lib/api/messages";
import {
  chainOf,
  claimable,
  hasChoice,
  leftFor,
  spare,
  thriftiest,
  thriftiestOfEach,
} from "../src/lib/claims/payments";
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

test("of very many ways the first of each colour, number of extra cards, with or without sets", () => {
  const ways = [
    way({ card: 0, cards: [3, 0, 0] }),
    way({ card: 0, cards: [2, 0, 1] }),
    way({ card: 1, cards: [0, 3, 0] }),
    way({ card: 0, cards: [4, 0, 0], extra: 1 }),
    way({ card: 0, cards: [2, 0, 0], sets: 1, set_size: 3 }),
    way({ card: 0, cards: [1, 0, 0], sets: 2, set_size: 3 }),
  ];
  expect(thriftiestOfEach(ways)).toEqual([ways[0], ways[2], ways[3], ways[4]]);
});

const ferry = way({
  cards: [1, 0, 0],
  sets: 1,
  set_size: 3,
  room: [2, 2, 1],
  substitutes: [20, 21, 22],
});

test("sets take what is left of the hand, and no more than the server allows", () => {
  expect(leftFor([2, 5, 3], ferry)).toEqual([1, 2, 1]);
  expect(leftFor([9, 9, 9], way({ cards: [1, 0, 2] }))).toEqual([8, 9, 7]);
});

test("which cards make up a set is a choice if there are more, of more than one kind", () => {
  expect(hasChoice([2, 5, 3], ferry)).toBe(true);
  expect(hasChoice([2, 2, 0], ferry)).toBe(false);
  expect(hasChoice([9, 9, 9], way({ cards: [1, 0, 0] }))).toBe(false);
});

test("single cards are missed the least, locomotives the most", () => {
  expect(spare([2, 5, 3], ferry)).toEqual([1, 2, 0]);
  expect(spare([2, 1, 3], ferry)).toEqual([1, 1, 1]);
});

test("a whole claim is one chain, the cards of its sets in ascending order", () => {
  expect(chainOf(way(), [])).toEqual([5, 9]);
  expect(chainOf(ferry, [1, 2, 0])).toEqual([5, 9, 20, 21, 21]);
});

test("claimable routes are those with an offer", () => {
  expect([...claimable([offer(1, "claim", { route: 4 }), offer(2, "draw")])]).toEqual([4]);
});
