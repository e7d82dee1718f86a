/** Drafts: everyone picks a ticket and passes the others on. */

import type { RuleDisplay } from "../rule";
import PickSheet from "./PickSheet.svelte";

export default {
  rule: "second_draft",
  decisions: [{ kinds: ["pick"], component: PickSheet }],
  events: { DraftCardDrawn: { beat: 1200, surprise: true } },
  covers: "draft",
} satisfies RuleDisplay;
