import { expect, test } from "vitest";
import { heldPoints } from "../src/lib/rules/registry";
import type { Situation } from "../src/lib/rules/rule";
import { board } from "./board";

const held = (rule: Record<string, unknown> & { rule: string }, view: Situation["view"]): number =>
  heldPoints({
    board: { ...board, rules: [rule.rule], rule_list: [rule] },
    view,
    me: 0,
    seats: [{ name: "A" }, { name: "B" }],
  });

test("stations that were not built count", () => {
  const view = { stations: [2, 1, 0, 0], stations_left: [2, 3] };
  expect(held({ rule: "stations", unused: 4 }, view)).toBe(8);
});

test("an attraction counts once, for whoever has a route to it", () => {
  const [first] = board.route_list;
  const ends = [first?.a, first?.b].map((k) => board.city_list[k ?? -1]?.id);
  const rule = { rule: "attractions", points: 1, cities: ends };
  const owner = board.route_list.map((_, k) => (k === 0 ? 1 : 0));
  expect(held(rule, { owner })).toBe(2);
  expect(held(rule, { owner: owner.map((seat) => 2 * seat) })).toBe(0);
});

test("festival cards count by their chart", () => {
  const sets = [{ id: "a", cities: ["west"], scores: [2, 4, 6] }];
  const view = { festival_cards: [2, 3], festival_piles: [1] };
  expect(held({ rule: "festivals", sets }, view)).toBe(4);
});

test("a line of the mat counts by rank", () => {
  const lines = [{ colour: "red", spots: [1, 2], en: "Red" }];
  const rule = { rule: "province_mat", lines, scoring: { "2": [10] } };
  expect(held(rule, { mat: [2, 1], mat_ranks: [1, 2] })).toBe(10);
  expect(held(rule, { mat: [1, 2], mat_ranks: [2, 1] })).toBe(0);
});
