import { expect, test } from "vitest";
import type { RuleEntry } from "../src/lib/api/facts";
import type { Line, ResultInfo } from "../src/lib/api/messages";
import { scoreSteps, type ScoreStep } from "../src/lib/game/scoring";
import { board } from "./board";

const line = (what: string, points: number, ref = -1): Line => ({
  rule: "BASE-11",
  what,
  points,
  ref,
  text: what,
});
const result: ResultInfo = {
  scores: [11, 1],
  lines: [
    [line("routes", 6), line("ticket_done", 5, 0)],
    [line("routes", 5), line("ticket_failed", -4, 1)],
  ],
  winners: [0],
  tickets: [1, 0],
  seed: "",
  held: [[0], [1]],
};
const steps = scoreSteps(board, [2, 15, 0, 1, 1, 0], result);

test("routes are counted first, then tickets, and the totals are the scores", () => {
  expect(steps.map((step) => step.line.what)).toEqual([
    "routes",
    "routes",
    "ticket_done",
    "ticket_failed",
  ]);
  expect(steps.at(-1)?.totals).toEqual([11, 1]);
});

test("each line shows its routes and cities on the board", () => {
  expect(steps[0]?.routes).toEqual([3, 4]);
  expect(steps[2]?.cities).toEqual([0, 2]);
  expect(steps[2]?.routes.toSorted()).toEqual([3, 4]);
  expect(steps[3]?.routes).toEqual([]);
});

const only = (what: string, ref: number, rules: RuleEntry[] = []): ScoreStep | undefined =>
  scoreSteps({ ...board, rule_list: rules }, [1, 0, 1, 1, 0, 0], {
    ...result,
    scores: [10],
    lines: [[line(what, 10, ref)]],
  })[0];

test("the longest path is shown as a trail of just its length", () => {
  expect(only("longest_path", 7)?.routes.toSorted()).toEqual([0, 2, 3]);
  expect(only("longest_path", 5)?.routes).toHaveLength(2);
  expect(only("longest_path", 8)?.routes).toEqual([]);
});

test("attractions are shown where own routes touch them, festivals in their cities", () => {
  const attractions = { rule: "attractions", cities: ["west", "north", "nowhere"] };
  expect(only("attractions", 2, [attractions])?.cities).toEqual([0, 3]);
  const festivals = { rule: "festivals", sets: [{ cities: ["east"] }, { cities: ["south"] }] };
  expect(only("festival", 1, [festivals])?.cities).toEqual([2]);
});
