/** Looking something up in a board for the folder of a rule. */

import { paramsOf, type BoardFacts } from "$lib/api/facts";

export const cityName = (board: BoardFacts, id: string): string =>
  board.city_list.find((city) => city.id === id)?.name ?? id;

/** The positions of cities by their ids. */
export const cityNumbers = (board: BoardFacts, ids: readonly string[]): number[] =>
  board.city_list.flatMap((city, k) => (ids.includes(city.id) ? [k] : []));

/** The id of the rule that a board cites; `usual`, if it has none of its own. */
export const cite = (board: BoardFacts, rule: string, usual: string): string =>
  (paramsOf(board, rule)?.["cite"] as string | undefined) ?? usual;
