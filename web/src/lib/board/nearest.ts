/** Where routes are, and which one a finger means. Pure. */

import type { Drawing } from "$lib/api/drawing";

/** How much nearer a route is that can be claimed: it is more likely to be meant. */
const WANTED = 0.5;

/** The route whose cars are nearest to a place of the board, if one is near enough; else null. */
export function nearest(
  drawing: Drawing,
  x: number,
  y: number,
  within: number,
  open: ReadonlySet<number>,
): number | null {
  let best: number | null = null;
  let least = within;
  drawing.routes.forEach(({ spaces }, k) => {
    for (const [cx, cy, angle] of spaces) {
      const turn = (angle * Math.PI) / 180;
      const along = (x - cx) * Math.cos(turn) + (y - cy) * Math.sin(turn);
      const aside = (y - cy) * Math.cos(turn) - (x - cx) * Math.sin(turn);
      const far = Math.hypot(
        Math.max(0, Math.abs(along) - drawing.car.length / 2),
        Math.max(0, Math.abs(aside) - drawing.car.width / 2),
      );
      const counts = open.has(k) ? far * WANTED : far;
      if (far <= within && counts <= least) [best, least] = [k, counts];
    }
  });
  return best;
}

/** The nearest of the cities that are open, if one is near enough; else null. */
export function nearestCity(
  drawing: Drawing,
  ids: readonly string[],
  x: number,
  y: number,
  within: number,
  open: { has(city: number): boolean },
): number | null {
  let best: number | null = null;
  let least = within;
  ids.forEach((id, k) => {
    const place = drawing.cities[id];
    const far = place && open.has(k) ? Math.hypot(x - place.x, y - place.y) : Infinity;
    if (far <= least) [best, least] = [k, far];
  });
  return best;
}

/** The middle of a route. */
export function middle(drawing: Drawing, route: number): [number, number] {
  const spaces = drawing.routes[route]?.spaces ?? [];
  const at = spaces[Math.floor(spaces.length / 2)];
  return at ? [at[0], at[1]] : [0, 0];
}
