/** What every board has: cards, routes, tickets. */

import ParadeTrain from "$lib/end/ParadeTrain.svelte";
import Keep from "$lib/tickets/Keep.svelte";
import type { RuleDisplay } from "../rule";
import { events } from "./events";
import { ticketShown } from "./tickets";

export default {
  layer: ParadeTrain,
  decisions: [{ kinds: ["keep"], component: Keep, tab: "tickets" }],
  parts: [{ kinds: ["pay"] }, { kinds: ["substitute"] }],
  hints: [
    {
      name: "ferry",
      fits: ({ claim, table }) =>
        (table.board?.route_list[claim.chosen ?? -1]?.locomotives ?? 0) > 0,
      at: ({ claim }) => `[data-route="${claim.chosen}"]`,
    },
  ],
  phases: {
    pay: { callOff: true, route: true },
    substitute: { callOff: true, laid: true, route: true },
  },
  events,
  scores: {
    routes: { order: 0, shows: ({ own }) => ({ routes: own }) },
    ticket_done: { order: 2, column: "tickets", shows: ticketShown },
    ticket_failed: { order: 2, column: "tickets", shows: ticketShown },
  },
} satisfies RuleDisplay;
