/** The end of a game as a sequence of steps, line by line, with what to show on the board. */

import { paramsOf, type BoardFacts } from "$lib/api/facts";
import type { Line, ResultInfo } from "$lib/api/messages";
import { chain, trail } from "./network";

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
  const own = owner.flatMap((o, k) => (o === seat + 1 ? [k] : []));
  const numbers = (ids: string[]): number[] =>
    board.city_list.flatMap((city, k) => (ids.includes(city.id) ? [k] : []));
  switch (line.what) {
    case "routes":
      return { routes: own, cities: [] };
    case "ticket_done":
    case "ticket_failed": {
      const { a, b } = board.ticket_list[line.ref] ?? { a: 0, b: 0 };
      return { routes: chain(board, owner, seat, a, b), cities: [a, b] };
    }
    case "longest_path":
      return { routes: trail(board, own, line.ref), cities: [] };
    case "attractions": {
      const touched = new Set(
        own.flatMap((k) => [board.route_list[k]?.a ?? -1, board.route_list[k]?.b ?? -1]),
      );
      const there = numbers((paramsOf(board, "attractions")?.["cities"] ?? []) as string[]);
      return { routes: [], cities: there.filter((city) => touched.has(city)) };
    }
    case "festival": {
      const sets = (paramsOf(board, "festivals")?.["sets"] ?? []) as { cities: string[] }[];
      return { routes: [], cities: numbers(sets[line.ref]?.cities ?? []) };
    }
    default:
      return { routes: [], cities: [] };
  }
}
