import { expect, test } from "vitest";
import type { EntryInfo, TableInfo, Update, Welcome } from "../src/lib/api/messages";
import {
  beginning,
  fold,
  freeMove,
  hasGap,
  lastOwnMove,
  NO_GAME,
  standing,
} from "../src/lib/game/fold";

const table: TableInfo = {
  id: "t",
  board: "usa",
  digest: "",
  status: "playing",
  seats: [
    { name: "A", kind: "person" },
    { name: "B", kind: "bot" },
  ],
  host: 0,
  public: false,
  chat: true,
  clock: {},
};
const entry = (number: number, more: Partial<EntryInfo> = {}): EntryInfo => ({
  number,
  at: 0,
  kind: "moved",
  ...more,
});
const welcome = (entries: EntryInfo[], number: number): Welcome => ({
  type: "welcome",
  protocol: 1,
  version: "",
  table,
  seat: 0,
  number,
  entries,
  view: { hand: [1, 2], turn: [0] },
  decision: null,
  clock: null,
});
const update = (number: number, more: Partial<Update> = {}): Update => ({
  type: "update",
  number,
  entry: entry(number),
  ...more,
});

test("an update changes only the fields that it names", () => {
  const game = fold(NO_GAME, welcome([entry(1)], 1), 0);
  const next = fold(game, update(2, { changes: { turn: [1] } }), 5);
  expect(next.view).toEqual({ hand: [1, 2], turn: [1] });
  expect(next.number).toBe(2);
  expect(next.entries.map((e) => e.number)).toEqual([1, 2]);
});

test("an update that was seen already changes nothing", () => {
  const game = fold(NO_GAME, welcome([entry(1), entry(2)], 2), 0);
  expect(fold(game, update(2), 0)).toBe(game);
});

test("after a reconnection the log goes on without doubles", () => {
  const game = fold(NO_GAME, welcome([entry(1), entry(2)], 2), 0);
  const again = fold(game, welcome([entry(3)], 3), 0);
  expect(again.entries.map((e) => e.number)).toEqual([1, 2, 3]);
  const nothing = fold(again, welcome([], 3), 0);
  expect(nothing.entries.map((e) => e.number)).toEqual([1, 2, 3]);
});

test("a missing update is noticed", () => {
  const game = fold(NO_GAME, welcome([], 4), 0);
  expect(hasGap(game, update(5))).toBe(false);
  expect(hasGap(game, update(6))).toBe(true);
});

test("a decision stays unless the update brings another one, or none", () => {
  const decision = { number: 7, phase: "turn", text: "", offers: [] };
  let game = fold(NO_GAME, welcome([], 1), 0);
  game = fold(game, update(2, { decision }), 0);
  game = fold(game, update(3), 0);
  expect(game.decision).toEqual(decision);
  game = fold(game, update(4, { decision: null }), 0);
  expect(game.decision).toBeNull();
});

test("who is present changes the seats", () => {
  let game = fold(NO_GAME, welcome([], 1), 0);
  game = fold(game, { type: "presence", seats: [true, false], spectators: 3 }, 0);
  expect(game.table?.seats[0]?.present).toBe(true);
  expect(game.table?.spectators).toBe(3);
});

test("moves that were taken back are gone from the log", () => {
  const entries = [
    entry(1, { seat: 0 }),
    entry(2, { seat: 0 }),
    entry(3, { kind: "said", text: "oh" }),
    entry(4, { kind: "taken_back", seat: 0, to: 2 }),
  ];
  expect(standing(entries).map((e) => e.number)).toEqual([1, 3, 4]);
});

test("the last own move is free to take back only if nothing follows", () => {
  const mine = entry(2, { seat: 0, free: true });
  const base = { ...NO_GAME, seat: 0 };
  expect(freeMove({ ...base, entries: [entry(1), mine] })).toBe(2);
  expect(freeMove({ ...base, entries: [mine, entry(3, { kind: "said" })] })).toBe(2);
  expect(freeMove({ ...base, entries: [mine, entry(3, { seat: 1 })] })).toBe(0);
  expect(lastOwnMove({ ...base, entries: [mine, entry(3, { seat: 1 })] })).toBe(2);
});

test("a claim is called off from its beginning, however many answers it has had", () => {
  const turn = { event: "TurnBegan", seat: 0, text: "" };
  const entries = [
    entry(1, { seat: 0, free: true, events: [turn] }),
    entry(2, { seat: 0, free: true }),
    entry(3, { kind: "said" }),
    entry(4, { seat: 0, free: true }),
  ];
  expect(beginning({ ...NO_GAME, seat: 0, entries })).toBe(2);
  const shown = [...entries, entry(5, { seat: 0, free: false })];
  expect(beginning({ ...NO_GAME, seat: 0, entries: shown })).toBe(0);
});

test("completed tickets are the server's, and stay until it tells of others", () => {
  const game = fold(NO_GAME, { ...welcome([entry(1)], 1), joined: [4] }, 0);
  expect(game.joined).toEqual([4]);
  const next = fold(game, update(2), 0);
  expect(next.joined).toEqual([4]);
  expect(fold(next, update(3, { joined: [4, 7] }), 0).joined).toEqual([4, 7]);
});
