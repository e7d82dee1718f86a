/** What moves on the table when an entry of the log is shown: from where to where, and when. */

import type { EntryInfo } from "$lib/api/messages";
import { value, values } from "./news";

/**
 * Places are named: `deck`, `tickets`, `slot-2`, `above-2` (that slot), `hand-3` (own cards of a kind),
 * `seat-1`, `route-7`, `festival-0`, `mat-4-2`.
 */
export interface Flight {
  from: string;
  to: string;
  /** A card by kind (null: face down), a ticket, a festival card, a train of a seat. */
  what: { card: number | null } | { ticket: true } | { festival: true } | { train: number };
  /** In steps after the first. */
  wait: number;
}

/** Points that rise from a seat. */
export interface Rise {
  seat: number;
  points: number;
}

/** More cards than these are not told apart in flight. */
const MOST = 8;
/** Steps for which one sees what is swept away. */
const SWEPT = 6;

/** `shown` is what lay in the display before. */
export function flightsOf(
  entry: EntryInfo,
  me: number,
  shown: readonly (number | null)[] = [],
): { flights: Flight[]; rises: Rise[] } {
  let slots = [...shown];
  const flights: Flight[] = [];
  const rises: Rise[] = [];
  const events = entry.events ?? [];
  const target = events.find((event) => ["RouteClaimed", "TunnelTried"].includes(event.event));
  const route = target ? value(target, "route") : undefined;
  const paid = events.some((event) => event.event === "TunnelTried");
  const home = (seat: number, card?: number): string =>
    seat === me && card !== undefined ? `hand-${card}` : `seat-${seat}`;
  const add = (from: string, to: string, what: Flight["what"]): void => {
    if (flights.length < MOST) flights.push({ from, to, what, wait: flights.length });
  };
  for (const event of events) {
    const { seat } = event;
    const card = value(event, "card");
    switch (event.event) {
      case "CardDrawn":
        add("deck", home(seat, card), { card: card ?? null });
        break;
      case "CardTaken":
        add(`slot-${value(event, "slot")}`, home(seat, card), { card: card ?? null });
        slots[value(event, "slot") ?? 0] = null;
        break;
      case "DisplayFilled":
        slots[value(event, "slot") ?? 0] = card ?? null;
        break;
      case "DisplayReset":
        for (const [k, kind] of slots.entries())
          if (kind !== null)
            flights.push({
              from: `slot-${k}`,
              to: `above-${k}`,
              what: { card: kind },
              wait: SWEPT,
            });
        slots = [];
        break;
      case "TunnelTried":
      case "CardsPlayed":
        if (route === undefined || (paid && event.event === "CardsPlayed")) break;
        values(event, "cards").forEach((n, kind) => {
          for (let k = 0; k < n; k++) add(home(seat, kind), `route-${route}`, { card: kind });
        });
        break;
      case "RouteClaimed":
        rises.push({ seat, points: value(event, "points") ?? 0 });
        break;
      case "TicketsKept":
        for (let k = 0; k < (value(event, "kept") ?? 0); k++)
          add("tickets", `seat-${seat}`, { ticket: true });
        break;
      case "FestivalCardPlaced":
        add("deck", `festival-${value(event, "festival")}`, { festival: true });
        break;
      case "FestivalTaken":
        for (let k = 0; k < (value(event, "cards") ?? 1); k++)
          add(`festival-${value(event, "festival")}`, `seat-${seat}`, { festival: true });
        break;
      case "TrainPlacedOnMat":
        add(`seat-${seat}`, `mat-${value(event, "line")}-${value(event, "spot")}`, { train: seat });
        break;
    }
  }
  return { flights, rises };
}
