/** What a way costs in cards, and how much of it a hand pays. Pure. */

import { locomotive, type BoardFacts } from "$lib/api/facts";
import { spare } from "$lib/claims/slots";
import { total } from "$lib/game/view";

/** A number of cards of a kind, or of any one colour (`null`) for each of `times` routes. */
export interface Cost {
  kind: number | null;
  n: number;
  times: number;
}

/** The cards for routes: by kind, then those of any one colour, by the length of their routes. */
export function costOf(board: BoardFacts, routes: readonly number[]): Cost[] {
  const sums = new Map<number, number>();
  const gray = new Map<number, number>();
  const add = (kind: number, n: number): void => void sums.set(kind, (sums.get(kind) ?? 0) + n);
  for (const { colour, length, locomotives } of routes.flatMap((k) => board.route_list[k] ?? [])) {
    const n = length - locomotives;
    if (colour === null) gray.set(n, (gray.get(n) ?? 0) + 1);
    else add(colour, n);
    add(locomotive(board), locomotives);
  }
  return [
    ...[...sums].toSorted(([a], [b]) => a - b).map(([kind, n]) => ({ kind, n, times: 1 })),
    ...[...gray].toSorted(([a], [b]) => b - a).map(([n, times]) => ({ kind: null, n, times })),
  ].filter(({ n }) => n > 0);
}

/** How many spaces of these routes the hand pays for, whole routes only, the shortest first. */
export function paidSoon(board: BoardFacts, hand: number[], routes: readonly number[]): number {
  const left = [...hand];
  const loco = locomotive(board);
  let paid = 0;
  for (const route of routes
    .flatMap((k) => board.route_list[k] ?? [])
    .toSorted((a, b) => a.length - b.length)) {
    const colours = left.slice(0, loco);
    const kind = route.colour ?? colours.indexOf(Math.max(...colours));
    const cards = left.map(() => 0);
    cards[kind] = Math.min(route.length - route.locomotives, left[kind] ?? 0);
    const due = route.length - total(cards);
    cards[loco] = route.wild ? Math.min(due, left[loco] ?? 0) : 0;
    const way = { cards, sets: route.length - total(cards), set_size: route.set_size };
    if (way.sets > 0) {
      if (way.set_size === 0 || total(left) - total(cards) < way.sets * way.set_size) continue;
      for (const [k, n] of spare(left, way).entries()) cards[k] = (cards[k] ?? 0) + n;
    }
    for (const [k, n] of cards.entries()) left[k] = (left[k] ?? 0) - n;
    paid += route.length;
  }
  return paid;
}
