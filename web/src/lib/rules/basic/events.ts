/** How the events of every board are shown. */

import { value, values } from "$lib/game/events";
import { PATHS } from "$lib/parts/icons";
import { CARD, KEPT, LAST_ROUND, WAGON } from "$lib/sound/sounds";
import { transposed } from "$lib/sound/sound";
import type { EventDisplay, Flight, Piece } from "../rule";

const TICKET: Piece = {
  icon: PATHS.ticket,
  size: 22,
  width: 34,
  height: 46,
  fill: "#f1e3bd",
  ink: "#8b4a12",
  edge: "#8b7437",
};

/** Steps for which one sees what is swept away. */
const SWEPT = 6;

/** When the first wagon touches the board, and how long after it the next, in milliseconds. */
const LAID_FIRST = 560;
const LAID_STEP = 110;

export const events: Record<string, EventDisplay> = {
  RouteClaimed: {
    beat: 1100,
    route: true,
    /** One wagon after the other, as the board lays them; the first is the heaviest. */
    sounds: (event, { board }) =>
      Array.from({ length: board.route_list[value(event, "route") ?? -1]?.length ?? 1 }, (_, k) => [
        transposed(WAGON, k),
        LAID_FIRST + k * LAID_STEP,
      ]),
  },
  RouteClosed: { minor: true },
  TurnsLeft: { minor: true },
  CardTaken: {
    beat: 500,
    sounds: () => [[CARD, 0]],
    flights(event, { home, display }) {
      const [card, slot] = [value(event, "card"), value(event, "slot") ?? 0];
      display[slot] = null;
      return [{ from: `slot-${slot}`, to: home(event.seat, card), what: { card: card ?? null } }];
    },
  },
  CardDrawn: {
    beat: 400,
    sounds: () => [[transposed(CARD, -3), 0]],
    surprise: true,
    flights(event, { home }) {
      const card = value(event, "card");
      return [{ from: "deck", to: home(event.seat, card), what: { card: card ?? null } }];
    },
  },
  DisplayFilled: {
    flights(event, { display }) {
      display[value(event, "slot") ?? 0] = value(event, "card") ?? null;
      return [];
    },
  },
  DisplayReset: {
    beat: 1100,
    surprise: true,
    flights: (_, { display }) =>
      display
        .splice(0)
        .flatMap((card, k): Flight[] =>
          card === null
            ? []
            : [{ from: `slot-${k}`, to: `above-${k}`, what: { card }, wait: SWEPT }],
        ),
  },
  CardsPlayed: {
    /** To the route that is claimed with them, unless they lie there already. */
    flights(event, { events, flights, home }) {
      const claimed = events.find(({ event: name }) => name === "RouteClaimed");
      const to = `route-${claimed ? value(claimed, "route") : ""}`;
      if (!claimed || flights.some((flight) => flight.to === to)) return [];
      return cardsTo(to, values(event, "cards"), (kind) => home(event.seat, kind));
    },
  },
  TicketsKept: {
    beat: 500,
    sounds: () => [[KEPT, 0]],
    flights: (event) =>
      Array.from({ length: value(event, "kept") ?? 0 }, () => ({
        from: "tickets",
        to: `seat-${event.seat}`,
        what: { piece: TICKET },
      })),
  },
  LastRoundBegan: { beat: 1600, surprise: true, sounds: () => [[LAST_ROUND, 0]] },
};

/** So many cards of each kind, on their way to one place. */
export const cardsTo = (to: string, counts: number[], from: (kind: number) => string): Flight[] =>
  counts.flatMap((n, card) =>
    Array.from({ length: n }, () => ({ from: from(card), to, what: { card } })),
  );
