/** The Express cards of a board and of a seat. */

import { paramsOf, type BoardFacts } from "$lib/api/facts";
import { ofSeat, type View } from "$lib/game/view";

export const RULE = "express_cards";

/** Path data of their icon. */
export const ICON = "M13 3 5 13.5h6L10 21l8-10.5h-6Z";

/** What each adds. */
export const expressValues = (board: BoardFacts): number[] =>
  (paramsOf(board, RULE)?.["values"] ?? []) as number[];

/** Which of them a seat still has: 1, or 0 if it is spent. */
export const expressLeft = (view: View, seat: number, seats: number): number[] =>
  seat < 0 ? [] : ofSeat(view, "express", seat, seats);
