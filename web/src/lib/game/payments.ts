/** Putting offers in the order in which a thrifty player would take them. */

import type { BoardFacts } from "$lib/api/facts";
import { locomotive } from "$lib/api/facts";
import type { Offer } from "$lib/api/messages";
import { total } from "./view";

/** How dear a payment is: cards beyond need, sets of any cards, locomotives, then cards. */
function price(board: BoardFacts, offer: Offer): number[] {
  const cards = offer.cards ?? [];
  return [offer.extra ?? 0, offer.sets ?? 0, cards[locomotive(board)] ?? 0, total(cards)];
}

function compare(a: number[], b: number[]): number {
  for (let k = 0; k < a.length; k++) {
    const d = (a[k] ?? 0) - (b[k] ?? 0);
    if (d !== 0) return d;
  }
  return 0;
}

/** Payments, the thriftiest first. */
export function thriftiest(board: BoardFacts, offers: Offer[]): Offer[] {
  return offers.toSorted((a, b) => compare(price(board, a), price(board, b)));
}

/** The claims of one route by what is played: fewest locomotives first, then the larger pile. */
export function claimsOf(
  board: BoardFacts,
  offers: Offer[],
  route: number,
  hand: number[],
): Offer[] {
  const length = board.route_list[route]?.length ?? 0;
  const loco = locomotive(board);
  const cost = (offer: Offer): number[] => {
    const kind = offer.card ?? loco;
    const held = kind === loco ? 0 : (hand[kind] ?? 0);
    return [Math.max(length - held, 0), -held];
  };
  return offers
    .filter((offer) => offer.do === "claim" && offer.route === route)
    .toSorted((a, b) => compare(cost(a), cost(b)));
}

/** The smallest payment of a claim, for a first look: cards by kind. */
export function smallest(board: BoardFacts, offer: Offer, hand: number[]): number[] {
  const route = board.route_list[offer.route ?? -1];
  const loco = locomotive(board);
  const cards = new Array<number>(loco + 1).fill(0);
  if (!route) return cards;
  if (offer.cards) return offer.cards;
  const kind = offer.card ?? loco;
  const locos = kind === loco ? route.length : Math.max(route.locomotives, 0);
  const coloured = kind === loco ? 0 : Math.min(hand[kind] ?? 0, route.length - locos);
  cards[loco] = route.length - coloured;
  if (kind !== loco) cards[kind] = coloured;
  return cards;
}

/** The routes that can be claimed now. */
export function claimable(offers: Offer[]): Set<number> {
  return new Set(
    offers.flatMap((offer) =>
      offer.do === "claim" && offer.route !== undefined ? [offer.route] : [],
    ),
  );
}

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
