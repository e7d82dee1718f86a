/** Ways to pay as the server tells them: their order, and the actions that pay. Pure. */

import { locomotive, type BoardFacts } from "$lib/api/facts";
import type { Offer, WayInfo } from "$lib/api/messages";
import { total } from "$lib/game/view";
import type { Paid, Way } from "./slots";

/** How dear a payment is: cards beyond need, sets of any cards, locomotives, then cards. */
function price(board: BoardFacts, { cards = [], extra = 0, sets = 0 }: Offer): number[] {
  return [extra, sets, cards[locomotive(board)] ?? 0, total(cards)];
}

function compare(a: number[], b: number[]): number {
  for (let k = 0; k < a.length; k++) {
    const d = (a[k] ?? 0) - (b[k] ?? 0);
    if (d !== 0) return d;
  }
  return 0;
}

/** Offers, the thriftiest first. */
export function thriftiest(board: BoardFacts, offers: Offer[]): Offer[] {
  return offers.toSorted((a, b) => compare(price(board, a), price(board, b)));
}

/** The actions of a whole claim: the cards of its sets in ascending order. */
export const chainOf = ({
  way,
  any,
}: Paid<Way & Pick<WayInfo, "actions" | "substitutes">>): number[] => [
  ...way.actions,
  ...any.toSorted((a, b) => a - b).flatMap((kind) => way.substitutes?.[kind] ?? []),
];

/** The routes that can be claimed now. */
export function claimable(offers: Offer[]): Set<number> {
  return new Set(
    offers.flatMap((offer) =>
      offer.do === "claim" && offer.route !== undefined ? [offer.route] : [],
    ),
  );
}

/** The claims that a kind of card can pay for; locomotives go wherever the board lets them. */
export const offersFor = (board: BoardFacts, offers: Offer[], card: number): Offer[] =>
  card === locomotive(board)
    ? offers.filter(({ route }) => route !== undefined && board.route_list[route]?.wild)
    : offers.filter((offer) => offer.card === card);
