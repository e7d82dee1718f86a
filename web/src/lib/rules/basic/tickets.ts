/** What a ticket rests on at the end. */

import type { Line } from "$lib/api/messages";
import { chain } from "$lib/game/network";
import type { SeatEnd, Shown } from "../rule";

/** The cities of a ticket and the chain that joins them, if need be with what is borrowed. */
export function ticketShown(
  { board, seat, owner, borrowed }: SeatEnd,
  { ref }: Pick<Line, "ref">,
): Pick<Shown, "routes" | "cities"> {
  const { a, b } = board.ticket_list[ref] ?? { a: 0, b: 0 };
  const own = chain(board, owner, seat, a, b);
  if (own.length > 0) return { routes: own, cities: [a, b] };
  const lent = new Set(borrowed.map(({ route }) => route));
  const all = owner.map((o, k) => (lent.has(k) ? seat + 1 : o));
  const routes = chain(board, all, seat, a, b);
  const lenders = borrowed.filter(({ route }) => routes.includes(route)).map(({ city }) => city);
  return { routes, cities: [...new Set([a, b, ...lenders])] };
}
