import { expect, test } from "vitest";
import { festivalWorths } from "../../src/lib/rules/festivals/sets";
import { board } from "../board";

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
  expect(festivalWorths(iberian, view, 0, 2)).toMatchObject([
    { name: "West/North", mine: 1, now: 2, lying: 2, then: 6, scores: [2, 4, 6] },
    { name: "East", mine: 0, now: 0, lying: 0, then: 0 },
  ]);
  expect(festivalWorths(iberian, view, 1, 2)[1]).toMatchObject({ mine: 2, now: 5, then: 5 });
});

test("whoever only watches has no festival cards, but sees what lies there", () => {
  const view = { festival_cards: [1, 0, 0, 2], festival_piles: [2, 0] };
  expect(festivalWorths(iberian, view, -1, 2)[0]).toMatchObject({ mine: 0, lying: 2, then: 4 });
});
