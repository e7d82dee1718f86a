/** How a ticket stands for the reader, in words. */

import { ticketState } from "$lib/game/network";
import type { Play } from "$lib/table/play.svelte";
import { t } from "$lib/words/words.svelte";
import { paidSoon } from "./cost";

/** The trains that its shortest way takes, and how many of them the hand pays for. */
export function outlook(play: Play, ticket: number): string {
  const { board } = play.table;
  if (!board) return "";
  const { done, way } = ticketState(board, play.owner, play.me, play.trains, ticket);
  if (done) return t("tickets.done");
  if (way === null) return t("tickets.cut");
  const soon = paidSoon(board, play.hand, way.routes);
  return t(soon > 0 ? "tickets.soon" : "tickets.left", { n: way.trains, paid: soon });
}
