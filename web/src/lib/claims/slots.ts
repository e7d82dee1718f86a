/**
 * A payment as slots: what a touch of a card or of a slot makes of it. Pure.
 *
 * The ways to pay are the server's. A touch goes from one of them to another, so that whatever the
 * slots show can be paid; every way can be reached by touches.
 */

import type { WayInfo } from "$lib/api/messages";
import { total } from "$lib/game/view";

/** Cards that pay for something: a way to pay for a route, or an offer that takes cards. */
export type Way = Pick<WayInfo, "cards"> &
  Partial<Pick<WayInfo, "card" | "sets" | "set_size" | "extra" | "room">>;

/** A way with the cards of its sets: a kind for each of their slots. */
export interface Paid<W extends Way = Way> {
  way: W;
  any: readonly number[];
}

export interface Slot {
  kind: number;
  /** The place among the cards of the sets; -1: not in a set. */
  at: number;
}

/** How many cards of any kind a way takes for its sets. */
export const anyCards = ({ sets = 0, set_size = 0 }: Way): number => sets * set_size;

/** Whether two ways take the same cards. */
export const same = (a: Way, b: Way): boolean =>
  (a.sets ?? 0) === (b.sets ?? 0) && a.cards.every((n, kind) => n === b.cards[kind]);

const count = (list: readonly number[], kind: number): number =>
  list.reduce((n, one) => n + Number(one === kind), 0);

/** The cards left for sets of any cards, when the rest of a payment has been laid down. */
export const leftFor = (hand: number[], way: Way): number[] =>
  hand.map((n, kind) => Math.min(n - (way.cards[kind] ?? 0), way.room?.[kind] ?? n));

