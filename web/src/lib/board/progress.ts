/** How far a game has gone, as far as the board shows it. Pure. */

import type { RoutePlace } from "$lib/api/drawing";
import type { BoardFacts } from "$lib/api/facts";
import { CLOSED } from "$lib/game/view";

/** From this part of a seat's trains on, free track steps back; how faint it gets in the end. */
const LATE = 0.5;
const FAINT = 0.65;
/** In so many steps: each draws all free track anew. */
const STEPS = 4;

/** How strongly free track is drawn: fully at first, less when someone has few trains left. */
export function freeTrack(
  board: Pick<BoardFacts, "trains" | "route_list">,
  owner: readonly number[],
): number {
  const laid: number[] = [];
  owner.forEach((by, k) => {
    if (by > 0 && by < CLOSED) laid[by] = (laid[by] ?? 0) + (board.route_list[k]?.length ?? 0);
  });
  const most = Math.max(0, ...laid.filter(Boolean)) / Math.max(1, board.trains);
  const late = Math.min(1, Math.max(0, (most - LATE) / (1 - LATE)));
  return 1 - (Math.floor(late * STEPS) / STEPS) * (1 - FAINT);
}

/** The routes that have a twin: with few players one of them is closed when the other is claimed. */
export function mayClose({ route_list }: Pick<BoardFacts, "route_list">): Set<number> {
  const ends = route_list.map(({ a, b }) => (a < b ? `${a}-${b}` : `${b}-${a}`));
  const count = new Map<string, number>();
  for (const pair of ends) count.set(pair, (count.get(pair) ?? 0) + 1);
  return new Set(ends.flatMap((pair, k) => ((count.get(pair) ?? 0) > 1 ? [k] : [])));
}

/**
 * How wide the light of each route may be: beside a parallel route no wider than that is away, so
 * that two lights stay two.
 */
export function lightRoom(
  { route_list }: Pick<BoardFacts, "route_list">,
  places: readonly Pick<RoutePlace, "spaces">[],
): number[] {
  return route_list.map(({ a, b }, k) => {
    const beside = route_list.flatMap((other, j) =>
      j !== k && Math.min(a, b) === Math.min(other.a, other.b) && a + b === other.a + other.b
        ? (places[j]?.spaces ?? [])
        : [],
    );
    const apart = (places[k]?.spaces ?? []).flatMap(([x, y]) =>
      beside.map(([u, v]) => Math.hypot(x - u, y - v)),
    );
    return Math.min(Infinity, ...apart);
  });
}
