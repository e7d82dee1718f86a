import { expect, test } from "vitest";
import { costOf, paidSoon } from "../src/lib/tickets/cost";
import { board } from "./board";

const routes = board.route_list.map((_, k) => k);

test("the cards for a way, by colour, those of any colour last", () => {
  const cost = costOf(board, routes);
  const spaces = board.route_list.reduce((sum, { length }) => sum + length, 0);
  expect(cost.reduce((sum, [, n]) => sum + n, 0)).toBe(spaces);
  expect(new Set(cost.map(([kind]) => kind)).size).toBe(cost.length);
  const gray = cost.findIndex(([kind]) => kind === null);
  if (gray >= 0) expect(gray).toBe(cost.length - 1);
});

test("whole routes are paid for, locomotives stand in", () => {
  const none = board.colours.map(() => 0);
  const k = board.route_list.findIndex(
    ({ colour, locomotives }) => colour !== null && !locomotives,
  );
  const { colour, length } = board.route_list[k] ?? { colour: 0, length: 0 };
  const hand = [...none, 0];
  expect(paidSoon(board, hand, [k])).toBe(0);
  hand[colour ?? 0] = length - 1;
  expect(paidSoon(board, hand, [k])).toBe(0);
  hand[none.length] = 1;
  expect(paidSoon(board, hand, [k])).toBe(length);
  expect(paidSoon(board, hand, [k, k])).toBe(length);
});
