import { expect, test } from "vitest";
import type { EntryInfo, EventInfo } from "../src/lib/api/messages";
import { flightsOf } from "../src/lib/flights/flights";

const told = (event: string, seat: number, values: Record<string, unknown> = {}): EventInfo => ({
  event,
  seat,
  text: "",
  values,
});
const entry = (...events: EventInfo[]): EntryInfo => ({ number: 1, at: 0, kind: "moved", events });
const ways = (news: EntryInfo, me: number): string[] =>
  flightsOf(news, me).flights.map(({ from, to }) => `${from} ${to}`);

test("own cards fly to the hand, those of others to their seats, face down if unknown", () => {
  expect(ways(entry(told("CardDrawn", 0, { card: 3 })), 0)).toEqual(["deck hand-3"]);
  const other = entry(told("CardDrawn", 1));
  expect(ways(other, 0)).toEqual(["deck seat-1"]);
  expect(flightsOf(other, 0).flights[0]?.what).toEqual({ card: null });
  expect(ways(entry(told("CardTaken", 1, { slot: 2, card: 0 })), 0)).toEqual(["slot-2 seat-1"]);
});

test("the cards of a claim fly to its route, and its points rise", () => {
  const news = entry(
    told("CardsPlayed", 1, { cards: [2, 0, 1] }),
    told("RouteClaimed", 1, { route: 7, points: 4 }),
  );
  expect(ways(news, 0)).toEqual(["seat-1 route-7", "seat-1 route-7", "seat-1 route-7"]);
  expect(flightsOf(news, 0).rises).toEqual([{ seat: 1, points: 4 }]);
});

test("the cards of a tunnel fly once", () => {
  const news = entry(
    told("TunnelTried", 0, { route: 7, cards: [2, 0, 0] }),
    told("TunnelCardTurnedUp", -1, { card: 1 }),
    told("CardsPlayed", 0, { cards: [2, 0, 0] }),
    told("RouteClaimed", 0, { route: 7, points: 2 }),
  );
  expect(ways(news, 0)).toEqual(["hand-0 route-7", "hand-0 route-7"]);
});

test("festival cards and trains find their places", () => {
  const news = entry(
    told("FestivalCardPlaced", -1, { festival: 2 }),
    told("FestivalTaken", 1, { festival: 2, cards: 2 }),
    told("TrainPlacedOnMat", 1, { line: 4, spot: 3, value: 4 }),
  );
  expect(ways(news, 0)).toEqual([
    "deck festival-2",
    "festival-2 seat-1",
    "festival-2 seat-1",
    "seat-1 mat-4-3",
  ]);
});

test("a display that is replaced is swept away as it lay there at last", () => {
  const news = entry(
    told("CardTaken", 1, { slot: 2, card: 0 }),
    told("DisplayFilled", -1, { slot: 2, card: 9 }),
    told("DisplayReset", -1),
    ...[1, 2, 3, 4].map((card, slot) => told("DisplayFilled", -1, { slot, card })),
  );
  const { flights } = flightsOf(news, 0, [9, 9, 0, 5, null]);
  expect(flights.map(({ from, to, what }) => [from, to, what])).toEqual([
    ["slot-2", "seat-1", { card: 0 }],
    ["slot-0", "above-0", { card: 9 }],
    ["slot-1", "above-1", { card: 9 }],
    ["slot-2", "above-2", { card: 9 }],
    ["slot-3", "above-3", { card: 5 }],
  ]);
});
