/** What the reader may count on: points, and how long the game will probably last. Pure. */

import type { EntryInfo } from "$lib/api/messages";
import type { TicketFacts } from "$lib/api/facts";
import { standing } from "$lib/game/fold";
import type { TicketState } from "$lib/game/network";

export interface Points {
  /** If the game ended now: open tickets count against one. */
  now: number;
  /** If all tickets were joined. */
  all: number;
}

export function pointsOf(
  routes: number,
  tickets: readonly TicketState[],
  facts: readonly TicketFacts[],
): Points {
  const worth = tickets.map(({ ticket, done, lent }) => ({
    points: facts[ticket]?.points ?? 0,
    joined: done || lent === true,
  }));
  return {
    now: worth.reduce((sum, { points, joined }) => sum + (joined ? points : -points), routes),
    all: worth.reduce((sum, { points }) => sum + points, routes),
  };
}

/** How many turns each seat has begun, without those in moves that were taken back. */
export function turnsBegun(entries: readonly EntryInfo[], seats: number): number[] {
  const turns = new Array<number>(seats).fill(0);
  for (const { events = [] } of standing(entries))
    for (const { event, seat } of events)
      if (event === "TurnBegan" && seat >= 0) turns[seat] = (turns[seat] ?? 0) + 1;
  return turns;
}

/** Before much has been laid, so many turns with as many trains are taken for granted. */
const USUAL = 6;
/** With so few trains the last round begins. */
const FEW = 2;

/**
 * How many turns everyone probably has left: until the fastest seat, at its pace so far, is about to
 * run out of trains, and one more.
 */
export function turnsLeft(
  start: number,
  trains: readonly number[],
  turns: readonly number[],
): number {
  const rest = trains.map((left, seat) => {
    const pace = (start - left + USUAL) / ((turns[seat] ?? 0) + USUAL);
    return Math.max(0, left - FEW) / pace;
  });
  return Math.ceil(Math.min(...rest)) + 1;
}
