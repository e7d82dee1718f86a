// Made by scripts/types.mjs from the published schema; don't change it here.

export const PROTOCOL = 1;

/** Take an action, or several one after the other: `action` or `actions`. */
export interface Act {
  type: "act";
  id: string;
  decision: number;
  action?: number;
  /** Every step up to the last, also those that have only one answer. */
  actions?: number[];
}

/** Take back one's own move with this number and all that followed it. */
export interface Takeback {
  type: "takeback";
  id: string;
  move: number;
}

/** Answer another's wish to take back: the number of the request, and yes or no. */
export interface Agree {
  type: "agree";
  id: string;
  request: number;
  yes: boolean;
}

/** Ask why an action, by number or notation, or any claim of a route, is not allowed now. */
export interface Why {
  type: "why";
  id: string;
  action?: number;
  notation?: string;
  route?: number;
}

/** Ask how a route can be paid for, now or as soon as it is the seat's turn. */
export interface How {
  type: "how";
  id: string;
  route: number;
}

/** Say something at the table. */
export interface Say {
  type: "say";
  id: string;
  text: string;
}

/** Is the server there? */
export interface Ping {
  type: "ping";
  id: string;
}

/** The first message of a connection: where the table stands, and the log since `since`. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  version: string;
  table: TableInfo;
  /** The reader's seat; -1: a spectator. */
  seat: number;
  number: number;
  entries: EntryInfo[];
  /** Every field of the reader's view; none before the game begins. */
  view: Record<string, number[]> | null;
  decision: Decision | null;
  clock: ClockInfo | null;
  /** The reader's tickets that are completed as the board stands. */
  joined?: number[];
  /** The routes of others that the reader may use for that. */
  borrowed?: number[];
  /** The seats that the reader's browser holds: several, if people share the device. */
  held?: number[];
}

/** A table as everyone sees it. */
export interface TableInfo {
  id: string;
  board: string;
  digest: string;
  /** `waiting`, `playing` or `over`. */
  status: string;
  seats: SeatInfo[];
  host: number;
  public: boolean;
  chat: boolean;
  clock: ClockRule;
  /** The SHA-256 of the seed, in hexadecimal, from the first card on. */
  commitment?: string;
  spectators?: number;
  wish?: Wish | null;
  /** The table of the next game, if there is one. */
  rematch?: string;
  result?: ResultInfo | null;
  /** None: this is the first game of these people. */
  series?: SeriesInfo | null;
  /** The seat that was to begin; none: it was drawn. */
  first?: number | null;
  /** How the seed is drawn; none at tables of older versions. */
  draw?: DrawInfo | null;
}

/** A seat as everyone sees it: open, a person's or a bot's. */
export interface SeatInfo {
  name: string;
  /** `open`, `person` or `bot`. */
  kind: string;
  /** The level that plays, also while it stands in for a person. */
  bot?: string;
  /** A bot plays for a person who may come back. */
  stand_in?: boolean;
  /** Anyone with the link may take this seat. */
  free?: boolean;
  /** Someone is connected who holds this seat. */
  present?: boolean;
}

/** `none`, `move` (seconds for each move) or `game` (seconds for a whole game). */
export interface ClockRule {
  kind?: string;
  seconds?: number;
  /** Out of time, a bot plays the `move`, or takes over the `seat`. */
  timeout?: string;
}

/** Someone wishes to take back; it is done when every other person has agreed. */
export interface Wish {
  request: number;
  seat: number;
  move: number;
  agreed: number[];
}

/** The end: scores and their lines by seat, winners, completed tickets, and the seed. */
export interface ResultInfo {
  scores: number[];
  lines: Line[][];
  winners: number[];
  tickets: number[];
  seed: string;
  /** The tickets that each seat held. */
  held: number[][];
  /** Which tie-break decided among equal points, as the board names it; empty if none did. */
  tie_break?: string;
  /** The same in the reader's language. */
  tie_text?: string;
  draw?: DrawnParts | null;
}

/** A line of a final score. */
export interface Line {
  rule: string;
  what: string;
  points: number;
  ref: number;
  text: string;
  /** What the points rest on, by name; `docs/protocol.md` lists them. */
  values?: Record<string, unknown>;
}

/** What a seed was drawn from, open when the game is over. */
export interface DrawnParts {
  part: string;
  /** By seat; empty for those of which the server had no promise. */
  nonces: string[];
}

/** The score of several games of the same people, by seat; a finished game is counted in. */
export interface SeriesInfo {
  games: number;
  wins: number[];
  points: number[];
}

/** How the seed is drawn. `docs/protocol.md` tells what a client does. */
export interface DrawInfo {
  round: number;
  /** The server's promise. */
  server: string;
  /** No seat is open: promises are taken. */
  full?: boolean;
  /** By seat; empty for those that have made none. */
  promises?: string[];
  /** The promises stand: nonces are taken. */
  sealed?: boolean;
  /** By seat, whose nonce the server has. */
  opened?: boolean[];
}