/** The cards that are missed the least, by kind: single ones first, locomotives last. */
export function spare(hand: number[], way: Way): number[] {
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

/** Whether it is open which cards make up the sets. */
export function hasChoice(hand: number[], way: Way): boolean {
  const left = leftFor(hand, way);
  const any = anyCards(way);
  return any > 0 && total(left) > any && left.filter((n) => n > 0).length > 1;
}

/** A way with cards in its sets: those that were there before, if they still may be. */
export function fill<W extends Way>(
  hand: number[],
  way: W,
  before: readonly number[] = [],
): Paid<W> {
  const left = leftFor(hand, way);
  const fits = before.length === anyCards(way) && left.every((n, kind) => count(before, kind) <= n);
  const any = fits
    ? before
    : spare(hand, way).flatMap((n, kind) => new Array<number>(n).fill(kind));
  return { way, any };
}

/**
 * The payment that a claim begins with. The server's order puts the thriftiest first: no card
 * beyond need, no sets, few locomotives, then the colour of which there is most. Among equally
 * thrifty ones a colour comes first that the reader's tickets don't need.
 */
export function best<W extends Way>(
  ways: readonly W[],
  needed: ReadonlySet<number>,
): W | undefined {
  const [first] = ways;
  if (!first) return undefined;
  const loco = first.cards.length - 1;
  const price = ({ cards, sets = 0, extra = 0 }: W): string =>
    [extra, sets, cards[loco], total(cards)].join();
  const equal = ways.filter((way) => price(way) === price(first));
  return equal.find(({ card = loco }) => !needed.has(card)) ?? first;
}

/** The slots from left to right: the colour, locomotives, sets. */
export function slotsOf({ way, any }: Paid): Slot[] {
  const plain = way.cards.flatMap((n, kind) => new Array<Slot>(n).fill({ kind, at: -1 }));
  return [...plain, ...any.map((kind, at) => ({ kind, at }))];
}

/** All cards of a payment, by kind. */
export const cardsOf = ({ way, any }: Paid): number[] =>
  way.cards.map((n, kind) => n + count(any, kind));

/** The way with just so many more cards of some kinds, and so many more sets. */
function step<W extends Way>(
  ways: readonly W[],
  from: W,
  more: Record<number, number>,
  sets = 0,
): W | undefined {
  return ways.find(
    (way) =>
      (way.sets ?? 0) === (from.sets ?? 0) + sets &&
      way.cards.every((n, kind) => n === (from.cards[kind] ?? 0) + (more[kind] ?? 0)),
  );
}

/** Of some ways the one in which the fewest cards are others; of equal ones the thriftiest. */
function nearest<W extends Way>(ways: readonly W[], from: W): W | undefined {
  const far = (way: W): number =>
    way.cards.reduce((sum, n, kind) => sum + Math.abs(n - (from.cards[kind] ?? 0)), 0) +
    Math.abs(anyCards(way) - anyCards(from));
  return ways.toSorted((a, b) => far(a) - far(b))[0];
}

/** A card of the hand is touched: it goes in, if it can. */
export function put<W extends Way>(
  ways: readonly W[],
  hand: number[],
  { way, any }: Paid<W>,
  kind: number,
): Paid<W> | null {
  const one = step(ways, way, { [kind]: 1 }) ?? step(ways, way, { [kind]: 1 }, -1);
  if (one) return fill(hand, one, any);
  const old = any.findIndex((other) => other !== kind);
  if (old >= 0 && count(any, kind) < (leftFor(hand, way)[kind] ?? 0))
    return { way, any: [...any.filter((_, k) => k !== old), kind] };
  const more = ways.filter(({ cards }) => (cards[kind] ?? 0) > (way.cards[kind] ?? 0));
  const to = nearest(more, way);
  return to ? fill(hand, to, any) : null;
}

/** A slot is touched: its card goes out, if there are enough, or is swapped for another. */
export function swap<W extends Way>(
  ways: readonly W[],
  hand: number[],
  { way, any }: Paid<W>,
  { kind, at }: Slot,
): Paid<W> | null {
  if (at >= 0) return swapInSet(hand, { way, any }, at);
  const loco = way.cards.length - 1;
  const out = step(ways, way, { [kind]: -1 });
  const wild = kind === loco ? undefined : step(ways, way, { [kind]: -1, [loco]: 1 });
  const set = step(ways, way, { [kind]: -1 }, 1);
  const fewer = ways.filter(({ cards }) => (cards[kind] ?? 0) < (way.cards[kind] ?? 0));
  const to = out ?? wild ?? set ?? nearest(fewer, way);
  return to ? fill(hand, to, any) : null;
}

/** The next kind of card that may take a place in a set. */
function swapInSet<W extends Way>(
  hand: number[],
  { way, any }: Paid<W>,
  at: number,
): Paid<W> | null {
  const left = leftFor(hand, way);
  const now = any[at] ?? 0;
  for (let k = 1; k < left.length; k++) {
    const kind = (now + k) % left.length;
    if (count(any, kind) < (left[kind] ?? 0)) return { way, any: any.with(at, kind) };
  }
  return null;
}

/** A whole set is touched: a single card pays for its space, if there is one. */
export function swapSet<W extends Way>(
  ways: readonly W[],
  hand: number[],
  { way, any }: Paid<W>,
): Paid<W> | null {
  const to = nearest(
    ways.filter(({ sets = 0 }) => sets < (way.sets ?? 0)),
    way,
  );
  return to ? fill(hand, to, any) : null;
}

/** What there is for a route that can't be paid: cards of a kind that would do, and the gap. */
export function partial(
  hand: number[],
  {
    length,
    locomotives,
    colour = null,
  }: { length: number; locomotives: number; colour?: number | null },
  missing: { cards: number; kinds: number[] },
  loco: number,
): { cards: number[]; missing: number; kind: number } {
  const held = (kind: number): number => (kind === loco ? -1 : (hand[kind] ?? 0));
  const most = (kinds: number[]): number => kinds.toSorted((a, b) => held(b) - held(a))[0] ?? loco;
  const kind = most(missing.kinds);
  // Where only locomotives are missing, the other spaces have the colour of which there is most.
  const plain = kind === loco ? (colour ?? most([...hand.keys()])) : kind;
  const there = Math.max(0, length - missing.cards);
  const cards = hand.map(() => 0);
  cards[plain] = Math.min(hand[plain] ?? 0, there, length - locomotives);
  cards[loco] = Math.min(hand[loco] ?? 0, there - (cards[plain] ?? 0));
  return { cards, missing: length - total(cards), kind };
}
