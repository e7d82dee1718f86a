import { expect, test } from "vitest";
import {
  bestSpot,
  matTotals,
  rankPoints,
  standings,
  type MatOffer,
} from "../../src/lib/rules/province_mat/lines";
import { board } from "../board";

const korean = {
  ...board,
  rule_list: [
    {
      rule: "province_mat",
      lines: [
        { colour: "red", spots: [1, 2, 3, 4], en: "Red" },
        { colour: "blue", spots: [1, 2, 3], en: "Blue" },
      ],
      scoring: { "2": [10], "3": [10, 6] },
    },
  ],
};
// The second line has one spot less: its last place is empty. Ranks are the server's.
const view = { mat: [1, 3, 0, 2, 2, 0, 0, 0], mat_ranks: [3, 1, 2, 0, 1, 0] };

test("a line tells who stands there, first to last, with sum and points now", () => {
  expect(standings(korean, view, 0)).toEqual([
    { seat: 1, rank: 1, sum: 4, points: 10 },
    { seat: 2, rank: 2, sum: 2, points: 6 },
    { seat: 0, rank: 3, sum: 1, points: 0 },
  ]);
  expect(standings(korean, view, 1)).toEqual([{ seat: 1, rank: 1, sum: 1, points: 10 }]);
});

test("the mat as a whole tells what it brings each seat now", () => {
  expect(matTotals(korean, view)).toEqual([
    { seat: 1, points: 20 },
    { seat: 2, points: 6 },
    { seat: 0, points: 0 },
  ]);
  expect(matTotals(korean, { mat: [], mat_ranks: [] })).toEqual([]);
});

test("what the ranks score depends on the number of players", () => {
  expect(rankPoints(korean, 2)).toEqual([10]);
  expect(rankPoints(korean, 3)).toEqual([10, 6]);
});

test("the best spot brings the most now and needs no Express card", () => {
  const offer = (spot: number, gain: number, express = 0): MatOffer => ({
    ...{ action: spot, do: "mat", notation: "", text: "" },
    ...{ spot, gain, express, line: 0 },
  });
  expect(bestSpot([offer(2, 6), offer(4, 0), offer(5, 10, 2)])?.spot).toBe(2);
  expect(bestSpot([offer(2, 0), offer(3, 0)])?.spot).toBe(3);
  expect(bestSpot([offer(5, 10, 2)])).toBeUndefined();
});
