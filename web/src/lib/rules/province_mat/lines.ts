/** The lines of the Province mat and what they are worth now. Pure.

Lines and points are the board's, the ranks the server's; here they are only looked up. */

import type { Offer } from "$lib/api/messages";
import { paramsOf, type BoardFacts } from "$lib/api/facts";
import { field, type View } from "$lib/game/view";

export interface Standing {
  seat: number;
  sum: number;
  rank: number;
  points: number;
}

/** An action that places a train, with what it says of the mat. */
export interface MatOffer extends Offer {
  line?: number;
  spot?: number;
  /** The Express card that it spends. */
  express?: number;
  /** The rank on the line with it, and the points that it adds now. */
  rank?: number;
  gain?: number;
}

export interface MatLine {
  colour: string;
  spots: number[];
  /** The province's name; other languages have fields of their own. */
  en: string;
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

/** Of the ways to place a train without an Express card, the one that brings most now. */
export const bestSpot = (offers: MatOffer[]): MatOffer | undefined =>
  offers
    .filter((offer) => offer.do === "mat" && !offer.express)
    .toSorted((a, b) => (b.gain ?? 0) - (a.gain ?? 0) || (b.spot ?? 0) - (a.spot ?? 0))[0];
