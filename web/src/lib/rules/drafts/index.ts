/** Drafts: everyone picks a ticket and passes the others on. */

import type { RuleDisplay } from "../rule";
import Pick from "./Pick.svelte";

export default {
  rule: "second_draft",
  decisions: [{ kinds: ["pick"], component: Pick, tab: "tickets" }],
  events: { DraftCardDrawn: { beat: 1200, surprise: true } },
  covers: "draft",
} satisfies RuleDisplay;
