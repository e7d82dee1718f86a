/** Cards, payments and tickets in words. */

import { kindName } from "$lib/board/colours";
import type { Cost } from "$lib/claims/payments";
import type { TicketState } from "$lib/game/network";
import { kinds, total } from "$lib/game/view";
import { join, t } from "$lib/words/words.svelte";

/** So many cards of each kind. */
export const counted = (colours: string[], counts: number[]): string =>
  join(kinds(counts).map(([kind, n]) => t(`cards.${kindName(colours, kind)}`, { n }))) || "–";

/** The cards of a payment. */
export const priced = (colours: string[], pay: Cost): string =>
  [
    ...(total(pay.cards) > 0 ? [counted(colours, pay.cards)] : []),
    ...(pay.any > 0
      ? [t(total(pay.cards) > 0 ? "claim.and_any" : "claim.any", { n: pay.any })]
      : []),
    ...(pay.extra > 0 ? [`(${t("pay.extra", { n: pay.extra })})`] : []),
  ].join(" ");

/** How a ticket stands. */
export const standing = (state: TicketState): string =>
  state.done
    ? t("tickets.done")
    : state.lent
      ? t("tickets.lent")
      : state.way === null
        ? t("tickets.cut")
        : t("tickets.left", { n: state.way.trains });

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** Whether a name has these letters, whatever their accents and size. */
export const matches = (name: string, letters: string): boolean =>
  plain(name).includes(plain(letters));
