/** A table as its messages have told it: pure, without a page. */

import type {
  ClockInfo,
  Decision,
  EntryInfo,
  ServerMessage,
  TableInfo,
  Update,
  Welcome,
} from "$lib/api/messages";
import type { View } from "./view";

export interface Game {
  table: TableInfo | null;
  seat: number;
  /** The seats that this browser holds: several, if people share the device. */
  held: number[];
  number: number;
  entries: EntryInfo[];
  view: View | null;
  decision: Decision | null;
  clock: ClockInfo | null;
  /** When the clock was told, in the browser's own time. */
  clockAt: number;
  /** The reader's tickets that are completed as the board stands, if need be with borrowed routes. */
  joined: number[];
}

export const NO_GAME: Game = {
  table: null,
  seat: -1,
  held: [],
  number: 0,
  entries: [],
  view: null,
  decision: null,
  clock: null,
  clockAt: 0,
  joined: [],
};

export function fold(game: Game, message: ServerMessage, now: number): Game {
  switch (message.type) {
    case "welcome":
      return welcomed(game, message, now);
    case "update":
      return updated(game, message, now);
    case "presence":
      return present(game, message.seats, message.spectators);
    default:
      return game;
  }
}

function welcomed(game: Game, message: Welcome, now: number): Game {
  const first = message.entries[0]?.number ?? message.number + 1;
  const before = game.entries.filter((entry) => entry.number < first);
  return {
    table: message.table,
    seat: message.seat,
    held: message.held ?? [],
    number: message.number,
    entries: [...before, ...message.entries],
    view: message.view as View | null,
    decision: message.decision,
    clock: message.clock,
    clockAt: now,
    joined: message.joined ?? [],
  };
}

function updated(game: Game, message: Update, now: number): Game {
  if (message.number <= game.number) return game;
  return {
    ...game,
    number: message.number,
    entries: [...game.entries, message.entry],
    table: message.table ?? game.table,
    view: message.changes ? ({ ...game.view, ...message.changes } as View) : game.view,
    decision: message.decision === undefined ? game.decision : message.decision,
    clock: message.clock ?? game.clock,
    clockAt: message.clock ? now : game.clockAt,
    joined: message.joined ?? game.joined,
  };
}

function present(game: Game, seats: boolean[], spectators: number): Game {
  if (!game.table) return game;
  const list = game.table.seats.map((seat, k) => ({ ...seat, present: seats[k] ?? false }));
  return { ...game, table: { ...game.table, seats: list, spectators } };
}

/** Whether something was missed between what is known and this message. */
export const hasGap = (game: Game, message: ServerMessage): boolean =>
  message.type === "update" && message.number > game.number + 1;

/** The entries that still count: moves that were taken back are gone. */
export function standing(entries: readonly EntryInfo[]): EntryInfo[] {
  const out: EntryInfo[] = [];
  for (const entry of entries) {
    if (entry.kind === "taken_back" && entry.to) {
      const to = entry.to;
      const kept = out.filter((old) => old.kind !== "moved" || old.number < to);
      out.splice(0, out.length, ...kept);
    }
    out.push(entry);
  }
  return out;
}

/** Whether the reader may say something: watchers only when nothing is secret any more. */
export const maySpeak = ({ table, seat }: Game): boolean =>
  table !== null && table.chat && (seat >= 0 || table.status === "over");

/** Entries that change nothing in the game. */
const ASIDE = ["said", "wish", "answer", "chat", "taken_back"];

/** The number of one's own move that can be taken back freely now; 0: none. */
export function freeMove(game: Game): number {
  for (const entry of standing(game.entries).toReversed()) {
    if (ASIDE.includes(entry.kind)) continue;
    return entry.kind === "moved" && entry.seat === game.seat && entry.free ? entry.number : 0;
  }
  return 0;
}

/** The number of the own move that began what is under way and can be called off; 0: none. */
export function beginning(game: Game): number {
  let found = 0;
  for (const entry of standing(game.entries).toReversed()) {
    if (ASIDE.includes(entry.kind)) continue;
    const mine = entry.kind === "moved" && entry.seat === game.seat && entry.free;
    const ended = (entry.events ?? []).some((event) => event.event === "TurnBegan");
    if (!mine || ended) break;
    found = entry.number;
  }
  return found;
}

/** The number of one's own last move that still stands; 0: none. */
export function lastOwnMove(game: Game): number {
  const mine = standing(game.entries).filter(
    (entry) => entry.kind === "moved" && entry.seat === game.seat,
  );
  return mine.at(-1)?.number ?? 0;
}
