/** What a finished game was: points over time, awards, what decided. Pure. */

import type { Replay } from "$lib/api/http";
import type { BoardFacts } from "$lib/api/facts";
import type { ResultInfo } from "$lib/api/messages";
import { value } from "$lib/game/events";
import { field } from "$lib/game/view";
import { rulesOf } from "$lib/rules/registry";
import { columnOf } from "./scoring";

/** The points of every seat at the beginning of each turn, and at last the final scores. */
export function pointsOverTime(replay: Replay, result: ResultInfo): number[][] {
  const rows: number[][] = [];
  let points = result.scores.map(() => 0);
  for (const step of replay.steps) {
    const changed = field(step.changes, "points");
    if (changed.length > 0) points = changed;
    if (step.events.some(({ event }) => event === "TurnBegan")) rows.push(points);
  }
  return [...rows, points, result.scores];
}

/** A distinction of one seat, with words of the catalogue `award.`. */
export interface Award {
  name: string;
  seat: number;
  /** What it was earned with. */
  n: number;
  what?: string;
}

/** All that awards are given for. */
export interface Story {
  board: BoardFacts;
  replay: Replay;
  result: ResultInfo;
}

/** The seat that has the most of something, if it has any and nobody has as much. */
export function most(counts: readonly number[]): { seat: number; n: number } | null {
  const n = Math.max(...counts);
  const first = counts.indexOf(n);
  return n > 0 && counts.lastIndexOf(n) === first ? { seat: first, n } : null;
}

const FOR_ALL: ((story: Story) => Award | null)[] = [
  ({ result }) => named("tickets", most(result.lines.map((lines) => done(lines).length))),
  longestRoute,
  dearestTicket,
  ({ replay, result }) => named("routes", most(result.scores.map((_, k) => claims(replay, k)))),
  ({ replay, result }) =>
    named("hand", most(result.scores.map((_, k) => largestHand(replay, k, result.scores.length)))),
];

const named = (name: string, found: { seat: number; n: number } | null): Award | null =>
  found && { name, ...found };

const done = (lines: ResultInfo["lines"][number]): ResultInfo["lines"][number] =>
  lines.filter(({ what }) => what === "ticket_done");

const claims = (replay: Replay, seat: number): number =>
  replay.steps
    .flatMap(({ events }) => events)
    .filter((event) => event.event === "RouteClaimed" && event.seat === seat).length;

function longestRoute({ board, replay }: Story): Award | null {
  const claimed = replay.steps
    .flatMap(({ events }) => events)
    .flatMap((event) => {
      const route = event.event === "RouteClaimed" && board.route_list[value(event, "route") ?? -1];
      return route ? [{ name: "route", seat: event.seat, n: route.length, what: route.name }] : [];
    });
  return alone(claimed);
}

function dearestTicket({ board, result }: Story): Award | null {
  const completed = result.lines.flatMap((lines, seat) =>
    done(lines).map(({ points: n, ref }) => {
      return { name: "ticket", seat, n, what: board.ticket_list[ref]?.name ?? "" };
    }),
  );
  return alone(completed);
}

/** The highest of some awards, if no other seat has one as high. */
function alone(found: readonly Award[]): Award | null {
  const n = Math.max(0, ...found.map((award) => award.n));
  const [best, ...others] = found.filter((award) => award.n === n);
  return best && others.every(({ seat }) => seat === best.seat) ? best : null;
}

function largestHand(replay: Replay, seat: number, seats: number): number {
  let most = 0;
  for (const { changes } of replay.steps) {
    const sizes = field(changes, "hand_size");
    if (sizes.length === seats) most = Math.max(most, sizes[seat] ?? 0);
  }
  return most;
}

const AWARDS = 3;

/** Three awards: first what the board's own rules have, each to another seat as long as that goes. */
export function awardsOf(story: Story): Award[] {
  const own = rulesOf(story.board).flatMap(({ award }) => award?.(story) ?? []);
  const all = [...own, ...FOR_ALL.flatMap((award) => award(story) ?? [])];
  const chosen: Award[] = [];
  while (chosen.length < AWARDS && chosen.length < all.length) {
    const left = all.filter((award) => !chosen.includes(award));
    const has = (seat: number): number => chosen.filter((award) => award.seat === seat).length;
    const least = Math.min(...left.map(({ seat }) => has(seat)));
    const next = left.find(({ seat }) => has(seat) === least);
    if (next) chosen.push(next);
  }
  return chosen;
}

export interface Decided {
  winner: number;
  second: number;
  lead: number;
  /** The column of the score table in which the winner gained most on the second. */
  column: string;
  gain: number;
}

/** What put the winner ahead of the next; null: nobody is ahead alone. */
export function decidedBy({ scores, winners, lines }: ResultInfo): Decided | null {
  const [winner] = winners;
  if (winner === undefined || winners.length > 1 || scores.length < 2) return null;
  const second = scores
    .map((_, seat) => seat)
    .filter((seat) => seat !== winner)
    .reduce((a, b) => ((scores[b] ?? 0) > (scores[a] ?? 0) ? b : a));
  const sums = (seat: number): Map<string, number> => {
    const found = new Map<string, number>();
    for (const line of lines[seat] ?? [])
      found.set(columnOf(line), (found.get(columnOf(line)) ?? 0) + line.points);
    return found;
  };
  const [mine, theirs] = [sums(winner), sums(second)];
  let best = { column: "", gain: 0 };
  for (const column of new Set([...mine.keys(), ...theirs.keys()])) {
    const gain = (mine.get(column) ?? 0) - (theirs.get(column) ?? 0);
    if (gain > best.gain) best = { column, gain };
  }
  const lead = (scores[winner] ?? 0) - (scores[second] ?? 0);
  return lead > 0 && best.gain > 0 ? { winner, second, lead, ...best } : null;
}
