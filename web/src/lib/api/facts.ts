/** What the server tells about boards, rules and itself over HTTP. */

export interface Provenance {
  part: string;
  status: string;
  source: string;
}

export interface BoardSummary {
  id: string;
  digest: string;
  name: string;
  seats: [number, number];
  trains: number;
  cities: number;
  routes: number;
  tickets: number;
  /** The names of the board's rules. */
  rules: string[];
  /** What is special about it, in words. */
  special: string[];
  provenance: Provenance[];
}

export interface CityFacts {
  id: string;
  name: string;
  lat: number;
  lon: number;
}

export interface RouteFacts {
  id: string;
  name: string;
  /** The name and, if it has a twin, what tells it from that. */
  track: string;
  a: number;
  b: number;
  length: number;
  /** A position in the board's colours; null for gray. */
  colour: number | null;
  locomotives: number;
  tunnel: boolean;
  any_cards: number;
  set_size: number;
  /** The other route of a pair. */
  twin: number | null;
  points: number;
  /** Length, colour and what is special, in words. */
  facts: string;
}

export interface TicketFacts {
  a: number;
  b: number;
  points: number;
  long: boolean;
  name: string;
}

export type RuleEntry = { rule: string } & Record<string, unknown>;

export interface BoardFacts extends BoardSummary {
  colours: string[];
  phases: string[];
  points: number[];
  city_list: CityFacts[];
  route_list: RouteFacts[];
  ticket_list: TicketFacts[];
  rule_list: RuleEntry[];
  /** The board's own words by language, by the keys of the catalogue that they replace. */
  words: Record<string, Record<string, string>>;
  /** What is in the box, in words. */
  components: string[];
}

export interface RuleText {
  id: string;
  title: string;
  text: string;
  /** Where it comes from: base, a board's book, public, ruling. */
  book: string;
  /** The boards it governs. */
  boards: string[];
}

/** A bot that the host of the server offers in addition to the levels. */
export interface OwnBot {
  level: string;
  name: string;
}

export interface About {
  version: string;
  bots: OwnBot[];
  /** The server's key for push notices; empty: it sends none. */
  push: string;
  webhooks: boolean;
}

/** What a board says beside the name of one of its rules; null if it has no such rule. */
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
