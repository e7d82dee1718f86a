/** Going from route to route by arrow keys. Pure. */

import type { Drawing } from "$lib/api/drawing";
import { middle } from "./nearest";

/** The directions of the arrow keys. */
export const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The next route in a direction; null: there is none. */
export function step(
  drawing: Drawing,
  from: number,
  [dx, dy]: readonly [number, number],
): number | null {
  const [x, y] = middle(drawing, from);
  let best: number | null = null;
  let least = Infinity;
  for (let k = 0; k < drawing.routes.length; k++) {
    if (k === from) continue;
    const [ox, oy] = middle(drawing, k);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along <= 2) continue;
    const far = along + 2.2 * aside;
    if (far < least) [best, least] = [k, far];
  }
  return best;
}
