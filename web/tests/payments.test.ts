import { expect, test } from "vitest";
import type { Offer } from "../src/lib/api/messages";
import {
  claimable,
  claimsOf,
  keepOffer,
  keepRange,
  smallest,
  thriftiest,
} from "../src/lib/game/payments";
import { board } from "./board";

const offer = (action: number, kind: string, more: Partial<Offer> = {}): Offer => ({
  action,
  do: kind,
  notation: "",
  text: "",
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

test("of the claims of a gray route, that with the larger pile comes first", () => {
  const claims = [
    offer(1, "claim", { route: 2, card: 0 }),
    offer(2, "claim", { route: 2, card: 1 }),
    offer(3, "claim", { route: 2, card: 2 }),
    offer(4, "claim", { route: 3, card: 1 }),
  ];
  const sorted = claimsOf(board, claims, 2, [3, 5, 3]);
  expect(sorted.map((claim) => claim.action)).toEqual([2, 1, 3]);
});

test("the smallest payment fills up with locomotives", () => {
  const claim = offer(1, "claim", { route: 2, card: 1 });
  expect(smallest(board, claim, [0, 2, 4])).toEqual([0, 2, 1]);
});

test("a ferry's symbols are paid with locomotives", () => {
  const claim = offer(1, "claim", { route: 3, card: 1 });
  expect(smallest(board, claim, [0, 5, 1])).toEqual([0, 1, 1]);
});

test("claimable routes are those with an offer", () => {
  expect([...claimable([offer(1, "claim", { route: 4 }), offer(2, "draw")])]).toEqual([4]);
});

test("tickets to keep: the range and the offer for a choice", () => {
  const keeps = [[3], [5], [3, 5]].map((tickets, k) => offer(k, "keep", { tickets }));
  expect(keepRange(keeps)).toEqual({ tickets: [3, 5], least: 1, most: 2 });
  expect(keepOffer(keeps, new Set([5]))?.action).toBe(1);
  expect(keepOffer(keeps, new Set([5, 3]))?.action).toBe(2);
  expect(keepOffer(keeps, new Set())).toBeUndefined();
});
