/** Which hint fits the moment, if it has not been read yet. */

import type { Play } from "./play.svelte";

export function hintFor(play: Play, seen: readonly string[]): string | null {
  const { decision, view } = play.game;
  if (!view) return null;
  const fresh = (name: string): boolean => !seen.includes(name);
  if (play.keeps.length > 0 && fresh("tickets")) return "tickets";
  if (decision?.phase === "turn") {
    if (fresh("turn")) return "turn";
    if (fresh("map")) return "map";
    if (play.open.size > 0 && play.trains < 15 && fresh("score")) return "score";
    if (play.tickets.some((ticket) => ticket.done) && fresh("more")) return "more";
  }
  if (decision?.phase === "draw" && fresh("second")) return "second";
  if (decision?.phase === "pay" && fresh("pay")) return "pay";
  if (play.lastRound > 0 && fresh("last")) return "last";
  return null;
}
