import { expect, test } from "vitest";
import type { EntryInfo, Offer } from "../src/lib/api/messages";
import { movesOf, scriptedMove, type Scene } from "../src/lib/guide/moves";
import { board } from "./board";

let action = 0;
const offer = (kind: string, more: Partial<Offer> = {}): Offer => ({
  ...{ action: action++, do: kind, notation: "", text: "" },
  ...more,
});
const scene = (more: Partial<Scene>): Scene => ({
  ...{ board, offers: [], owner: [0, 0, 0, 0, 0, 0], me: 0, trains: 12, hand: [0, 0, 0] },
  ...{
    helpful: new Map([
      [3, [0]],
      [4, [1]],
    ]),
    made: 1,
  },
  ...more,
});
const both = offer("keep", { tickets: [0, 1] });
const first = offer("keep", { tickets: [0] });
const keeps = [both, first, offer("keep", { tickets: [1] })];

test("the tickets with the most points are kept if they leave trains to spare", () => {
  const choice = (trains: number) => scriptedMove(scene({ offers: keeps, made: 0, trains }))?.offer;
  expect(choice(12)).toBe(both);
  expect(choice(5)).toBe(first);
  expect(choice(3)).toBe(first);
});

test("a face-up card is taken for the route on the way that misses least", () => {
  const [red, blue] = [offer("take", { card: 0 }), offer("take", { card: 1 })];
  const offers = [offer("take", { card: 2 }), blue, red, offer("draw")];
  expect(scriptedMove(scene({ offers }))).toMatchObject({ offer: red, route: 4 });
  expect(scriptedMove(scene({ offers, hand: [1, 1, 0] }))).toMatchObject({ offer: blue, route: 3 });
});

test("without a card that helps it is the deck; a locomotive is not taken face up", () => {
  const [loco, deck] = [offer("take", { card: 2 }), offer("draw")];
  const helpful = new Map([[2, [0]]]); // gray: any card would do
  expect(scriptedMove(scene({ offers: [loco, deck], helpful }))?.offer).toBe(deck);
});

test("after the first cards the longest route on the way is claimed", () => {
  const claims = [2, 4, 3].map((route) => offer("claim", { route, card: 1 }));
  const offers = [...claims, offer("draw")];
  expect(scriptedMove(scene({ offers, made: 3 }))).toMatchObject({ offer: claims[2], route: 3 });
  expect(scriptedMove(scene({ offers, made: 1 }))?.offer.do).toBe("draw");
});

test("after five moves the reader is free", () => {
  expect(scriptedMove(scene({ offers: [offer("draw")], made: 4 }))).not.toBeNull();
  expect(scriptedMove(scene({ offers: [offer("draw")], made: 5 }))).toBeNull();
});

test("moves are counted by what they came to, without those taken back", () => {
  const began: EntryInfo = { number: 1, at: 0, kind: "began" };
  const moved = (number: number, seat: number, ...names: string[]): EntryInfo => ({
    ...{ number, at: 0, kind: "moved", seat },
    events: names.map((event) => ({ event, seat, text: "" })),
  });
  const entries = [
    began,
    moved(2, 0, "TicketsKept"),
    moved(3, 1, "TicketsKept"),
    moved(4, 0, "CardTaken"),
    moved(5, 0, "PaymentChosen"),
    moved(6, 0, "RouteClaimed"),
  ];
  expect(movesOf(entries, 0)).toBe(3);
  expect(movesOf([...entries, { number: 7, at: 0, kind: "taken_back", to: 6 }], 0)).toBe(2);
  expect(movesOf(entries.slice(1), 0)).toBe(5);
});
