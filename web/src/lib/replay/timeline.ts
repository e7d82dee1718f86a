/** A game step by step: the view at every position, and where turns begin. Pure. */

import type { Replay } from "$lib/api/http";
import type { View } from "$lib/game/view";

/** The view at a position, from the one before it if that is known. */
export function viewAt(replay: Replay, position: number, from?: { at: number; view: View }): View {
  const start = from && from.at <= position ? from : { at: -1, view: {} as View };
  let view = start.view;
  for (let k = start.at + 1; k <= position; k++)
    view = { ...view, ...(replay.steps[k]?.changes ?? {}) };
  return view;
}

/** How the game ended, at its last position; null before. */
export const resultAt = (replay: Replay, position: number): Replay["result"] =>
  position === replay.steps.length - 1 ? replay.result : null;

export interface Turn {
  position: number;
  seat: number;
  number: number;
}

/** The positions at which a turn begins. */
export function turnsOf(replay: Replay): Turn[] {
  const turns: Turn[] = [];
  replay.steps.forEach((step, position) => {
    for (const event of step.events)
      if (event.event === "TurnBegan")
        turns.push({ position, seat: event.seat, number: turns.length + 1 });
  });
  return turns;
}

export interface Place {
  position: number;
  seat: number | null;
}

/** The part of an address after #: a position and, if it is not all open, whose view. */
export const hashOf = ({ position, seat }: Place): string =>
  seat === null ? `#${position}` : `#${position}-${seat}`;

export function placeOf(hash: string): Place | null {
  const found = /^#(\d+)(?:-(\d))?$/.exec(hash);
  if (!found) return null;
  return {
    position: Number(found[1]),
    seat: found[2] === undefined ? null : Number(found[2]),
  };
}
