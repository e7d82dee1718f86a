/** The end of a game as a sequence of steps, line by line, with what to show on the board. */

import type { BoardFacts } from "$lib/api/facts";
import type { Line, ResultInfo } from "$lib/api/messages";
import { chain } from "./network";

export interface ScoreStep {
  seat: number;
  line: Line;
  /** The points of every seat after this step. */
  totals: number[];
  routes: number[];
  cities: number[];
}

const ORDER = ["routes", "ticket_done", "ticket_failed"];
const rank = (what: string): number => {
  const k = ORDER.indexOf(what);
  return k < 0 ? ORDER.length : k;
};

/** First everyone's routes, then tickets seat by seat, then bonuses. */
export function scoreSteps(board: BoardFacts, owner: number[], result: ResultInfo): ScoreStep[] {
  const lines = result.lines.flatMap((list, seat) => list.map((line) => ({ seat, line })));
  const group = (what: string): number => (rank(what) === 0 ? 0 : rank(what) <= 2 ? 1 : 2);
  const sorted = lines.toSorted(
    (a, b) =>
      group(a.line.what) - group(b.line.what) ||
      (group(a.line.what) === 2 ? a.line.what.localeCompare(b.line.what) : 0) ||
      a.seat - b.seat,
  );
  const totals = result.scores.map(() => 0);
  return sorted.map(({ seat, line }) => {
    totals[seat] = (totals[seat] ?? 0) + line.points;
    return { seat, line, totals: [...totals], ...shown(board, owner, seat, line) };
  });
}

function shown(
  board: BoardFacts,
  owner: number[],
  seat: number,
  line: Line,
): { routes: number[]; cities: number[] } {
  if (line.what === "routes") {
    return { routes: owner.flatMap((o, k) => (o === seat + 1 ? [k] : [])), cities: [] };
  }
  const ticket = line.what.startsWith("ticket") ? board.ticket_list[line.ref] : undefined;
  if (!ticket) return { routes: [], cities: [] };
  const { a, b } = ticket;
  return { routes: chain(board, owner, seat, a, b), cities: [a, b] };
}
