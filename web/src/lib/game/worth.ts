/** What festival cards and the lines of the Province mat are worth now. Pure.

The charts are the board's, the ranks on the mat the server's; here they are only looked up. */

import { paramsOf, type BoardFacts } from "$lib/api/facts";
import { festivalSets } from "$lib/board/places";
import { field, ofSeat, type View } from "./view";

export interface FestivalWorth {
  /** The number of the set. */
  set: number;
  name: string;
  /** The points for one card, two cards, and so on. */
  scores: number[];
  mine: number;
  now: number;
  /** The cards that lie at the city, and the points with them. */
  lying: number;
  then: number;
}

export interface Standing {
  seat: number;
  sum: number;
  rank: number;
  points: number;
}

export interface MatLine {
  colour: string;
  spots: number[];
  /** The province's name; other languages have fields of their own. */
  en: string;
}

const cityName = (board: BoardFacts, id: string): string =>
  board.city_list.find((city) => city.id === id)?.name ?? id;

/** The name of a festival: its cities. */
export const festivalName = (board: BoardFacts, set: number): string =>
  (festivalSets(board)[set]?.cities ?? []).map((id) => cityName(board, id)).join("/");

/** Every festival; a seat of -1 has no cards. */
export function festivals(
  board: BoardFacts,
  view: View,
  seat: number,
  seats: number,
): FestivalWorth[] {
  const own = seat < 0 ? [] : ofSeat(view, "festival_cards", seat, seats);
  const piles = field(view, "festival_piles");
  return festivalSets(board).map(({ scores }, set) => {
    const worth = (cards: number): number => scores[cards - 1] ?? 0;
    const [mine, lying] = [own[set] ?? 0, piles[set] ?? 0];
    return {
      ...{ set, name: festivalName(board, set), scores, mine, lying },
      now: worth(mine),
      then: worth(mine + lying),
    };
  });
}

export const matLines = (board: BoardFacts): MatLine[] =>
  (paramsOf(board, "province_mat")?.["lines"] ?? []) as MatLine[];

/** What the first, second … on a line score at a table of this size. */
export function rankPoints(board: BoardFacts, seats: number): number[] {
  const scoring = paramsOf(board, "province_mat")?.["scoring"] as Record<string, number[]>;
  return scoring?.[String(seats)] ?? [];
}

/** Who stands on each spot of a line: seat + 1, or 0. */
export function spotOwners(board: BoardFacts, view: View, line: number): number[] {
  const mat = field(view, "mat");
  const width = mat.length / Math.max(1, matLines(board).length);
  return mat.slice(line * width, (line + 1) * width);
}

/** Those with a train on a line, first to last, with what that scores now. */
export function standings(board: BoardFacts, view: View, line: number): Standing[] {
  const lines = matLines(board);
  const ranks = field(view, "mat_ranks");
  const seats = ranks.length / Math.max(1, lines.length);
  const points = rankPoints(board, seats);
  const owners = spotOwners(board, view, line);
  const sum = (seat: number): number =>
    (lines[line]?.spots ?? []).reduce((n, spot, k) => n + (owners[k] === seat + 1 ? spot : 0), 0);
  return ranks
    .slice(line * seats, (line + 1) * seats)
    .map((rank, seat) => ({ seat, rank, sum: sum(seat), points: points[rank - 1] ?? 0 }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => a.rank - b.rank);
}

/** What the whole mat brings each seat now; nothing for seats without a train there. */
export function matTotals(board: BoardFacts, view: View): { seat: number; points: number }[] {
  const totals = new Map<number, number>();
  for (const line of matLines(board).keys())
    for (const { seat, points } of standings(board, view, line))
      totals.set(seat, (totals.get(seat) ?? 0) + points);
  return [...totals]
    .map(([seat, points]) => ({ seat, points }))
    .toSorted((a, b) => b.points - a.points || a.seat - b.seat);
}
