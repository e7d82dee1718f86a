/** What every board has: cards, routes, tickets. */

import ParadeTrain from "$lib/end/ParadeTrain.svelte";
import type { RouteFacts } from "$lib/api/facts";
import type { Play } from "$lib/table/play.svelte";
import Keep from "$lib/tickets/Keep.svelte";
import type { RuleDisplay } from "../rule";
import { events } from "./events";
import { ticketShown } from "./tickets";

/** The ferry that is being paid for, if any is. */
const ferry = ({ claim, table }: Play): RouteFacts | undefined =>
  table.board?.route_list.filter((_, k) => k === claim.chosen).find((r) => r.locomotives > 0);

export default {
  layer: ParadeTrain,
  decisions: [{ kinds: ["keep"], component: Keep, tab: "tickets" }],
  parts: [{ kinds: ["pay"] }, { kinds: ["substitute"] }],
  hints: [
    {
      name: "ferry",
      fits: (play) => ferry(play)?.set_size === 0,
      at: ({ claim }) => `[data-route="${claim.chosen}"]`,
    },
    {
      name: "substitutes",
      fits: (play) => (ferry(play)?.set_size ?? 0) > 0,
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
