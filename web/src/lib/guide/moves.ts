/** The first moves of the guided game, chosen from what is offered. Pure. */

import type { BoardFacts } from "$lib/api/facts";
import { locomotive } from "$lib/api/facts";
import type { EntryInfo, Offer } from "$lib/api/messages";
import { standing } from "$lib/game/fold";
import { shortestWay } from "$lib/game/network";

/** How many moves are named, and how many of them come before the first claim. */
export const MOVES = 5;
const FIRST_CLAIM = 3;

/** Tickets should leave a beginner a third of the trains for detours. */
const SPARE = 1 / 3;

/** What the choice of a move rests on. */
export interface Scene {
  board: BoardFacts;
  offers: readonly Offer[];
  owner: number[];
  me: number;
  trains: number;
  hand: number[];
  /** The free routes on the ways of open tickets, each with those tickets. */
  helpful: ReadonlyMap<number, readonly number[]>;
  /** How many moves the reader has made. */
  made: number;
}

/** A move to make, and the route that it is for; -1: none in particular. */
export interface Move {
  offer: Offer;
  route: number;
}

/** Events that end a move of the reader. */
const MADE = ["TicketsKept", "CardTaken", "CardDrawn", "RouteClaimed"];

/** How many moves a seat has made since the game began; all, if its beginning is not known. */
export function movesOf(entries: EntryInfo[], seat: number): number {
  if (!entries.some(({ kind }) => kind === "began")) return MOVES;
  return standing(entries)
    .filter((entry) => entry.kind === "moved" && entry.seat === seat)
    .flatMap(({ events = [] }) => events)
    .filter((event) => event.seat === seat && MADE.includes(event.event)).length;
}

/** The move that the guide names; null: the reader is free. */
export function scriptedMove(scene: Scene): Move | null {
  if (scene.made >= MOVES) return null;
  return keep(scene) ?? claim(scene) ?? take(scene) ?? draw(scene);
}

/** The tickets with the most points that can be joined with trains to spare, else the nearest. */
function keep({ board, offers, owner, me, trains }: Scene): Move | null {
  const choices = offers.flatMap((offer) => {
    if (offer.do !== "keep") return [];
    const kept = (offer.tickets ?? []).flatMap((k) => board.ticket_list[k] ?? []);
    const ways = kept.map(({ a, b }) => shortestWay(board, owner, me, a, b)?.routes ?? []);
    const needed = [...new Set(ways.flat())].reduce(
      (sum, k) => sum + (board.route_list[k]?.length ?? 0),
      0,
    );
    return { offer, needed, points: kept.reduce((sum, { points }) => sum + points, 0) };
  });
  const near = choices.filter(({ needed }) => needed <= trains * (1 - SPARE));
  const [first] =
    near.length > 0
      ? near.toSorted((a, b) => b.points - a.points)
      : choices.toSorted((a, b) => a.needed - b.needed);
  return first ? { offer: first.offer, route: -1 } : null;
}

/** The longest route on the reader's way that can be paid for, once cards have been drawn. */
function claim({ board, offers, helpful, made }: Scene): Move | null {
  if (made < FIRST_CLAIM) return null;
  const length = ({ route = -1 }: Offer): number => board.route_list[route]?.length ?? 0;
  const [offer] = offers
    .filter(({ do: kind, route = -1 }) => kind === "claim" && helpful.has(route))
    .toSorted((a, b) => length(b) - length(a));
  return offer ? { offer, route: offer.route ?? -1 } : null;
}

/** The face-up card that brings a route on the way nearest; a locomotive would be a whole turn. */
function take({ board, offers, hand, helpful }: Scene): Move | null {
  const wild = locomotive(board);
  const found = offers.flatMap((offer) => {
    const { card = wild } = offer;
    if (offer.do !== "take" || card === wild) return [];
    return [...helpful.keys()].flatMap((route) => {
      const { colour = null, length = 0 } = board.route_list[route] ?? {};
      const missing = length - (hand[card] ?? 0) - (hand[wild] ?? 0);
      if (missing <= 0 || (colour !== null && colour !== card)) return [];
      return { offer, route, missing, gray: Number(colour === null) };
    });
  });
  return found.toSorted((a, b) => a.missing - b.missing || a.gray - b.gray)[0] ?? null;
}

function draw({ offers }: Scene): Move | null {
  const offer = offers.find(({ do: kind }) => kind === "draw");
  return offer ? { offer, route: -1 } : null;
}
