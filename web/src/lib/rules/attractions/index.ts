/** Attractions: a point for each that a player's routes touch. */

import { paramsOf, type BoardFacts } from "$lib/api/facts";
import { field } from "$lib/game/view";
import { t } from "$lib/words/words.svelte";
import { cite, cityName, cityNumbers } from "../lookup";
import type { RuleDisplay } from "../rule";
import AttractionExample from "./AttractionExample.svelte";
import Attractions from "./Attractions.svelte";

const cities = (board: BoardFacts): string[] =>
  (paramsOf(board, "attractions")?.["cities"] ?? []) as string[];

/** The attractions that a seat's routes touch, by their cities. */
const touched = (board: BoardFacts, routes: readonly number[]): number[] => {
  const ends = new Set(routes.flatMap((k) => [board.route_list[k]?.a, board.route_list[k]?.b]));
  return cityNumbers(board, cities(board)).filter((k) => ends.has(k));
};

export default {
  rule: "attractions",
  layer: Attractions,
  landmarks: ({ board }, drawing) =>
    (drawing.places ?? [])
      .filter((place) => place.rule === "attractions")
      .map((place) => ({
        id: `attraction-${place.id}`,
        x: place.x,
        y: place.y,
        r: place.width / 2,
        text: t("thing.attraction", { place: cityName(board, place.id) }),
        rule: cite(board, "attractions", "NY-5"),
      })),
  held({ board, view, me }) {
    const own = field(view, "owner").flatMap((owner, k) => (owner === me + 1 ? [k] : []));
    return Number(paramsOf(board, "attractions")?.["points"] ?? 0) * touched(board, own).length;
  },
  scores: {
    attractions: {
      shows: ({ board, own }) => ({ cities: touched(board, own) }),
    },
  },
  text: ({ board }) => [
    { title: t("special.attractions"), items: cities(board).map((id) => cityName(board, id)) },
  ],
  examples: {
    "NY-5": [
      {
        name: "attractions",
        tracks: [
          { from: [20, 58], to: [75, 22], n: 1, colour: "red", owner: 0 },
          { from: [75, 22], to: [135, 58], n: 1, colour: "red", owner: 0 },
          { from: [135, 58], to: [185, 22], n: 1, colour: "red", owner: 1 },
        ],
        picture: AttractionExample,
      },
    ],
  },
} satisfies RuleDisplay;
