/** Express cards: each strengthens one turn. */

import { labelled, t } from "$lib/words/words.svelte";
import type { RuleDisplay } from "../rule";
import { expressLeft, expressValues, RULE } from "./cards";
import CardExample from "./CardExample.svelte";
import ExpressButton from "./ExpressButton.svelte";
import ExpressStrip from "./ExpressStrip.svelte";

export default {
  rule: RULE,
  figures: ({ board, view, seats }, seat) => [
    {
      field: "express",
      label: t("seats.express"),
      parts: expressLeft(view, seat, seats.length).map((left, k) => ({
        text: `+${expressValues(board)[k]}`,
        spent: !left,
      })),
    },
  ],
  actions: [
    {
      kinds: ["express_cards", "express_tickets"],
      words: "prompt.way_express",
      notation: (board) => `express ${expressValues(board)[0]} cards`,
      button: ExpressButton,
    },
  ],
  opens: ExpressStrip,
  events: { ExpressSpent: { beat: 700 } },
  text({ board, view, seats }) {
    const items = seats.map((seat, k) => {
      const left = expressLeft(view, k, seats.length);
      const cards = expressValues(board).flatMap((value, j) => (left[j] ? [`+${value}`] : []));
      return labelled(seat.name, cards.join(" ") || "–");
    });
    return [{ title: t("seats.express"), items }];
  },
  examples: {
    "KR-3": [
      {
        name: "express",
        aside: { component: CardExample, props: {} },
        cards: ["red", "yellow", "blue"],
      },
    ],
  },
} satisfies RuleDisplay;
