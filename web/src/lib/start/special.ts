/** What is special about a board, as keys of the catalogue; the most telling first. */

import type { BoardSummary } from "$lib/api/facts";

const TELLING = [
  "festivals",
  "second_draft",
  "province_mat",
  "express_cards",
  "attractions",
  "stations",
  "tunnels",
  "substitutes",
  "draft",
  "globetrotter",
  "longest_path",
  "ferries",
];

export function special(board: BoardSummary): string[] {
  const there = TELLING.filter((rule) => board.rules.includes(rule));
  const found = there.filter((rule) => rule !== "draft" || !there.includes("second_draft"));
  return found.every((rule) => rule === "longest_path") ? ["classic", ...found] : found;
}

/** How long a game takes, about, in minutes with two players. */
export function minutes(board: BoardSummary): number {
  return board.trains <= 20 ? 10 : board.trains <= 40 ? 30 : 40;
}
