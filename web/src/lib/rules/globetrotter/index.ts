/** The bonus for the most completed tickets. */

import { ticketShown } from "../basic/tickets";
import type { RuleDisplay } from "../rule";

export default {
  rule: "globetrotter",
  bonus: true,
  scores: {
    globetrotter: {
      shows(end) {
        const tickets = end.done.map((ref) => ticketShown(end, { ref }));
        return {
          routes: [...new Set(tickets.flatMap(({ routes }) => routes))],
          cities: [...new Set(tickets.flatMap(({ cities }) => cities))],
          counter: "ticket_count", // they may be the most and yet none
        };
      },
    },
  },
} satisfies RuleDisplay;
