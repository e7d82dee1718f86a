/** What a try to build a tunnel turned up. */

import type { EntryInfo } from "$lib/api/messages";
import { value, values } from "$lib/game/events";

/** The cards that were turned up, which of them cost one more, and how many these are. */
export function tunnelOf(
  entry: EntryInfo,
  locomotive: number,
): { cards: { kind: number; hit: boolean }[]; due: number } {
  const events = entry.events ?? [];
  const tried = events.find((event) => event.event === "TunnelTried");
  const colour = tried
    ? values(tried, "cards").findIndex((n, kind) => n > 0 && kind !== locomotive)
    : -1;
  const cards = events
    .filter((event) => event.event === "TunnelCardTurnedUp")
    .map((event) => value(event, "card") ?? -1)
    .map((kind) => ({ kind, hit: kind === locomotive || kind === colour }));
  return { cards, due: cards.filter(({ hit }) => hit).length };
}
