/** What moves on the table when an entry of the log is shown: from where to where, and when. */

import type { EntryInfo } from "$lib/api/messages";
import { value } from "$lib/game/events";
import { eventDisplay } from "$lib/rules/registry";
import type { Flight, FlightScene } from "$lib/rules/rule";

/** Points that rise from a seat. */
export interface Rise {
  seat: number;
  points: number;
}

/** More cards than these are not told apart in flight. */
const MOST = 8;

/**
 * Places are named: `deck`, `tickets`, `slot-2`, `above-2` (that slot), `hand-3` (own cards of a
 * kind), `seat-1`, `route-7`, or as a rule calls them. `shown` is what lay in the display before.
 */
export function flightsOf(
  entry: EntryInfo,
  me: number,
  shown: readonly (number | null)[] = [],
): { flights: Required<Flight>[]; rises: Rise[] } {
  const flights: Required<Flight>[] = [];
  const rises: Rise[] = [];
  const events = entry.events ?? [];
  const scene: FlightScene = {
    events,
    flights,
    display: [...shown],
    home: (seat, card) => (seat === me && card !== undefined ? `hand-${card}` : `seat-${seat}`),
  };
  for (const event of events) {
    for (const flight of eventDisplay(event.event).flights?.(event, scene) ?? [])
      if (flight.wait !== undefined || flights.length < MOST)
        flights.push({ wait: flights.length, ...flight });
    if (event.event === "RouteClaimed")
      rises.push({ seat: event.seat, points: value(event, "points") ?? 0 });
  }
  return { flights, rises };
}
