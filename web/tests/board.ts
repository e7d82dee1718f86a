/** A small board for tests: a square of cities with a diagonal, one pair, one ferry. */

import type { BoardFacts, RouteFacts } from "../src/lib/api/facts";

const route = (
  a: number,
  b: number,
  length: number,
  colour: number | null,
  more: Partial<RouteFacts> = {},
): RouteFacts => ({
  id: `${a}-${b}`,
  name: `${a}–${b}`,
  track: `${a}–${b}`,
  a,
  b,
  length,
  colour,
  locomotives: 0,
  tunnel: false,
  any_cards: 0,
  wild: true,
  set_size: 0,
  twin: null,
  points: length,
  facts: "",
  ...more,
});

export const board: BoardFacts = {
  id: "small",
  digest: "",
  name: "Small",
  seats: [2, 3],
  trains: 12,
  cities: 4,
  routes: 6,
  tickets: 2,
  rules: ["claim_routes"],
  special: [],
  provenance: [],
  colours: ["red", "blue"],
  phases: ["turn", "over"],
  points: [1, 2, 4, 7],
  city_list: [
    { id: "north", name: "North", lat: 50, lon: 0 },
    { id: "east", name: "East", lat: 48, lon: 3 },
    { id: "south", name: "South", lat: 46, lon: 0 },
    { id: "west", name: "West", lat: 48, lon: -3 },
  ],
  route_list: [
    route(0, 1, 2, 0, { twin: 1 }),
    route(0, 1, 2, 1, { twin: 0 }),
    route(1, 2, 3, null),
    route(2, 3, 2, 1, { locomotives: 1 }),
    route(3, 0, 1, 0),
    route(0, 2, 4, 1, { tunnel: true }),
  ],
  ticket_list: [
    { a: 0, b: 2, points: 5, long: false, name: "North–South" },
    { a: 3, b: 1, points: 4, long: false, name: "West–East" },
  ],
  rule_list: [{ rule: "claim_routes", points: [1, 2, 4, 7] }],
  words: {},
  components: [],
};
