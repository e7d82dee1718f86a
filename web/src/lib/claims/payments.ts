/** What can be paid: every payment of a claim, in the order in which a thrifty player would choose. */

import type { BoardFacts, RouteFacts } from "$lib/api/facts";
import { hasRule, locomotive, paramsOf } from "$lib/api/facts";
import type { Offer } from "$lib/api/messages";
import { field, FREE, ofSeat, total, type View } from "$lib/game/view";

/** How dear a payment is: cards beyond need, sets of any cards, locomotives, then cards. */
function price(board: BoardFacts, offer: Pick<Offer, "cards" | "sets" | "extra">): number[] {
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

/** The cards of a payment. */
export interface Cost {
  /** Cards of a colour and locomotives, by kind. */
  cards: number[];
  /** Cards beyond the price. */
  extra: number;
  /** Spaces that are paid with a set of any cards. */
  sets: number;
  /** The cards of these sets. */
  any: number;
  /** How many cards of each kind may go into them; without it, all that are left. */
  room?: number[];
}

/** A whole payment of a claim, with the claim that begins it. */
export interface Payment extends Cost {
  claim: Offer;
}

/** Whether locomotives serve on a route at all. */
function takesLocomotives(board: BoardFacts, route: RouteFacts): boolean {
  const allowed = paramsOf(board, "locomotive_restriction")?.["allowed"] as string[] | undefined;
  if (!allowed) return true;
  return (
    (allowed.includes("ferries") && route.locomotives > 0) ||
    (allowed.includes("tunnels") && route.tunnel)
  );
}

interface MatLine {
  colour: string;
  spots: number[];
}

/** The highest free spot of the Province mat up to a value that a claim of this route leads to. */
export function matSpot(board: BoardFacts, view: View, route: RouteFacts, value: number): number {
  const lines = (paramsOf(board, "province_mat")?.["lines"] ?? []) as MatLine[];
  const mat = field(view, "mat");
  const width = mat.length / Math.max(1, lines.length);
  const colour = route.colour === null ? null : board.colours[route.colour];
  let best = 0;
  lines.forEach((line, k) => {
    if (colour !== null && line.colour !== colour) return;
    line.spots.forEach((spot, j) => {
      if (spot <= value && !mat[k * width + j]) best = Math.max(best, spot);
    });
  });
  return best;
}

/** Whether so many cards lift the train on the mat above what one less would reach (KR-6). */
function raises(
  board: BoardFacts,
  view: View,
  seat: number,
  seats: number,
  route: RouteFacts,
  cards: number,
): boolean {
  const lines = (paramsOf(board, "province_mat")?.["lines"] ?? []) as MatLine[];
  const mat = field(view, "mat");
  const width = mat.length / Math.max(1, lines.length);
  const colour = route.colour === null ? null : board.colours[route.colour];
  const values = (paramsOf(board, "express_cards")?.["values"] ?? []) as number[];
  const held = ofSeat(view, "express", seat, seats);
  const boosts = [0, ...values.filter((_, k) => held[k])];
  return lines.some((line, k) => {
    if (colour !== null && line.colour !== colour) return false;
    const spot = (value: number): number =>
      Math.max(0, ...line.spots.filter((n, j) => n <= value && !mat[k * width + j]));
    return boosts.some((more) => spot(cards + more) > spot(cards - 1 + more));
  });
}

/**
 * How many cards of each kind may go into sets, beside x cards of a colour and y locomotives. The
 * same cards are offered once: locomotives pay for spaces first, and so does the first of several
 * colours on a gray route. In a tunnel the colour played matters, so that each is offered there.
 */
function roomFor(
  route: RouteFacts,
  wild: boolean,
  hand: number[],
  colour: number,
  x: number,
  y: number,
): number[] {
  const loco = hand.length - 1;
  return hand.map((n, kind) => {
    if (kind === loco) return !wild ? n : x > (route.tunnel ? 1 : 0) ? 0 : n - y;
    if (kind === colour) return n - x;
    const earlier = x > 0 && kind < colour && route.colour === null && !route.tunnel;
    return earlier ? Math.min(n, x - 1) : n;
  });
}

/** Every way to pay a route with one colour, or with locomotives and any cards alone. */
function costsIn(
  board: BoardFacts,
  view: View,
  seat: number,
  seats: number,
  route: RouteFacts,
  colour: number,
): Cost[] {
  const hand = field(view, "hand");
  const loco = locomotive(board);
  const wild = takesLocomotives(board, route);
  const locos = wild ? (hand[loco] ?? 0) : 0;
  const symbols = hasRule(board, "ferries") ? route.locomotives : 0;
  const trains = ofSeat(view, "trains", seat, seats)[0] ?? 0;
  const top = trains > route.length ? matSpot(board, view, route, Infinity) : 0;
  const most = Math.max(0, top - route.length);
  const have = colour === loco ? 0 : (hand[colour] ?? 0);
  const found: Cost[] = [];
  for (let extra = 0; extra <= most; extra++) {
    const need = route.length + extra;
    if (extra > 0 && !raises(board, view, seat, seats, route, need)) continue;
    for (let sets = 0; sets <= (route.set_size > 0 ? need : 0); sets++)
      for (let y = 0; y <= locos && y + sets <= need; y++) {
        const x = need - y - sets;
        const any = sets * route.set_size;
        if (x > have || (x === 0 && colour !== loco) || y + sets < symbols) continue;
        const room = roomFor(route, wild, hand, colour, x, y);
        if (sets > 0 && total(room) < any) continue;
        const cards = new Array<number>(loco + 1).fill(0);
        cards[loco] = y;
        if (x > 0) cards[colour] = x;
        found.push(sets > 0 ? { cards, extra, sets, any, room } : { cards, extra, sets, any });
      }
  }
  return found;
}

/** Every payment of a route that can be claimed now, the thriftiest first. */
export function paymentsOf(
  board: BoardFacts,
  view: View,
  seat: number,
  seats: number,
  offers: Offer[],
  route: number,
): Payment[] {
  const facts = board.route_list[route];
  if (!facts) return [];
  const hand = field(view, "hand");
  const loco = locomotive(board);
  const rank = (pay: Payment): number[] => [
    ...price(board, pay),
    -(hand[pay.claim.card ?? loco] ?? 0),
  ];
  return offers
    .filter((offer) => offer.do === "claim" && offer.route === route)
    .flatMap((claim) =>
      costsIn(board, view, seat, seats, facts, claim.card ?? loco).map((cost) => ({
        claim,
        ...cost,
      })),
    )
    .toSorted((a, b) => compare(rank(a), rank(b)));
}

/** The least that a seat could pay for a free route at its turn; undefined: it can't. */
export function costAtTurn(
  board: BoardFacts,
  view: View,
  seat: number,
  seats: number,
  route: number,
): Cost | undefined {
  const facts = board.route_list[route];
  const owner = field(view, "owner");
  const trains = ofSeat(view, "trains", seat, seats)[0] ?? 0;
  if (!facts || owner[route] !== FREE || trains < facts.length) return undefined;
  if (facts.twin !== null && owner[facts.twin] === seat + 1) return undefined;
  const colours = facts.colour === null ? board.colours.map((_, k) => k) : [facts.colour];
  return [...colours, locomotive(board)]
    .flatMap((colour) => costsIn(board, view, seat, seats, facts, colour))
    .toSorted((a, b) => compare(price(board, a), price(board, b)))[0];
}

/** Of payments in order, the first with each colour, number of extra cards, and with or without sets. */
export function thriftiestOfEach(pays: Payment[]): Payment[] {
  const seen = new Set<string>();
  return pays.filter((pay) => {
    const kind = `${pay.claim.action} ${pay.extra} ${pay.sets > 0}`;
    return !seen.has(kind) && seen.add(kind);
  });
}

/** The cards left for sets of any cards, when the rest of a payment has been laid down. */
export const leftFor = (hand: number[], pay: Payment): number[] =>
  hand.map((n, kind) => Math.min(n - (pay.cards[kind] ?? 0), pay.room?.[kind] ?? n));

/** Whether it is open which cards make up the sets. */
export function hasChoice(hand: number[], pay: Payment): boolean {
  const left = leftFor(hand, pay);
  return pay.any > 0 && total(left) > pay.any && left.filter((n) => n > 0).length > 1;
}

/** The cards that are missed the least: single ones first, locomotives last. */
export function spare(hand: number[], pay: Payment): number[] {
  const left = leftFor(hand, pay);
  const out = left.map(() => 0);
  const loco = left.length - 1;
  const order = left
    .map((n, kind) => ({ n, kind }))
    .toSorted((a, b) => Number(a.kind === loco) - Number(b.kind === loco) || a.n - b.n);
  let due = pay.any;
  for (const { n, kind } of order) {
    out[kind] = Math.min(n, due);
    due -= out[kind];
  }
  return out;
}

/** The offer that goes on with a payment; `whole` has the cards of its sets as well. */
export function nextStep(
  offers: Offer[],
  view: View,
  pay: Payment,
  whole: number[],
): Offer | undefined {
  const laid = field(view, "laid");
  const next = whole.findIndex((n, kind) => n > (laid[kind] ?? 0));
  return offers.find((offer) =>
    offer.do === "substitute"
      ? offer.card === next
      : offer.do === "pay" &&
        (offer.extra ?? 0) === pay.extra &&
        (offer.sets ?? 0) === pay.sets &&
        pay.cards.every((n, kind) => n === (offer.cards?.[kind] ?? 0)),
  );
}

/** The routes that can be claimed now. */
export function claimable(offers: Offer[]): Set<number> {
  return new Set(
    offers.flatMap((offer) =>
      offer.do === "claim" && offer.route !== undefined ? [offer.route] : [],
    ),
  );
}
