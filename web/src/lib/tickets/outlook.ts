/** How a ticket stands for the reader, in words. */

import type { BoardFacts } from "$lib/api/facts";
import { ticketState, type TicketState } from "$lib/game/network";
import type { Play } from "$lib/table/play.svelte";
import { t } from "$lib/words/words.svelte";
import { paidSoon } from "./cost";

/** The trains that its shortest way takes, and how many of them the hand pays for. */
export function standing(board: BoardFacts, hand: number[], state: TicketState): string {
  const { done, lent, way } = state;
  if (done) return t("tickets.done");
  if (lent) return t("tickets.lent");
  if (way === null) return t("tickets.cut");
  const soon = paidSoon(board, hand, way.routes);
  return t(soon > 0 ? "tickets.soon" : "tickets.left", { n: way.trains, paid: soon });
}

/** The same of a ticket that the reader may not hold yet. */
export function outlook(play: Play, ticket: number): string {
  const { board } = play.table;
  if (!board) return "";
  const state = ticketState(board, play.owner, play.me, play.trains, ticket, play.hand);
  return standing(board, play.hand, state);
}
