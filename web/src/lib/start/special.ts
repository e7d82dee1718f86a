/** What is special about a board, as keys of the catalogue; the most telling first. */

import type { BoardSummary } from "$lib/api/facts";
import { RULES } from "$lib/rules/registry";
import { keysOf } from "$lib/words/words.svelte";

/** The rules that have words, in the order of the catalogue. */
export function special(board: BoardSummary): string[] {
  const there = keysOf("special").filter((rule) => board.rules.includes(rule));
  const known = RULES.filter(({ rule }) => rule && there.includes(rule));
  const covered = known.map(({ covers }) => covers);
  const common = known.filter((one) => one.common).map(({ rule }) => rule);
  const found = there.filter((rule) => !covered.includes(rule));
  return found.every((rule) => common.includes(rule)) ? ["classic", ...found] : found;
}

/** How long a game takes, about, in minutes with two players. */
export function minutes(board: BoardSummary): number {
  return board.trains <= 20 ? 10 : board.trains <= 40 ? 30 : 40;
}
