/** What routes join: own networks, tickets, and the shortest way that is left. */

import type { BoardFacts, RouteFacts } from "$lib/api/facts";
import { CLOSED, FREE } from "./view";

/** Cities that are joined have the same root. */
export class Union {
  readonly #parent: number[];

  constructor(size: number) {
    this.#parent = Array.from({ length: size }, (_, k) => k);
  }

  root(k: number): number {
    let at = k;
    for (;;) {
      const up = this.#parent[at] ?? at;
      if (up === at) return at;
      this.#parent[at] = this.#parent[up] ?? up;
      at = up;
    }
  }

  join(a: number, b: number): void {
    this.#parent[this.root(a)] = this.root(b);
  }

  joined(a: number, b: number): boolean {
    return this.root(a) === this.root(b);
  }
}

/** The network of a seat's own routes. */
export function networkOf(board: BoardFacts, owner: number[], seat: number): Union {
  const union = new Union(board.city_list.length);
  board.route_list.forEach((route, k) => {
    if (owner[k] === seat + 1) union.join(route.a, route.b);
  });
  return union;
}

export interface Way {
  /** The free routes that are still to be claimed. */
  routes: number[];
  /** The seat's own routes on the way. */
  own: number[];
  trains: number;
}

/** A card that is missing weighs less than a train, however many of them a way lacks. */
const CARD = 1 / 1024;

/** How many cards a route takes that are not in the hand. */
function missing({ colour, length, locomotives }: RouteFacts, hand: readonly number[]): number {
  const lack = (n: number, has: number): number => Math.max(0, n - has);
  const held = colour === null ? Math.max(0, ...hand.slice(0, -1)) : (hand[colour] ?? 0);
  return lack(length - locomotives, held) + lack(locomotives, hand.at(-1) ?? 0);
}

/**
 * The way between two cities that needs the fewest trains, and of several the one that the hand lacks
 * the fewest cards for; null: there is none any more.
 */
export function shortestWay(
  board: BoardFacts,
  owner: number[],
  seat: number,
  from: number,
  to: number,
  hand: readonly number[] = [],
): Way | null {
  const best = new Array<number>(board.city_list.length).fill(Infinity);
  const through = new Array<number>(board.city_list.length).fill(-1);
  const done = new Set<number>();
  best[from] = 0;
  const touching: number[][] = board.city_list.map(() => []);
  board.route_list.forEach((route, k) => {
    const usable = owner[k] === seat + 1 || (owner[k] === FREE && !ownsTwin(board, owner, seat, k));
    if (!usable) return;
    touching[route.a]?.push(k);
    touching[route.b]?.push(k);
  });
  for (;;) {
    let at = -1;
    best.forEach((d, city) => {
      if (!done.has(city) && d < Infinity && (at < 0 || d < (best[at] ?? Infinity))) at = city;
    });
    if (at < 0) return null;
    if (at === to) break;
    done.add(at);
    for (const k of touching[at] ?? []) {
      const route = board.route_list[k];
      if (!route) continue;
      const other = route.a === at ? route.b : route.a;
      const cost = owner[k] === FREE ? route.length + CARD * missing(route, hand) : 0;
      const d = (best[at] ?? 0) + cost;
      if (d < (best[other] ?? Infinity)) {
        best[other] = d;
        through[other] = k;
      }
    }
  }
  const way: Way = { routes: [], own: [], trains: Math.floor(best[to] ?? 0) };
  for (let at = to; at !== from;) {
    const k = through[at] ?? -1;
    const route = board.route_list[k];
    if (!route) break;
    (owner[k] === FREE ? way.routes : way.own).push(k);
    at = route.a === at ? route.b : route.a;
  }
  return way;
}

function ownsTwin(board: BoardFacts, owner: number[], seat: number, route: number): boolean {
  const twin = board.route_list[route]?.twin ?? -1;
  return twin >= 0 && owner[twin] === seat + 1;
}

/** The routes of a seat that join two cities, a shortest chain of them; empty: they are apart. */
export function chain(
  board: BoardFacts,
  owner: number[],
  seat: number,
  a: number,
  b: number,
): number[] {
  const mine = owner.map((o) => (o === seat + 1 ? FREE : CLOSED));
  return shortestWay(board, mine, seat, a, b)?.routes ?? [];
}

export interface TicketState {
  ticket: number;
  done: boolean;
  /** Not by own routes alone, but with what a rule lends. */
  lent?: boolean;
  way: Way | null;
  /** More trains than the seat has left. */
  beyond: boolean;
}

/** How a ticket stands for a seat with so many trains left, and with these cards, if it shows them. */
export function ticketState(
  board: BoardFacts,
  owner: number[],
  seat: number,
  trains: number,
  ticket: number,
  hand: readonly number[] = [],
): TicketState {
  const { a, b } = board.ticket_list[ticket] ?? { a: 0, b: 0 };
  const done = networkOf(board, owner, seat).joined(a, b);
  const way = shortestWay(board, owner, seat, a, b, hand);
  return { ticket, done, way, beyond: !done && (way === null || way.trains > trains) };
}
