// Made by scripts/types.mjs from the published schema; don't change it here.

import type { ResultInfo, TableInfo } from "./messages";

/** The server. */
export interface About {
  version: string;
  languages: string[];
  levels: string[];
  bots: OwnBot[];
  limits: TextLimits;
  /** The server's key for push notices; empty: it sends none. */
  push: string;
  webhooks: boolean;
  /** Whether games change the ratings of those who play them. */
  ratings: boolean;
  /** Where others reach the server, as far as it knows better than the visitor; else empty. */
  address: string;
  /** Where the documentation begins, in the visitor's language if it can be; empty: not built. */
  docs: string;
}

/** A bot that the host of the server offers in addition to the levels. */
export interface OwnBot {
  level: string;
  name: string;
}

/** How many characters a name and a message may have. */
export interface TextLimits {
  name: number;
  chat: number;
}

/** A board in brief. */
export interface BoardSummary {
  id: string;
  digest: string;
  name: string;
  /** The least and the most. */
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

/** Where a part of a board comes from, and how far it can be trusted. */
export interface Provenance {
  part: string;
  status: string;
  source: string;
}

/** Everything that a client has to know about a board, in the order of its numbers. */
export interface BoardFacts {
  id: string;
  digest: string;
  name: string;
  /** The least and the most. */
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
  colours: string[];
  phases: string[];
  points: number[];
  city_list: CityFacts[];
  route_list: RouteFacts[];
  ticket_list: TicketFacts[];
  /** The board's rules, each with its parameters. */
  rule_list: RuleEntry[];
  /** The board's own words by language, by the keys of the catalogue that they replace. */
  words: Record<string, Record<string, string>>;
  /** What is in the box, in words. */
  components: string[];
}

/** A city. */
export interface CityFacts {
  id: string;
  name: string;
  lat: number;
  lon: number;
}

/** A route. */
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
  /** Whether locomotives may pay for it. */
  wild: boolean;
  set_size: number;
  /** The other route of a pair. */
  twin: number | null;
  points: number;
  /** Length, colour and what is special, in words. */
  facts: string;
}

/** A ticket. */
export interface TicketFacts {
  a: number;
  b: number;
  points: number;
  long: boolean;
  name: string;
}

/** A rule in our words. */
export interface RuleText {
  id: string;
  title: string;
  text: string;
  /** Where it comes from: base, a board's book, public, ruling. */
  book: string;
  /** The boards that it governs. */
  boards: string[];
}

/** A table, and the seats that the reader has there. */
export interface TableAnswer {
  table: TableInfo;
  /** The first of them; -1: none. */
  seat: number;
  /** All of them: several, if people share the device. */
  held: number[];
}

/** A table in a list. */
export interface TableBrief {
  table: TableInfo;
  /** The first of them; -1: none. */
  seat: number;
  /** All of them: several, if people share the device. */
  held: number[];
  your_turn: boolean;
  /** When anything last happened of which everyone heard, in milliseconds since 1970. */
  updated: number;
  /** The points by seat, of a game that is over. */
  scores?: number[];
  winners?: number[];
}

/** The id of a table, and the seat that one has there. */
export interface SeatAnswer {
  table: string;
  seat: number;
}

/** A new table; `link` is where others join. */
export interface NewTableAnswer {
  table: string;
  seat: number;
  link: string;
}

/** A link for another device; it works once. */
export interface LinkAnswer {
  link: string;
  token: string;
}

/** The table of the next game. */
export interface RematchAnswer {
  table: string;
}

/** A visitor's own page. */
export interface History {
  /** By which the visitor wants to be known; empty: by none. */
  name: string;
  /** Whether name and rating are shown to everyone. */
  listed: boolean;
  /** None: there are no ratings here, or no game has counted yet. */
  rating: RatingInfo | null;
  /** The latest first. */
  games: PastGame[];
  boards: BoardTally[];
  opponents: OpponentTally[];
}

/** A rating: the true strength is within the margin of it, 19 times in 20. */
export interface RatingInfo {
  points: number;
  margin: number;
  games: number;
}

/** A finished game of the visitor. */
export interface PastGame {
  table: string;
  board: string;
  /** When it ended, in milliseconds since 1970. */
  at: number;
  names: string[];
  /** The visitor's; the first, if people shared the device. */
  seat: number;
  scores: number[];
  winners: number[];
  /** The visitor's, from 1. */
  place: number;
}

/** What the visitor has done on a board. */
export interface BoardTally {
  board: string;
  games: number;
  won: number;
  /** Of all games together. */
  points: number;
  best: number;
}

/** How the visitor did against another player. */
export interface OpponentTally {
  name: string;
  /** `person`, `bot`, or `here` for someone at the visitor's device. */
  kind: string;
  games: number;
  ahead: number;
  behind: number;
}

