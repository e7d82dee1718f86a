/** Ways to pay as the server tells them: their order, and the cards of their sets. Pure. */

import { locomotive, type BoardFacts } from "$lib/api/facts";
import type { Offer, WayInfo } from "$lib/api/messages";
import { total } from "$lib/game/view";

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

/** Of ways in order, the first with each colour, number of extra cards, and with or without sets. */
export function thriftiestOfEach(ways: WayInfo[]): WayInfo[] {
  const seen = new Set<string>();
  return ways.filter(({ card, extra = 0, sets = 0 }) => {
    const kind = `${card} ${extra} ${sets > 0}`;
    return !seen.has(kind) && seen.add(kind);
  });
}

/** How many cards of any kind a way takes for its sets. */
export const anyCards = ({ sets = 0, set_size = 0 }: WayInfo): number => sets * set_size;

/** The cards left for sets of any cards, when the rest of a payment has been laid down. */
export const leftFor = (hand: number[], way: WayInfo): number[] =>
  hand.map((n, kind) => Math.min(n - (way.cards[kind] ?? 0), way.room?.[kind] ?? n));

/** Whether it is open which cards make up the sets. */
export function hasChoice(hand: number[], way: WayInfo): boolean {
  const left = leftFor(hand, way);
  const any = anyCards(way);
  return any > 0 && total(left) > any && left.filter((n) => n > 0).length > 1;
}

/** The cards that are missed the least: single ones first, locomotives last. */
export function spare(hand: number[], way: WayInfo): number[] {
  const left = leftFor(hand, way);
  const out = left.map(() => 0);
  const loco = left.length - 1;
  const order = left
    .map((n, kind) => ({ n, kind }))
    .toSorted((a, b) => Number(a.kind === loco) - Number(b.kind === loco) || a.n - b.n);
  let due = anyCards(way);
  for (const { n, kind } of order) {
    out[kind] = Math.min(n, due);
    due -= out[kind];
  }
  return out;
}

/** The actions of a whole claim, with these cards in its sets: the kinds in ascending order. */
export const chainOf = (way: WayInfo, any: number[]): number[] => [
  ...way.actions,
  ...(way.substitutes ?? []).flatMap((action, kind) =>
    new Array<number>(any[kind] ?? 0).fill(action),
  ),
];

/** The routes that can be claimed now. */
export function claimable(offers: Offer[]): Set<number> {
  return new Set(
    offers.flatMap((offer) =>
      offer.do === "claim" && offer.route !== undefined ? [offer.route] : [],
    ),
  );
}
