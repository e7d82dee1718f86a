/** A path along routes, each at most once. Pure. */

import type { BoardFacts } from "$lib/api/facts";

/** Dead ends of a trail before it is given up. */
const PATIENCE = 100_000;

/** Routes out of these that make a trail of this many spaces: no route twice; empty: none found. */
export function trail(board: BoardFacts, routes: number[], length: number): number[] {
  let used = 0n; // a bit for each of the routes
  const dead = new Set<string>();
  const on = (city: number, left: number): boolean => {
    if (left <= 0) return true;
    const here = `${city} ${used}`;
    if (dead.has(here) || dead.size > PATIENCE) return false;
    const found = routes.some((k, at) => {
      const route = board.route_list[k];
      const bit = 1n << BigInt(at);
      if (!route || used & bit || (route.a !== city && route.b !== city)) return false;
      used |= bit;
      if (on(route.a === city ? route.b : route.a, left - route.length)) return true;
      used &= ~bit;
      return false;
    });
    if (!found) dead.add(here);
    return found;
  };
  board.city_list.some((_, city) => on(city, length));
  return routes.filter((_, at) => used & (1n << BigInt(at)));
}
