/** What the page asks of boards and rules; the types are made from the server's schema. */

import type { BoardFacts, Provenance, RouteFacts, RuleEntry } from "./answers";

export type {
  About,
  BoardFacts,
  BoardSummary,
  CityFacts,
  OwnBot,
  Provenance,
  RouteFacts,
  RuleEntry,
  RuleText,
  TicketFacts,
} from "./answers";

/** What a board says in addition to the name of one of its rules; null if it has no such rule. */
export function paramsOf(board: BoardFacts, rule: string): RuleEntry | null {
  return board.rule_list.find((entry) => entry.rule === rule) ?? null;
}

export const hasRule = (board: BoardFacts, rule: string): boolean => board.rules.includes(rule);

/** The number of the locomotive among the kinds of cards. */
export const locomotive = (board: BoardFacts): number => board.colours.length;

/** The name of a route's colour. */
export const colourName = (board: BoardFacts, route: RouteFacts): string =>
  (route.colour === null ? undefined : board.colours[route.colour]) ?? "gray";

/** What is reconstructed of a rule's data. */
export const doubtsOf = (board: BoardFacts, rule: string): Provenance[] =>
  reconstructed(board).filter(({ part }) => part.startsWith(`${rule}.`));

/** A part of the board that is not exact. */
export const reconstructed = (board: { provenance: Provenance[] }): Provenance[] =>
  board.provenance.filter((p) => p.status === "reconstructed");
