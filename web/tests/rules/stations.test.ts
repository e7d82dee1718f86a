import { expect, test } from "vitest";
import { borrow } from "../../src/lib/rules/stations/borrow";
import { board } from "../board";

test("a station lends the route of another seat that serves best", () => {
  const owner = [0, 0, 2, 2, 1, 0];
  const loan = (...stations: number[]): number[][] => {
    const { routes, tickets } = borrow(board, owner, stations, 0, [0, 1]);
    return [routes, [...tickets].toSorted()];
  };
  expect(loan(0, 0, 0, 0)).toEqual([[], []]);
  expect(loan(0, 0, 1, 0)).toEqual([[3], [0]]);
  expect(loan(0, 1, 1, 0)).toEqual([
    [2, 3],
    [0, 1],
  ]);
  expect(loan(0, 2, 2, 0)).toEqual([[], []]);
});
