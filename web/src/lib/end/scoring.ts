/** The end of a game as a sequence of steps, line by line, with what each rests on. Pure. */

import type { BoardFacts } from "$lib/api/facts";
import type { Line, ResultInfo } from "$lib/api/messages";
import { field, type View } from "$lib/game/view";
import { scoreDisplay } from "$lib/rules/registry";
import type { SeatEnd, Shown } from "$lib/rules/rule";

export interface ScoreStep extends Shown {
  seat: number;
  line: Line;
  /** The points of every seat after this step. */
  totals: number[];
}

const BONUS = 3;
const order = (what: string): number => scoreDisplay(what).order ?? BONUS;

/** First everyone's routes, then tickets and what they need, then bonuses; each seat by seat. */
export function scoreSteps(board: BoardFacts, view: View, result: ResultInfo): ScoreStep[] {
  const lines = result.lines.flatMap((list, seat) => list.map((line) => ({ seat, line })));
  const sorted = lines.toSorted(
    ({ seat, line: a }, { seat: other, line: b }) =>
      order(a.what) - order(b.what) ||
      (order(a.what) === BONUS ? a.what.localeCompare(b.what) : 0) ||
      scoreDisplay(a.what).compare?.(a, b) ||
      seat - other,
  );
  const totals = result.scores.map(() => 0);
  const ends = result.lines.map((list, seat) => endOf(board, view, seat, list));
  return sorted.map(({ seat, line }) => {
    totals[seat] = (totals[seat] ?? 0) + line.points;
    const end = ends[seat];
    const shown = end && scoreDisplay(line.what).shows?.(end, line);
    return { seat, line, totals: [...totals], ...NOTHING, ...shown };
  });
}

const NOTHING: Shown = { routes: [], cities: [], part: null, counter: "" };

function endOf(board: BoardFacts, view: View, seat: number, lines: Line[]): SeatEnd {
  const owner = field(view, "owner");
  return {
    ...{ board, view, seat, owner },
    own: owner.flatMap((o, k) => (o === seat + 1 ? [k] : [])),
    borrowed: lines.flatMap(({ ref, values }) =>
      typeof values?.["route"] === "number" ? [{ route: values["route"], city: ref }] : [],
    ),
    done: lines.flatMap(({ what, ref }) => (what === "ticket_done" ? [ref] : [])),
  };
}

/** The seats from first to last. */
export function ranked({ scores, winners }: ResultInfo): number[] {
  const won = (seat: number): number => Number(winners.includes(seat));
  return scores
    .map((_, seat) => seat)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || won(b) - won(a));
}

/** The row of the score table that a line belongs to. */
export const columnOf = ({ what }: Line): string => scoreDisplay(what).column ?? what;

/** The rows of the score table: lines that only explain others have no say in their order. */
export const columns = (steps: readonly ScoreStep[]): string[] => {
  const lines = steps.map(({ line }) => line);
  const told = [...lines.filter((line) => !explains(line)), ...lines.filter(explains)];
  return [...new Set(told.map(columnOf))];
};

/** Whether a line only explains others and has no points. */
export const explains = ({ what }: Line): boolean => scoreDisplay(what).explains ?? false;
