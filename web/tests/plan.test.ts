import { expect, test } from "vitest";
import type { EntryInfo } from "../src/lib/api/messages";
import { pointsOf, turnsBegun, turnsLeft } from "../src/lib/table/plan";

test("open tickets count against one, until all are joined", () => {
  const facts = [{ points: 8 }, { points: 20 }, { points: 5 }] as never;
  const state = (ticket: number, done: boolean, lent = false) => ({
    ...{ ticket, done, lent, way: null, beyond: false },
  });
  const tickets = [state(0, true), state(1, false), state(2, false, true)];
  expect(pointsOf(10, tickets, facts)).toEqual({ now: 10 + 8 - 20 + 5, all: 10 + 33 });
});

test("turns are counted by seat", () => {
  const began = (seat: number) => ({ event: "TurnBegan", seat, text: "" });
  const entries = [{ events: [began(0)] }, {}, { events: [began(1)] }, { events: [began(0)] }];
  expect(turnsBegun(entries as EntryInfo[], 3)).toEqual([2, 1, 0]);
});

test("turns of moves that were taken back do not count", () => {
  const moved = (number: number, seat: number) => ({
    ...{ kind: "moved", number, events: [{ event: "TurnBegan", seat, text: "" }] },
  });
  const entries = [moved(1, 0), moved(2, 1), { kind: "taken_back", number: 3, to: 2 }];
  expect(turnsBegun(entries as EntryInfo[], 2)).toEqual([1, 0]);
  expect(turnsBegun([...entries, moved(4, 1)] as EntryInfo[], 2)).toEqual([1, 1]);
});

test("the fastest seat decides how long the game will last", () => {
  expect(turnsLeft(45, [45, 45], [0, 0])).toBe(44);
  const slow = turnsLeft(45, [30, 30], [20, 20]);
  expect(turnsLeft(45, [30, 20], [20, 20])).toBeLessThan(slow);
  expect(turnsLeft(45, [2, 30], [20, 20])).toBe(1);
});
