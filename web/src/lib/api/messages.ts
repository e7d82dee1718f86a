// Made by scripts/types.mjs from the schema of the messages; don't change it here.

export const PROTOCOL = 1;

/** Take an action, or several one after the other: `action` or `actions`. */
export interface Act {
  type: "act";
  id: string;
  decision: number;
  action?: number;
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
  seat: number;
  number: number;
  entries: EntryInfo[];
  view: Record<string, unknown> | null;
  decision: Decision | null;
  clock: ClockInfo | null;
  joined?: number[];
  borrowed?: number[];
}

/** A table as everyone sees it. */
export interface TableInfo {
  id: string;
  board: string;
  digest: string;
  status: string;
  seats: SeatInfo[];
  host: number;
  public: boolean;
  chat: boolean;
  clock: ClockRule;
  commitment?: string;
  spectators?: number;
  wish?: Wish | null;
  rematch?: string;
  result?: ResultInfo | null;
}

/** A seat as everyone sees it: open, a person's or a bot's. */
export interface SeatInfo {
  name: string;
  kind: string;
  bot?: string;
  stand_in?: boolean;
  free?: boolean;
  present?: boolean;
}

/** `none`, `move` (seconds for each move) or `game` (seconds for a whole game). */
export interface ClockRule {
  kind?: string;
  seconds?: number;
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
  held: number[][];
  tie_break?: string;
  tie_text?: string;
}

/** A line of a final score. */
export interface Line {
  rule: string;
  what: string;
  points: number;
  ref: number;
  text: string;
  values?: Record<string, unknown>;
}

/** One entry of the table's log, as far as this reader may know it. */
export interface EntryInfo {
  number: number;
  at: number;
  kind: string;
  seat?: number;
  by?: string;
  name?: string;
  text?: string;
  events?: Told[];
  to?: number;
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
  changes?: Record<string, unknown>;
  decision?: Decision | null;
  clock?: ClockInfo | null;
  table?: TableInfo | null;
  joined?: number[];
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
  actions: number[];
  card: number;
  cards: number[];
  text: string;
  sets?: number;
  set_size?: number;
  extra?: number;
  room?: number[];
  substitutes?: number[];
  reveals?: boolean;
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

/** A legal action and what it costs and brings. Only what applies is there. */
export interface Offer {
  action: number;
  do: string;
  notation: string;
  text: string;
  route?: number;
  card?: number;
  cards?: number[];
  sets?: number;
  extra?: number;
  points?: number;
  tickets?: number[];
  city?: number;
  line?: number;
  spot?: number;
  express?: number;
  festival?: number;
}

/** An event of the game, as far as this reader may know it. */
export interface Told {
  event: string;
  seat: number;
  text: string;
  values?: Record<string, unknown>;
}

export type ClientMessage = Act | Takeback | Agree | Why | How | Say | Ping;

export type ServerMessage =
  Welcome | Update | Presence | Done | Refused | Because | Ways | Pong | Trouble;
