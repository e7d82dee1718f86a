/** How the reader's tickets stand. Pure. */

import type { BoardFacts } from "$lib/api/facts";
import { ticketState, type TicketState } from "$lib/game/network";
import { field, MINE, ticketsThat } from "$lib/game/view";
import { lentTickets } from "$lib/rules/registry";
import type { Situation } from "$lib/rules/rule";

/** Every ticket that the reader holds. */
export function ticketStates(situation: Situation, trains: number): TicketState[] {
  const { board, view, me } = situation;
  const mine = ticketsThat(view, MINE);
  const lent = lentTickets(situation, mine);
  return mine.map((ticket) => {
    const state = ticketState(board, field(view, "owner"), me, trains, ticket);
    return { ...state, lent: !state.done && lent.has(ticket) };
  });
}

/** The cities of tickets. */
export const endsOf = (board: BoardFacts | null, tickets: readonly number[]): number[] =>
  tickets.flatMap((k) => {
    const ticket = board?.ticket_list[k];
    return ticket ? [ticket.a, ticket.b] : [];
  });

/** The free routes on the shortest ways of open tickets, with those tickets. */
export function helpfulRoutes(tickets: TicketState[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { ticket, done, way } of tickets)
    if (!done) for (const k of way?.routes ?? []) found.set(k, [...(found.get(k) ?? []), ticket]);
  return found;
}