/** Someone who wants to be shown with a rating. */
export interface RankedPerson {
  name: string;
  rating: RatingInfo;
}

/** The answer to a request that was not fulfilled. */
export interface ErrorAnswer {
  error: ErrorBody;
}

/** What went wrong: a code for programs, and a text in the reader's language. */
export interface ErrorBody {
  code: string;
  text: string;
}

/** A game step by step. */
export interface Replay {
  board: string;
  digest: string;
  /** Whether the record holds the board itself. */
  data: boolean;
  seats: number;
  names: string[];
  steps: ReplayStep[];
  result: ResultInfo | null;
}

/** A position and how it came about. */
export interface ReplayStep {
  /** None: the deal. */
  move: ReplayMove | null;
  events: ReplayEvent[];
  /** The fields of the view that have changed; at first all of them. */
  changes: Record<string, number[]>;
  turn: number;
  phase: string;
}

/** An action; its texts are empty if the reader may not know it. */
export interface ReplayMove {
  seat: number;
  notation: string;
  text: string;
}

/** An event, as far as the reader may know it. */
export interface ReplayEvent {
  event: string;
  seat: number;
  text: string;
  values: Record<string, unknown>;
}

/** A game, finished or under way. It holds every secret. */
export interface GameRecord {
  schema: number;
  engine: string;
  board: BoardRef;
  seats: number;
  seed: string;
  actions: [number, string][];
  events: [string, number, number[]][];
  hash: string;
  first?: number | null;
  result?: Result | null;
  commitment?: string | null;
  names?: string[] | null;
  draw?: SeedDraw | null;
}

/** Which board was played; `data` is the whole of it if it is not a built-in one. */
export interface BoardRef {
  id: string;
  digest: string;
  rules: string[];
  data?: Record<string, unknown> | null;
}

/** The scores by seat and the winners. */
export interface Result {
  scores: number[];
  winners: number[];
}

/** How a server and its players have drawn the seed: `engine/seed_draw.py`. */
export interface SeedDraw {
  table: string;
  round: number;
  server: string;
  promises: (string | null)[];
  part: string;
  nonces: (string | null)[];
  withheld?: WithheldRound[];
}

/** A round of a draw that led to no seed, since some seats did not open their promise. */
export interface WithheldRound {
  round: number;
  server: string;
  promises: (string | null)[];
  seats: number[];
}

/** A whole drawing file. */
export interface Drawing {
  format?: 1;
  board: string;
  digest: string;
  width: number;
  height: number;
  car: Car;
  dot: number;
  font: number;
  line: number;
  mood: string;
  palettes: Record<string, Palette>;
  texture: Texture;
  title: Frame;
  compass: Frame;
  cities: Record<string, CityPlace>;
  routes: RoutePlace[];
  places?: PlaceBox[];
  crossings?: [number, number][];
  land?: string[];
  water?: string[];
  parks?: string[];
  borders?: string[];
  rivers?: string[];
  ranges?: string[];
  scenery?: SceneryPlace[];
  art?: Record<string, [string, string, number, string][]>;
}

/** The size of every space of the board. */
export interface Car {
  length: number;
  width: number;
}

/** The colours of everything but the cars. Labels are readable on land and on sea. */
export interface Palette {
  sea: string;
  sea_deep: string;
  shore: string;
  land: string;
  land_edge: string;
  border: string;
  park: string;
  label: string;
  halo: string;
  dot: string;
  dot_edge: string;
  track: string;
  ink: string;
}

/** Lines that repeat over land and sea, as paths without filling. */
export interface Texture {
  grain: string;
  waves: string;
}

/** A box that is free of everything else. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
  fixed?: boolean;
}

/** The middle of a city's dot, and its label. */
export interface CityPlace {
  x: number;
  y: number;
  label: Label;
  fixed?: boolean;
}

/** Where a city's name stands: the end, middle or beginning of its first line, on its base. */
export interface Label {
  x: number;
  y: number;
  anchor: "end" | "middle" | "start";
  box: [number, number, number, number];
  lines: Record<string, string[]>;
  fixed?: boolean;
}

/** One route: a curve from its first city to its second, and the spaces along it. */
export interface RoutePlace {
  between: [string, string];
  bend: [[number, number], [number, number]];
  ends: [number, number];
  path: string;
  spaces: [number, number, number][];
  fixed?: boolean;
}

/** Room for something that a rule of the board keeps near a city. */
export interface PlaceBox {
  rule: string;
  id: string;
  cities: string[];
  x: number;
  y: number;
  width: number;
  height: number;
  fixed?: boolean;
}

/** Where a small drawing stands: the middle of its box, and how wide and high that is. */
export interface SceneryPlace {
  art: string;
  x: number;
  y: number;
  size: number;
}

export type RuleEntry = { rule: string } & Record<string, unknown>;
