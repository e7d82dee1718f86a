import { expect, test } from "vitest";
import type { RouteFacts } from "../src/lib/api/facts";
import { costOf, paidSoon } from "../src/lib/tickets/cost";
import { board as small } from "./board";

const PLAIN = { colour: 0, length: 2, locomotives: 0, wild: true, set_size: 0 };
const LOCO = small.colours.length;

/** A board of nothing but these routes. */
const boardOf = (...routes: Partial<RouteFacts>[]) => ({
  ...small,
  route_list: routes.map((route) => ({ ...small.route_list[0], ...PLAIN, ...route }) as RouteFacts),
});
const soon = (hand: number[], ...routes: Partial<RouteFacts>[]) =>
  paidSoon(
    boardOf(...routes),
    [...small.colours, ""].map((_, kind) => hand[kind] ?? 0),
    routes.map((_, k) => k),
  );
const locomotives = (n: number, ...colours: number[]) => {
  const hand = small.colours.map((_, kind) => colours[kind] ?? 0);
  return [...hand, n];
};

test("a way costs cards by colour and locomotives on ferries", () => {
  const board = boardOf({ length: 3 }, { colour: 1 }, { length: 4, locomotives: 1 });
  expect(costOf(board, [0, 1, 2])).toEqual([
    { kind: 0, n: 6, times: 1 },
    { kind: 1, n: 2, times: 1 },
    { kind: LOCO, n: 1, times: 1 },
  ]);
});

test("each gray route takes cards of one colour of its own", () => {
  const gray = { colour: null };
  const board = boardOf(gray, { ...gray, length: 3 }, { colour: 1 }, gray);
  expect(costOf(board, [0, 1, 2, 3])).toEqual([
    { kind: 1, n: 2, times: 1 },
    { kind: null, n: 3, times: 1 },
    { kind: null, n: 2, times: 2 },
  ]);
});

test("whole routes are paid for, locomotives stand in", () => {
  expect(soon([1], {})).toBe(0);
  expect(soon(locomotives(1, 1), {})).toBe(2);
  expect(soon(locomotives(1, 1), {}, {})).toBe(2);
  expect(soon(locomotives(0, 1, 2), { colour: null })).toBe(2);
});

test("locomotives pay only where they may", () => {
  expect(soon(locomotives(2), { wild: false })).toBe(0);
  expect(soon(locomotives(2), { locomotives: 1 })).toBe(2);
  expect(soon([2], { locomotives: 1 })).toBe(0);
});

test("sets of any cards stand for locomotives where the board has them", () => {
  const ferry = { locomotives: 1, set_size: 3 };
  expect(soon(locomotives(0, 1, 2), ferry)).toBe(0);
  expect(soon(locomotives(0, 2, 2), ferry)).toBe(2);
  expect(soon(locomotives(0, 2, 3), ferry, { colour: 1 })).toBe(2);
  expect(soon(locomotives(0, 2, 5), ferry, { colour: 1 })).toBe(4);
});
