/** Choosing which tickets to keep. Pure. */

import type { Offer } from "$lib/api/messages";

/** The offer that keeps exactly these tickets. */
export function keepOffer(offers: Offer[], chosen: ReadonlySet<number>): Offer | undefined {
  return offers.find(
    (offer) =>
      offer.do.endsWith("keep") &&
      (offer.tickets?.length ?? 0) === chosen.size &&
      (offer.tickets ?? []).every((ticket) => chosen.has(ticket)),
  );
}

/** The tickets to choose from, and the least and the most that can be kept. */
export function keepRange(offers: Offer[]): { tickets: number[]; least: number; most: number } {
  const sizes = offers.map((offer) => offer.tickets?.length ?? 0);
  const tickets = [...new Set(offers.flatMap((offer) => offer.tickets ?? []))];
  return {
    tickets: tickets.toSorted((a, b) => a - b),
    least: Math.min(...sizes),
    most: Math.max(...sizes),
  };
}
