/** Cards, payments and tickets in words. */

import { kindName } from "$lib/board/colours";
import type { BoardFacts } from "$lib/api/facts";
import type { WayInfo } from "$lib/api/messages";
import { anyCards } from "$lib/claims/slots";
import type { TicketState } from "$lib/game/network";
import { kinds, total } from "$lib/game/view";
import { standing } from "$lib/tickets/outlook";
import { small } from "$lib/words/plural";
import { join, labelled, t } from "$lib/words/words.svelte";

/** So many cards of each kind. */
export const counted = (colours: string[], counts: number[]): string =>
  join(kinds(counts).map(([kind, n]) => t(`cards.${kindName(colours, kind)}`, { n }))) || "–";

/** The cards of a payment. */
export const priced = (colours: string[], way: WayInfo): string =>
  [
    ...(total(way.cards) > 0 ? [counted(colours, way.cards)] : []),
    ...(anyCards(way) > 0
      ? [t(total(way.cards) > 0 ? "claim.and_any" : "claim.any", { n: anyCards(way) })]
      : []),
    ...(way.extra ? [`(${t("pay.extra", { n: way.extra })})`] : []),
  ].join(" ");

/** A ticket, its points and how it stands. */
export function ticketLine(board: BoardFacts, hand: number[], state: TicketState): string {
  const ticket = board.ticket_list[state.ticket];
  return labelled(`${ticket?.name} (${ticket?.points})`, small(standing(board, hand, state)));
}

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** The routes whose names have these letters, whatever their accents and size. */
export const routesOf = (board: BoardFacts, letters: string): number[] =>
  board.route_list.flatMap(({ name }, k) => (plain(name).includes(plain(letters)) ? [k] : []));
