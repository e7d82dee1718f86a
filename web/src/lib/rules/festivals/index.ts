/** Festivals: cards that lie in the cities until a route is claimed there. */

import { value } from "$lib/game/events";
import { field, ofSeat, total } from "$lib/game/view";
import { t } from "$lib/words/words.svelte";
import { cite, cityNumbers } from "../lookup";
import type { Flight, Piece, RuleDisplay } from "../rule";
import Charts from "./Charts.svelte";
import FestivalPanel from "./FestivalPanel.svelte";
import FestivalChoice from "./FestivalChoice.svelte";
import Piles from "./Piles.svelte";
import PileExample from "./PileExample.svelte";
import { bestFestival, festivalName, festivalSets, festivalWorths, pilePlace } from "./sets";
import { PLACED, taken } from "./sounds";
import { text } from "./text";

const ICON = "M12 3l2.2 6.8L21 12l-6.8 2.2L12 21l-2.2-6.8L3 12l6.8-2.2Z";

const CARD: Piece = {
  icon: ICON,
  size: 22,
  width: 34,
  height: 46,
  fill: "#ffe08a",
  ink: "#7a1f4b",
  edge: "#8b7437",
};

export default {
  rule: "festivals",
  layer: Piles,
  landmarks: ({ board, view }, drawing) => {
    const piles = field(view, "festival_piles");
    return festivalSets(board).map((set, k) => {
      const [n, place] = [piles[k] ?? 0, festivalName(board, k)];
      return {
        id: `festival-${set.id}`,
        ...pilePlace(drawing, set),
        r: 15,
        text: t(n > 0 ? "thing.festival" : "thing.no_festival", { n, place }),
        rule: cite(board, "festivals", "IB-6"),
      };
    });
  },
  panel: { name: "festivals", component: FestivalPanel, seated: true },
  figures: ({ view, seats }, seat) =>
    field(view, "festival_cards").length === 0
      ? []
      : [
          {
            field: "festival_cards",
            label: t("seats.festivals"),
            icon: ICON,
            values: [String(total(ofSeat(view, "festival_cards", seat, seats.length)))],
          },
        ],
  held: ({ board, view, me, seats }) =>
    festivalWorths(board, view, me, seats.length).reduce((sum, { now }) => sum + now, 0),
  parts: [
    { kinds: ["festival"], choice: FestivalChoice, best: bestFestival, verb: "festivals.take" },
  ],
  hints: [
    {
      name: "festival",
      fits: ({ game }) =>
        game.decision?.phase === "turn" &&
        game.view !== null &&
        field(game.view, "festival_piles").some((cards) => cards > 0),
      at: ({ game }) => {
        const piles = game.view ? field(game.view, "festival_piles") : [];
        return `[data-at="festival-${piles.indexOf(Math.max(...piles))}"]`;
      },
    },
  ],
  events: {
    FestivalCardPlaced: {
      beat: 700,
      sounds: () => [[PLACED, 0]],
      surprise: true,
      flights: (event) => [
        { from: "deck", to: `festival-${value(event, "festival")}`, what: { piece: CARD } },
      ],
    },
    FestivalTaken: {
      beat: 900,
      sounds: (event) => [[taken(value(event, "cards") ?? 1), 0]],
      surprise: true,
      flights: (event) =>
        Array.from({ length: value(event, "cards") ?? 1 }, (): Flight => ({
          from: `festival-${value(event, "festival")}`,
          to: `seat-${event.seat}`,
          what: { piece: CARD },
        })),
    },
  },
  scores: {
    festival: {
      shows: ({ board }, { ref }) => ({
        cities: cityNumbers(board, festivalSets(board)[ref]?.cities ?? []),
      }),
    },
  },
  text,
  chart: { title: "festivals.charts", component: Charts },
  examples: {
    "IB-6": [
      {
        name: "festival",
        tracks: [{ from: [20, 45], to: [140, 45], n: 2, colour: "pink", owner: 2 }],
        picture: PileExample,
        reach: [[171, 45]],
      },
    ],
  },
} satisfies RuleDisplay;
