/** The festivals of a board: their cities, their cards, what these are worth now. Pure. */

import type { Drawing } from "$lib/api/drawing";
import { paramsOf, type BoardFacts } from "$lib/api/facts";
import { field, ofSeat, type View } from "$lib/game/view";
import type { Offer } from "$lib/api/messages";
import { cityName } from "../lookup";
import type { Situation } from "../rule";

export interface FestivalSet {
  id: string;
  cities: string[];
  /** The points for one card, two cards, and so on. */
  scores: number[];
}

export const festivalSets = (board: BoardFacts): FestivalSet[] =>
  (paramsOf(board, "festivals")?.["sets"] ?? []) as FestivalSet[];

/** The name of a festival: its cities. */
export const festivalName = (board: BoardFacts, set: number): string =>
  (festivalSets(board)[set]?.cities ?? []).map((id) => cityName(board, id)).join("/");

/** The place of a festival's pile: as drawn, or beside its cities. */
export function pilePlace(drawing: Drawing, set: FestivalSet): { x: number; y: number } {
  const place = drawing.places?.find((p) => p.rule === "festivals" && p.id === set.id);
  if (place) return { x: place.x, y: place.y };
  const at = set.cities.map((id) => drawing.cities[id]).filter((c) => c !== undefined);
  const n = Math.max(1, at.length);
  return {
    x: at.reduce((sum, c) => sum + c.x, 0) / n + 18,
    y: at.reduce((sum, c) => sum + c.y, 0) / n - 20,
  };
}

export interface FestivalWorth {
  /** The number of the set. */
  set: number;
  name: string;
  scores: number[];
  mine: number;
  now: number;
  /** The cards that lie at the city, and the points with them. */
  lying: number;
  then: number;
}

/** Every festival; a seat of -1 has no cards. */
export function festivalWorths(
  board: BoardFacts,
  view: View,
  seat: number,
  seats: number,
): FestivalWorth[] {
  const own = seat < 0 ? [] : ofSeat(view, "festival_cards", seat, seats);
  const piles = field(view, "festival_piles");
  return festivalSets(board).map(({ scores }, set) => {
    const worth = (cards: number): number => scores[cards - 1] ?? 0;
    const [mine, lying] = [own[set] ?? 0, piles[set] ?? 0];
    return {
      ...{ set, name: festivalName(board, set), scores, mine, lying },
      now: worth(mine),
      then: worth(mine + lying),
    };
  });
}

/** An action that takes a festival's cards. */
export interface FestivalOffer extends Offer {
  festival?: number;
}

/** The cards that an offer takes, and the points that they add. */
export function gainOf(
  { board, view, me, seats }: Situation,
  { festival = -1 }: FestivalOffer,
): { name: string; cards: number; gain: number } {
  const {
    name = "",
    lying = 0,
    now = 0,
    then = 0,
  } = festivalWorths(board, view, me, seats.length)[festival] ?? {};
  return { name, cards: lying, gain: then - now };
}

/** The offer that adds the most. */
export const bestFestival = (offers: Offer[], situation: Situation): Offer | undefined =>
  offers.toSorted((a, b) => gainOf(situation, b).gain - gainOf(situation, a).gain)[0];
