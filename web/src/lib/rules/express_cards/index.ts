/** Express cards: each strengthens one turn. */

import type { BoardFacts } from "$lib/api/facts";
import type { View } from "$lib/game/view";
import { labelled, t } from "$lib/words/words.svelte";
import type { RuleDisplay } from "../rule";
import { expressLeft, expressValues, ICON, RULE } from "./cards";
import CardExample from "./CardExample.svelte";
import ExpressButton from "./ExpressButton.svelte";
import ExpressStrip from "./ExpressStrip.svelte";

/** What the cards that a seat still has add. */
const leftOf = (board: BoardFacts, view: View, seat: number, seats: number): string[] => {
  const left = expressLeft(view, seat, seats);
  return expressValues(board).flatMap((value, k) => (left[k] ? [`+${value}`] : []));
};

export default {
  rule: RULE,
  figures: ({ board, view, seats }, seat) => [
    {
      field: "express",
      label: t("seats.express"),
      icon: ICON,
      values: leftOf(board, view, seat, seats.length),
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
    const items = seats.map((seat, k) =>
      labelled(seat.name, leftOf(board, view, k, seats.length).join(" ") || "0"),
    );
    return [{ title: t("seats.express"), items }];
  },
  examples: {
    "KR-3": [
      {
        name: "express",
        before: { component: CardExample, props: {} },
        cards: ["red", "yellow", "blue"],
      },
    ],
  },
} satisfies RuleDisplay;
