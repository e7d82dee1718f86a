/** Reading a view: lists of whole numbers, parts by seat one after the other. */

import type { BoardFacts } from "$lib/api/facts";

export type View = Record<string, number[]>;

export const FREE = 0;
export const CLOSED = 15;

export const MINE = 1;
export const OFFERED = 2;
export const PICKED = 3;

export const one = (view: View, field: string): number => {
  const value = view[field] as number[] | number | undefined;
  return typeof value === "number" ? value : (value?.[0] ?? 0);
};

export const field = (view: View, name: string): number[] => view[name] ?? [];

/** A seat's part of a field that has equal parts for all seats. */
export function ofSeat(view: View, name: string, seat: number, seats: number): number[] {
  const values = field(view, name);
  const width = values.length / seats;
  return values.slice(seat * width, (seat + 1) * width);
}

/** The seats that owe a decision. */
export function waiting(view: View, seats: number): number[] {
  const bits = one(view, "waiting");
  return Array.from({ length: seats }, (_, k) => k).filter((k) => (bits >> k) & 1);
}

/** The tickets of which the view says this. */
export const ticketsThat = (view: View, what: number): number[] =>
  field(view, "tickets").flatMap((value, k) => (value === what ? [k] : []));

/** The kinds of cards that lie there, with how many. */
export const kinds = (counts: number[]): [number, number][] =>
  counts.flatMap((n, kind): [number, number][] => (n > 0 ? [[kind, n]] : []));

export const total = (counts: number[]): number => counts.reduce((sum, n) => sum + n, 0);

/** The face-up cards from left to right; null for an empty place. */
export const display = (view: View, board: BoardFacts): (number | null)[] =>
  field(view, "display").map((kind) => (kind <= board.colours.length ? kind : null));
