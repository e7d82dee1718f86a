/** The routes that stations borrow. Pure. */

import type { BoardFacts } from "$lib/api/facts";
import { networkOf } from "$lib/game/network";
import { CLOSED, FREE } from "$lib/game/view";

/** What the stations of a seat bring: the routes that they borrow, and the tickets then joined. */
export interface Loan {
  routes: number[];
  tickets: Set<number>;
}

/**
 * The tickets that are joined if the game ended now: own routes, and for each station the route of
 * another seat into its city that serves best.
 */
export function borrow(
  board: BoardFacts,
  owner: number[],
  stations: number[],
  seat: number,
  tickets: number[],
): Loan {
  const cities = stations.flatMap((by, city) => (by === seat + 1 ? [city] : []));
  const lent = (city: number): number[] =>
    board.route_list.flatMap(({ a, b }, k) =>
      (a === city || b === city) && ![FREE, CLOSED, seat + 1].includes(owner[k] ?? FREE) ? [k] : [],
    );
  const points = (ticket: number): number => board.ticket_list[ticket]?.points ?? 0;
  let best: Loan = { routes: [], tickets: new Set() };
  let most = -1;
  const look = (k: number, routes: number[]): void => {
    const city = cities[k];
    if (city !== undefined) {
      look(k + 1, routes);
      for (const route of lent(city)) look(k + 1, [...routes, route]);
      return;
    }
    const union = networkOf(board, owner, seat);
    for (const route of routes) {
      const { a, b } = board.route_list[route] ?? { a: 0, b: 0 };
      union.join(a, b);
    }
    const done = tickets.filter((ticket) => {
      const { a, b } = board.ticket_list[ticket] ?? { a: 0, b: 1 };
      return union.joined(a, b);
    });
    const worth = done.reduce((sum, ticket) => sum + points(ticket), 0);
    if (worth > most || (worth === most && done.length > best.tickets.size))
      [best, most] = [{ routes, tickets: new Set(done) }, worth];
  };
  look(0, []);
  return best;
}
