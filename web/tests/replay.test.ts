import { expect, test } from "vitest";
import type { Replay } from "../src/lib/api/http";
import { idOf } from "../src/lib/replay/kept";
import { hashOf, placeOf, resultAt, turnsOf, viewAt } from "../src/lib/replay/timeline";

const turn = (seat: number) => ({ event: "TurnBegan", seat, text: "", values: {} });
const at = { move: null, turn: 0, phase: "turn" };
const replay: Replay = {
  board: "usa",
  digest: "",
  data: false,
  seats: 2,
  names: ["Ada", "Ben"],
  steps: [
    { ...at, events: [turn(1)], changes: { turn: [1], hands: [1, 2] } },
    { ...at, events: [], changes: { hands: [1, 3] } },
    { ...at, events: [turn(0)], changes: { turn: [0] } },
  ],
  result: null,
};

test("the view of a position is the sum of the changes", () => {
  expect(viewAt(replay, 1)).toEqual({ turn: [1], hands: [1, 3] });
  expect(viewAt(replay, 2)).toEqual({ turn: [0], hands: [1, 3] });
});

test("from a known position it gives the same, forwards and backwards", () => {
  const from = { at: 1, view: viewAt(replay, 1) };
  expect(viewAt(replay, 2, from)).toEqual(viewAt(replay, 2));
  expect(viewAt(replay, 0, from)).toEqual(viewAt(replay, 0));
});

test("how the game ended is told at its last position alone", () => {
  const result = { scores: [7, 9] } as Replay["result"];
  expect([0, 1, 2].map((k) => resultAt({ ...replay, result }, k))).toEqual([null, null, result]);
  expect(resultAt(replay, 2)).toBeNull();
});

test("turns are where they begin", () => {
  expect(turnsOf(replay)).toEqual([
    { position: 0, seat: 1, number: 1 },
    { position: 2, seat: 0, number: 2 },
  ]);
});

test("a place goes into the address and comes back", () => {
  for (const place of [
    { position: 12, seat: null },
    { position: 0, seat: 3 },
  ])
    expect(placeOf(hashOf(place))).toEqual(place);
  expect(placeOf("#BASE-7")).toBeNull();
});

test("a record has a short name of its own", () => {
  expect(idOf("one")).toBe(idOf("one"));
  expect(idOf("one")).toMatch(/^\w{14}$/);
  expect(new Set(["", "one", "two", "eno", "one "].map(idOf)).size).toBe(5);
});
