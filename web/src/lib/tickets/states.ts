/** How the reader's tickets stand. Pure. */

import type { BoardFacts } from "$lib/api/facts";
import { networkOf, ticketState, type TicketState } from "$lib/game/network";
import { field, FREE, MINE, ticketsThat } from "$lib/game/view";
import type { Situation } from "$lib/rules/rule";

/** Every ticket that the reader holds; `joined` are those that the server calls completed. */
export function ticketStates(
  { board, view, me }: Situation,
  trains: number,
  joined: readonly number[],
): TicketState[] {
  const [owner, hand] = [field(view, "owner"), field(view, "hand")];
  return ticketsThat(view, MINE).map((ticket) => {
    const state = ticketState(board, owner, me, trains, ticket, hand);
    return { ...state, lent: !state.done && joined.includes(ticket) };
  });
}

/** The cities of tickets. */
export const endsOf = (board: BoardFacts | null, tickets: readonly number[]): number[] =>
  tickets.flatMap((k) => {
    const ticket = board?.ticket_list[k];
    return ticket ? [ticket.a, ticket.b] : [];
  });

/** The free routes on the shortest ways of open tickets, with those tickets; of twins, either will do. */
export function helpfulRoutes(
  { route_list: routes }: Pick<BoardFacts, "route_list">,
  owner: readonly number[],
  tickets: readonly TicketState[],
): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const add = (k: number, ticket: number): void =>
    void found.set(k, [...(found.get(k) ?? []), ticket]);
  for (const { ticket, done, way } of tickets)
    for (const k of done ? [] : (way?.routes ?? [])) {
      add(k, ticket);
      const twin = routes[k]?.twin ?? -1;
      if (owner[twin] === FREE && routes[twin]?.length === routes[k]?.length) add(twin, ticket);
    }
  return found;
}

/** The open tickets that a route would join. */
export function joinedBy(
  board: BoardFacts,
  owner: number[],
  me: number,
  tickets: readonly TicketState[],
  route: number,
): number[] {
  const network = networkOf(board, owner.with(route, me + 1), me);
  return tickets.flatMap(({ ticket, done }) => {
    const ends = board.ticket_list[ticket];
    return !done && ends && network.joined(ends.a, ends.b) ? [ticket] : [];
  });
}
