/** What a way costs in cards, and how much of it a hand pays. Pure. */

import { locomotive, type BoardFacts } from "$lib/api/facts";

/** The cards for routes: how many of each colour, those of any one colour (`null`) last. */
export function costOf(board: BoardFacts, routes: readonly number[]): [number | null, number][] {
  const sums = new Map<number | null, number>();
  for (const k of routes) {
    const route = board.route_list[k];
    if (route) sums.set(route.colour, (sums.get(route.colour) ?? 0) + route.length);
  }
  const rank = (colour: number | null): number => colour ?? board.colours.length;
  return [...sums].toSorted(([a], [b]) => rank(a) - rank(b));
}

/** How many spaces of these routes the hand pays for, whole routes only, the shortest first. */
export function paidSoon(board: BoardFacts, hand: number[], routes: readonly number[]): number {
  const left = [...hand];
  const wild = locomotive(board);
  const colours = board.colours.map((_, kind) => kind);
  let paid = 0;
  for (const route of routes
    .flatMap((k) => board.route_list[k] ?? [])
    .toSorted((a, b) => a.length - b.length)) {
    const due = Math.max(0, route.length - route.locomotives);
    const most = colours.toSorted((a, b) => (left[b] ?? 0) - (left[a] ?? 0))[0] ?? 0;
    const kind = route.colour ?? most;
    const plain = Math.min(due, left[kind] ?? 0);
    const wilds = route.length - plain;
    if (wilds > (left[wild] ?? 0)) continue;
    left[kind] = (left[kind] ?? 0) - plain;
    left[wild] = (left[wild] ?? 0) - wilds;
    paid += route.length;
  }
  return paid;
}
