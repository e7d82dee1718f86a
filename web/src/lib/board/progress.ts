/** How far a game has gone, as far as the board shows it. Pure. */

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
