import { expect, test } from "vitest";
import { festivals, matTotals, rankPoints, standings } from "../src/lib/game/worth";
import { board } from "./board";

const iberian = {
  ...board,
  rule_list: [
    {
      rule: "festivals",
      sets: [
        { id: "a", cities: ["west", "north"], scores: [2, 4, 6] },
        { id: "b", cities: ["east"], scores: [2, 5] },
      ],
    },
  ],
};

test("a festival tells its cards, its points now, and those with what lies at the city", () => {
  const view = { festival_cards: [1, 0, 0, 2], festival_piles: [2, 0] };
  expect(festivals(iberian, view, 0, 2)).toMatchObject([
    { name: "West/North", mine: 1, now: 2, lying: 2, then: 6, scores: [2, 4, 6] },
    { name: "East", mine: 0, now: 0, lying: 0, then: 0 },
  ]);
  expect(festivals(iberian, view, 1, 2)[1]).toMatchObject({ mine: 2, now: 5, then: 5 });
});

test("whoever only watches has no festival cards, but sees what lies there", () => {
  const view = { festival_cards: [1, 0, 0, 2], festival_piles: [2, 0] };
  expect(festivals(iberian, view, -1, 2)[0]).toMatchObject({ mine: 0, lying: 2, then: 4 });
});

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
