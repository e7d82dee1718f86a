import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import type { RuleEntry } from "../src/lib/api/facts";
import type { Line, ResultInfo } from "../src/lib/api/messages";
import { columns, scoreSteps, type ScoreStep } from "../src/lib/end/scoring";
import { trail } from "../src/lib/rules/longest_path/trail";
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
const steps = scoreSteps(board, { owner: [2, 15, 0, 1, 1, 0] }, result);

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

const RULES: RuleEntry[] = [
  { rule: "attractions", cities: ["west", "north", "nowhere"] },
  { rule: "festivals", sets: [{ cities: ["east"] }, { cities: ["south"] }] },
];
const view = { owner: [1, 0, 1, 1, 0, 0], stations: [0, 1, 0, 2] };
const only = (what: string, ref: number, ...more: Line[]): ScoreStep | undefined =>
  scoreSteps({ ...board, rule_list: RULES }, view, {
    ...result,
    scores: [10],
    lines: [[...more, line(what, 10, ref)]],
  }).find((step) => step.line.what === what);

test("the rows of the score table are in one order, whether a station was used or not", () => {
  const rows = (...more: Line[]): string[] =>
    columns(
      scoreSteps(board, view, {
        ...result,
        lines: [[...more, line("ticket_done", 5, 0), line("stations", 8)]],
      }),
    );
  expect(rows(line("routes", 6))).toEqual(["routes", "tickets", "stations"]);
  expect(rows(line("routes", 6), line("station", 0, 1))).toEqual(rows(line("routes", 6)));
});

const catalogue = join(import.meta.dirname, "../../src/branchline/lang/en/score.toml");
const NO_LINES = ["total", "others", "tie", "station_alone", "longest_path_unproven"];
const whats = Object.keys(parse(readFileSync(catalogue, "utf8"))).filter(
  (what) => !NO_LINES.includes(what),
);
test.each(whats)("%s has something to show", (what) => {
  const {
    routes = [],
    cities = [],
    part,
    counter,
  } = only(what, 1, line("ticket_done", 5, 0)) ?? {};
  expect([...routes, ...cities, part?.ref ?? "", counter].join("")).not.toBe("");
});

test("the longest path is shown as a trail of just its length", () => {
  expect(only("longest_path", 7)?.routes.toSorted()).toEqual([0, 2, 3]);
  expect(only("longest_path", 5)?.routes).toHaveLength(2);
  expect(only("longest_path", 8)?.routes).toEqual([]);
});

test("a trail is looked for only so long, whatever the network is like", () => {
  // 60 cities and 300 routes of one space, most cities odd: no trail has all but one of them.
  let seed = 1;
  const any = (most: number) => (seed = (seed * 48271) % 2147483647) % most;
  const route_list = board.route_list.slice(0, 1).flatMap((one) =>
    Array.from({ length: 300 }, (_, k) => {
      const a = k % 60;
      return { ...one, a, b: (a + 1 + any(59)) % 60, length: 1 };
    }),
  );
  const wild = { ...board, city_list: Array(60).fill(board.city_list[0]), route_list };
  const own = route_list.map((_, k) => k);
  expect(trail(wild, own, 299)).toEqual([]); // without the bound the test would not end
  expect(trail(wild, own, 150)).toHaveLength(150);
});

test("attractions are shown where own routes touch them, festivals in their cities", () => {
  expect(only("attractions", 2)?.cities).toEqual([0, 3]);
  expect(only("festival", 1)?.cities).toEqual([2]);
});

test("the most tickets are shown as all of them, one's stations with how many are left", () => {
  expect(only("globetrotter", 0)?.counter).toBe("ticket_count");
  const most = only("globetrotter", 2, line("ticket_done", 5, 0), line("ticket_done", 4, 1));
  expect(most?.cities.toSorted()).toEqual([0, 1, 2, 3]);
  expect(most?.routes.toSorted()).toEqual([0, 2, 3]);
  expect(only("stations", 2)).toMatchObject({ cities: [1], counter: "stations_left" });
});

test("a ticket that a station has joined is shown with the station and the borrowed route", () => {
  const station = { ...line("station", 0, 1), values: { route: 0, of: 1 } };
  const lines = [[station, line("ticket_done", 5, 0), line("ticket_done", 4, 1)], []];
  const [borrowed, own, lent] = scoreSteps(
    board,
    { owner: [2, 0, 0, 1, 1, 2], stations: [0, 1, 0, 0] },
    { ...result, lines },
  );
  expect(borrowed).toMatchObject({ routes: [0], cities: [1], line: { what: "station" } });
  expect(own).toMatchObject({ routes: [3, 4], cities: [0, 2] });
  expect(lent?.routes.toSorted()).toEqual([0, 4]);
  expect(lent?.cities).toEqual([3, 1]);
});

test("the mat is counted line by line, the first of each line first", () => {
  const lines = [
    [line("province_line", 2, 0), line("province_line", 8, 1)],
    [line("province_line", 5, 0), line("province_line", 3, 1)],
  ];
  const shown = scoreSteps(board, view, { ...result, lines }).map(({ part, seat }) => [
    part?.ref,
    seat,
  ]);
  expect(shown).toEqual([
    [0, 1],
    [0, 0],
    [1, 0],
    [1, 1],
  ]);
});

test("a line that the page has never heard of is counted with the bonuses", () => {
  const lines = [[line("toy", 7), line("routes", 4)], []];
  const steps = scoreSteps(board, view, { ...result, scores: [11, 0], lines });
  expect(steps.map((step) => step.line.what)).toEqual(["routes", "toy"]);
  expect(steps.at(-1)).toMatchObject({ totals: [11, 0], routes: [], cities: [], part: null });
});
