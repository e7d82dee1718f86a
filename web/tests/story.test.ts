import { expect, test } from "vitest";
import type { Replay, ReplayStep } from "../src/lib/api/http";
import type { Line, ResultInfo } from "../src/lib/api/messages";
import { longestJourney } from "../src/lib/end/journey";
import { awardsOf, decidedBy, most, pointsOverTime } from "../src/lib/end/story";
import { board } from "./board";

const event = (name: string, seat: number, values: Record<string, number> = {}) => ({
  ...{ event: name, seat, text: "", values },
});
const step = (changes: Record<string, number[]>, ...events: ReplayStep["events"]): ReplayStep => ({
  ...{ move: null, turn: 0, phase: "turn", events, changes },
});
const line = (what: string, points: number, ref = 0): Line => ({
  ...{ rule: "", what, points, ref, text: "", values: {} },
});
const replay: Replay = {
  ...{ board: "small", digest: "", data: false, seats: 2, names: ["A", "B"], result: null },
  steps: [
    step({ points: [0, 0], hand_size: [4, 4] }, event("TurnBegan", 0)),
    step({ points: [4, 0] }, event("RouteClaimed", 0, { route: 0 }), event("TurnBegan", 1)),
    step({ hand_size: [2, 6] }, event("TurnBegan", 0)),
  ],
};
const result: ResultInfo = {
  ...{ scores: [14, 6], winners: [0], tickets: [1, 0], seed: "", held: [] },
  lines: [
    [line("routes", 4), line("ticket_done", 10, 0)],
    [line("routes", 9), line("ticket_failed", -3, 1)],
  ],
  ...{ tie_break: "", tie_text: "" },
};

test("points are noted at every turn, and the count comes last", () => {
  expect(pointsOverTime(replay, result)).toEqual([
    [0, 0],
    [4, 0],
    [4, 0],
    [4, 0],
    [14, 6],
  ]);
});

test("an award goes to whoever has the most alone", () => {
  expect(most([1, 3, 2])).toEqual({ seat: 1, n: 3 });
  expect(most([3, 3])).toBeNull();
  expect(most([0, 0])).toBeNull();
});

test("there are three awards, spread over the seats", () => {
  const awards = awardsOf({ board, replay, result });
  expect(awards).toHaveLength(3);
  expect(new Set(awards.map(({ name }) => name)).size).toBe(3);
  expect(awards.map(({ seat }) => seat)).toContain(1);
  expect(awards[0]).toEqual({ name: "tickets", seat: 0, n: 1 });
});

test("nobody has the longest route if another has one as long", () => {
  const claims = (...routes: number[]): ReplayStep[] =>
    routes.map((route, seat) => step({}, event("RouteClaimed", seat, { route })));
  const longest = (steps: ReplayStep[]) =>
    awardsOf({ board, replay: { ...replay, steps }, result }).find(({ name }) => name === "route");
  const lengths = board.route_list.map(({ length }) => length);
  const long = lengths.indexOf(Math.max(...lengths));
  const short = lengths.indexOf(Math.min(...lengths));
  expect(longest(claims(short, long))).toMatchObject({ seat: 1, n: lengths[long] });
  expect(longest(claims(long, long))).toBeUndefined();
});

test("what decided is the column with the largest gain on the second", () => {
  expect(decidedBy(result)).toEqual({ winner: 0, second: 1, lead: 8, column: "tickets", gain: 13 });
  expect(decidedBy({ ...result, winners: [0, 1] })).toBeNull();
});

test("the longest journey takes each route once, in the order of travel", () => {
  const all = board.route_list.map((_, k) => k);
  const legs = longestJourney(board, all);
  expect(new Set(legs.map(({ route }) => route)).size).toBe(legs.length);
  let at: number | null = null;
  for (const { route, back } of legs) {
    const { a = 0, b = 0 } = board.route_list[route] ?? {};
    const [from, to] = back ? [b, a] : [a, b];
    if (at !== null) expect(from).toBe(at);
    at = to;
  }
  expect(legs.length).toBeGreaterThan(2);
  expect(longestJourney(board, [])).toEqual([]);
});
