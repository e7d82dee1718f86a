/** The Province mat: after a claim a train may go on the line of its colour. */

import { seatPaint } from "$lib/board/colours";
import { value } from "$lib/game/events";
import type { View } from "$lib/game/view";
import { PATHS } from "$lib/parts/icons";
import type { Example } from "$lib/rulebook/example";
import type { Piece, RuleDisplay } from "../rule";
import Charts from "./Charts.svelte";
import { bestSpot, matTotals, standings } from "./lines";
import { LEAD_LOST, LEAD_TAKEN, PLACED } from "./sounds";
import Mat from "./Mat.svelte";
import MatChoice from "./MatChoice.svelte";
import MatPanel from "./MatPanel.svelte";
import SpotExample from "./SpotExample.svelte";
import { text } from "./text";

const train = (seat: number): Piece => ({
  icon: PATHS.train,
  size: 20,
  width: 40,
  height: 28,
  fill: seatPaint(seat).fill,
  ink: seatPaint(seat).ink,
  edge: "#fff",
});

const EXTRA: Example = {
  name: "extra",
  tracks: [{ from: [20, 40], to: [180, 40], n: 3, colour: "blue" }],
  cards: ["blue", "blue", "blue", "blue", "locomotive"],
  after: { component: SpotExample, props: { spot: 5 } },
};

export default {
  rule: "province_mat",
  panel: { name: "mat", component: MatPanel, beside: true },
  replay: { title: "mat.title", component: Mat },
  held: ({ board, view, me }) =>
    matTotals(board, view).find(({ seat }) => seat === me)?.points ?? 0,
  parts: [
    {
      kinds: ["mat", "mat_none"],
      choice: MatChoice,
      best: (offers) => bestSpot(offers) ?? offers.find((offer) => offer.do === "mat_none"),
      verb: "mat.place",
    },
  ],
  hints: [
    {
      name: "mat",
      fits: ({ claim }) => claim.next?.offers.some((offer) => offer.do === "mat") === true,
      at: () => "[data-strip] .mat",
    },
  ],
  events: {
    TrainPlacedOnMat: {
      beat: 800,
      sounds: (event, { board, me, before, after }) => {
        const line = value(event, "line") ?? 0;
        const leader = (view: View): number => standings(board, view, line)[0]?.seat ?? -1;
        const [was, is] = [leader(before), leader(after)];
        if (was === is) return [[PLACED, 0]];
        return [[was === me && me >= 0 ? LEAD_LOST : LEAD_TAKEN, 0]];
      },
      flights: (event) => [
        {
          from: `seat-${event.seat}`,
          to: `mat-${value(event, "line")}-${value(event, "spot")}`,
          what: { piece: train(event.seat) },
        },
      ],
    },
  },
  scores: {
    province_line: {
      shows: (_, { ref }) => ({ part: { rule: "province_mat", ref } }),
      compare: (a, b) => a.ref - b.ref || b.points - a.points,
    },
  },
  text,
  chart: { title: "mat.charts", component: Charts },
  examples: {
    "KR-5": [
      {
        name: "mat",
        cards: ["blue", "blue", "blue", "blue"],
        after: { component: SpotExample, props: { spot: 4 } },
      },
    ],
    "KR-6": [EXTRA],
  },
} satisfies RuleDisplay;
