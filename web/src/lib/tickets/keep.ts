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

export interface KeepRange {
  tickets: number[];
  least: number;
  most: number;
}

/** How many more have to be chosen; below zero: how many fewer. */
export const missing = ({ least, most }: KeepRange, chosen: number): number =>
  chosen < least ? least - chosen : Math.min(0, most - chosen);

/** The tickets to choose from, and the least and the most that can be kept. */
export function keepRange(offers: Offer[]): KeepRange {
  const sizes = offers.map((offer) => offer.tickets?.length ?? 0);
  const tickets = [...new Set(offers.flatMap((offer) => offer.tickets ?? []))];
  return {
    tickets: tickets.toSorted((a, b) => a - b),
    least: Math.min(...sizes),
    most: Math.max(...sizes),
  };
}
