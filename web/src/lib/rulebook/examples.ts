/** Which rules have drawn examples: those of cards, routes and tickets, and what rules bring. */

import { RULES } from "$lib/rules/registry";
import type { Example, Track } from "./example";
import PointsExample from "./PointsExample.svelte";
import TicketExample from "./TicketExample.svelte";

const LONG: Track = { from: [20, 40], to: [180, 40], n: 3, colour: "blue" };
const FERRY: Track = { ...LONG, colour: "yellow", engines: 1 };

const claim: Example = { name: "claim", tracks: [LONG], cards: ["blue", "blue", "blue"] };
const gray: Example = {
  name: "gray",
  tracks: [{ from: [40, 40], to: [160, 40], n: 2, colour: "gray" }],
  cards: ["green", "green"],
};
const double: Example = {
  name: "double",
  tracks: [
    { ...LONG, owner: 0, beside: -10 },
    { ...LONG, colour: "green", faint: true, beside: 10 },
  ],
};
/** On boards that close the second route for two players only. */
const doubleForTwo: Example = { ...double, name: "double_two" };
const points: Example = {
  name: "points",
  chart: true,
  after: { component: PointsExample, props: {} },
};
const ticket: Example = {
  name: "ticket",
  tracks: [
    { from: [20, 60], to: [75, 20], n: 1, colour: "red", owner: 0 },
    { from: [75, 20], to: [135, 55], n: 1, colour: "blue", owner: 0 },
    { from: [135, 55], to: [185, 20], n: 1, colour: "blue", owner: 0 },
  ],
  picture: TicketExample,
};
const ferry: Example = {
  name: "ferry",
  tracks: [FERRY],
  cards: ["locomotive", "yellow", "yellow"],
};
const sets: Example = {
  name: "sets",
  cards: [
    ...["green", "green", "green", "green", "green", "green", "green", "+"],
    ...["red", "red", "blue", "yellow", "+", "blue", "blue", "yellow", "locomotive"],
  ],
};

const COMMON: Record<string, Example[]> = {
  "BASE-4": [{ name: "engine", cards: ["locomotive"] }],
  "BASE-5": [{ name: "reset", cards: ["locomotive", "blue", "locomotive", "locomotive", "green"] }],
  "BASE-7": [claim, gray],
  "BASE-8": [double],
  "BASE-11": [points, ticket],
  "IB-8": [ferry],
  "NY-4": [doubleForTwo],
  "NO-2": [{ name: "engines", cards: ["locomotive", "locomotive"] }],
  "NO-3": [{ ...claim, name: "plain" }],
  "NO-4": [
    ferry,
    { name: "substitute", tracks: [FERRY], cards: ["red", "green", "green", "yellow", "yellow"] },
  ],
  "NO-6": [sets],
  "NO-7": [doubleForTwo],
  "EU-1": [ferry],
};

/** By the ids of rules. */
export const EXAMPLES: Record<string, Example[]> = {};
for (const part of [COMMON, ...RULES.map(({ examples }) => examples ?? {})])
  for (const [id, list] of Object.entries(part)) EXAMPLES[id] = [...(EXAMPLES[id] ?? []), ...list];
