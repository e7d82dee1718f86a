/** A path along routes, each at most once. Pure. */

import type { BoardFacts } from "$lib/api/facts";

/** Steps of walks before the search is given up. The networks of our boards take up to 15,000. */
const MOST_STEPS = 50_000;

/** A route from a city, as a bit among the routes. */
interface Step {
  bit: bigint;
  to: number;
  spaces: number;
}

/**
 * Routes out of these that make a trail of this many spaces: no route twice; empty: none found.
 *
 * Boards in records that somebody opens may be of any kind, so the search ends in any case.
 */
export function trail(board: BoardFacts, routes: number[], length: number): number[] {
  const near = board.city_list.map(() => [] as Step[]);
  let total = 0;
  routes.forEach((k, at) => {
    const route = board.route_list[k];
    if (!route) return;
    const bit = 1n << BigInt(at);
    near[route.a]?.push({ bit, to: route.b, spaces: route.length });
    near[route.b]?.push({ bit, to: route.a, spaces: route.length });
    total += route.length;
  });
  let used = 0n; // a bit for each of the routes
  let steps = 0;
  const dead = new Set<string>();
  const on = (city: number, left: number, rest: number): boolean => {
    if (left <= 0) return true;
    if (left > rest || steps >= MOST_STEPS) return false;
    steps += 1;
    const here = `${city} ${used.toString(36)}`;
    if (dead.has(here)) return false;
    for (const { bit, to, spaces } of near[city] ?? []) {
      if (used & bit) continue;
      used |= bit;
      if (on(to, left - spaces, rest - spaces)) return true;
      used &= ~bit;
    }
    dead.add(here);
    return false;
  };
  // A longest trail that is not a round trip begins where an odd number of routes meet.
  const cities = [...near.entries()].toSorted(
    ([, one], [, other]) => (other.length % 2) - (one.length % 2),
  );
  cities.some(([city]) => on(city, length, total));
  return routes.filter((_, at) => used & (1n << BigInt(at)));
}
