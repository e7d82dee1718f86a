/** The rules of a board, and those that have the words one looks for. Pure. */

import type { RuleText } from "$lib/api/facts";

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** Without a board, those of all boards. */
export function findRules(rules: RuleText[], board: string, words: string): RuleText[] {
  const wanted = plain(words.trim());
  return rules.filter(
    ({ id, title, text, boards }) =>
      (!board || boards.length === 0 || boards.includes(board)) &&
      plain(`${id} ${title} ${text}`).includes(wanted),
  );
}