/** One entry of the table's log, as far as this reader may know it. */
export interface EntryInfo {
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  /** seated, left, bot, back, promised, sealed, opened, missed, began, moved, wish, answer, taken_back, said, chat, rematch. */
  kind: string;
  seat?: number;
  /** Who moved: `person`, `bot` or `clock`. */
  by?: string;
  name?: string;
  /** In the reader's language; for `said`, what was said. */
  text?: string;
  events?: EventInfo[];
  /** For `taken_back`: the moves from this number on are void. */
  to?: number;
  /** For `moved`: it may be taken back freely by its seat, as long as nothing follows. */
  free?: boolean;
}

/** What the seat has to decide. `offers` are all its legal actions. */
export interface Decision {
  number: number;
  phase: string;
  text: string;
  offers: Offer[];
}

/** Time in milliseconds: what each seat has left, and which seats' clocks run. */
export interface ClockInfo {
  left: number[];
  running: boolean[];
}

/** One entry more, and what it changed for this reader. */
export interface Update {
  type: "update";
  number: number;
  entry: EntryInfo;
  /** The fields of the view that have changed. */
  changes?: Record<string, number[]>;
  /** The reader's open decision, if it is another one than before (none: null). */
  decision?: Decision | null;
  clock?: ClockInfo | null;
  /** The table, if something about it has changed. */
  table?: TableInfo | null;
  /** The reader's completed tickets, if they have changed. */
  joined?: number[];
  /** The routes of others that the reader may use, if they have changed. */
  borrowed?: number[];
}

/** Who is connected. */
export interface Presence {
  type: "presence";
  seats: boolean[];
  spectators: number;
}

/** A wish was fulfilled; `number` is the entry that did it. */
export interface Done {
  type: "done";
  id: string;
  number: number;
}

/** A wish was not fulfilled, and nothing has changed. */
export interface Refused {
  type: "refused";
  id: string;
  code: string;
  text: string;
  rule?: string;
}

/** The answer to `why`; without a rule the action is allowed. */
export interface Because {
  type: "because";
  id: string;
  text: string;
  rule?: string;
  title?: string;
}

/** The answer to `how`: all ways to pay, the thriftiest first; or why there is none. */
export interface Ways {
  type: "ways";
  id: string;
  route: number;
  ways?: WayInfo[];
  text?: string;
  rule?: string;
  title?: string;
  missing?: Missing | null;
}

/** A way to pay for a route. `actions`, then substitutes, then one of `offers` are a chain. */
export interface WayInfo {
  /** The claim and its payment. */
  actions: number[];
  /** The colour that is played; the number of colours for none. */
  card: number;
  /** Cards by kind; those of the sets come in addition. */
  cards: number[];
  /** In the reader's language. */
  text: string;
  /** Spaces that are paid with a set of any cards. */
  sets?: number;
  set_size?: number;
  /** Cards beyond the route's length. */
  extra?: number;
  /** By kind, how many cards may go into the sets. */
  room?: number[];
  /** By kind, the action that puts one card into a set; to be taken in ascending order. */
  substitutes?: number[];
  /** Hidden cards turn up after the payment; a chain ends there. */
  reveals?: boolean;
  /** The decision that follows the payment, if there is one. */
  phase?: string;
  question?: string;
  offers?: Offer[];
}

/** So many cards more, all of one of these kinds, would be enough to pay for a route. */
export interface Missing {
  cards: number;
  kinds: number[];
}

/** The server is there. */
export interface Pong {
  type: "pong";
  id: string;
  time: number;
}

/** A message could not be read, or came too fast. The connection may be closed after it. */
export interface Trouble {
  type: "trouble";
  code: string;
  text: string;
}

/** A legal action and its facts. Only what applies is there. */
export interface Offer {
  action: number;
  /** The kind of action: claim, pay, take, draw, tickets, keep, pick, and those of other rules. */
  do: string;
  notation: string;
  /** In the reader's language. */
  text: string;
  route?: number;
  /** The kind of card: a position in the board's colours, or their number for a locomotive. */
  card?: number;
  /** Cards to be paid, by kind. */
  cards?: number[];
  /** Sets of any cards that stand for one card each, chosen next. */
  sets?: number;
  /** Cards paid beyond the route's length. */
  extra?: number;
  points?: number;
  tickets?: number[];
  city?: number;
  [fact: string]: unknown;
}

/** An event of the game, as far as this reader may know it. */
export interface EventInfo {
  event: string;
  seat: number;
  text: string;
  values?: Record<string, unknown>;
}

export type ClientMessage = Act | Takeback | Agree | Why | How | Say | Ping;

export type ServerMessage =
  Welcome | Update | Presence | Done | Refused | Because | Ways | Pong | Trouble;
