import { expect, test } from "vitest";
import type { Offer } from "../src/lib/api/messages";
import { keepOffer, keepRange, missing } from "../src/lib/tickets/keep";

test("tickets to keep: the range and the offer for a choice", () => {
  const keeps = [[3], [5], [3, 5]].map((tickets, action): Offer => ({
    ...{ action, do: "keep", notation: "", text: "" },
    tickets,
  }));
  expect(keepRange(keeps)).toEqual({ tickets: [3, 5], least: 1, most: 2 });
  expect(keepOffer(keeps, new Set([5]))?.action).toBe(1);
  expect(keepOffer(keeps, new Set([5, 3]))?.action).toBe(2);
  expect(keepOffer(keeps, new Set())).toBeUndefined();
});

test("how many more have to be chosen, or fewer", () => {
  const range = { tickets: [1, 2, 3], least: 2, most: 2 };
  expect([0, 1, 2, 3].map((n) => missing(range, n))).toEqual([2, 1, 0, -1]);
  expect(missing({ ...range, most: 3 }, 3)).toBe(0);
});
