/** What every board has: cards, routes, tickets. */

import PaySheet from "$lib/decisions/PaySheet.svelte";
<<<<<<< HEAD
import Keep from "$lib/tickets/Keep.svelte";
=======
import KeepSheet from "$lib/tickets/KeepSheet.svelte";
import ParadeTrain from "$lib/end/ParadeTrain.svelte";
>>>>>>> 1bea8d2 (Finale: the winner's train, points over time, awards, what decided, a picture to share, the game in short)
import type { RuleDisplay } from "../rule";
import { events } from "./events";
import { ticketShown } from "./tickets";

export default {
  decisions: [{ kinds: ["keep"], component: Keep, tab: "tickets" }],
  parts: [{ kinds: ["pay"] }, { kinds: ["substitute"] }],
  layer: ParadeTrain,
  decisions: [
    { kinds: ["keep"], component: Keep, tab: "tickets" },
    { kinds: ["pay", "substitute"], component: PaySheet },
  ],
  phases: { pay: { callOff: true }, substitute: { callOff: true, laid: true } },
  events,
  scores: {
    routes: { order: 0, shows: ({ own }) => ({ routes: own }) },
    ticket_done: { order: 2, column: "tickets", shows: ticketShown },
    ticket_failed: { order: 2, column: "tickets", shows: ticketShown },
  },
} satisfies RuleDisplay;
