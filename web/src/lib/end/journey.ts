/** The longest journey along routes, each at most once, in the order of travel. Pure. */

import type { BoardFacts } from "$lib/api/facts";

export interface Leg {
  route: number;
  /** It is travelled from its second city to its first. */
  back: boolean;
}

/** Steps of the search: plenty for the networks of a game, and never a pause. */
const PATIENCE = 60_000;

export function longestJourney(board: BoardFacts, routes: readonly number[]): Leg[] {
  const at: Map<number, number[]> = new Map();
  const cities = (k: number): [number, number] => {
    const { a, b } = board.route_list[k] ?? { a: -1, b: -1 };
    return [a, b];
  };
  for (const k of routes) for (const city of cities(k)) at.set(city, [...(at.get(city) ?? []), k]);
  let best: Leg[] = [];
  let longest = 0;
  let left = PATIENCE;
  const used = new Set<number>();
  const way: Leg[] = [];
  const on = (city: number, length: number): void => {
    if (length > longest) [longest, best] = [length, [...way]];
    for (const k of at.get(city) ?? []) {
      if (used.has(k) || left-- < 0) continue;
      const [a, b] = cities(k);
      used.add(k);
      way.push({ route: k, back: b === city });
      on(a === city ? b : a, length + (board.route_list[k]?.length ?? 0));
      way.pop();
      used.delete(k);
    }
  };
  // Ends of the network first: the longest journeys begin there.
  const starts = [...at.keys()].toSorted(
    (a, b) => (at.get(a)?.length ?? 0) - (at.get(b)?.length ?? 0),
  );
  for (const city of starts) on(city, 0);
  return best;
}
