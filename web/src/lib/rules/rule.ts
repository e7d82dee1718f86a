/**
 * What a rule may add to the page. Each rule has a folder with what the page knows of it and
 * `registry.ts` finds it; nothing else knows a rule by name. A rule without a folder is
 * playable all the same: its actions are buttons, its events and score lines are sentences.
 */

import type { Component } from "svelte";
import type { CityPlace, Drawing, Palette } from "$lib/api/drawing";
import type { BoardFacts } from "$lib/api/facts";
import type { EntryInfo, Line, Offer, EventInfo } from "$lib/api/messages";
import type { View } from "$lib/game/view";
import type { Award, Story } from "$lib/end/story";
import type { Example } from "$lib/rulebook/example";
import type { Sound } from "$lib/sound/sound";
import type { Play } from "$lib/table/play.svelte";

/** What lies on the table, and who looks at it. */
export interface Situation {
  board: BoardFacts;
  view: View;
  /** The reader's seat; -1: none. */
  me: number;
  seats: readonly { name: string }[];
}

/** Something on the board that explains itself. */
export interface Landmark {
  id: string;
  x: number;
  y: number;
  r: number;
  text: string;
  /** The id of the rule that says more. */
  rule: string;
}

export interface LayerProps {
  board: BoardFacts;
  drawing: Drawing;
  palette: Palette;
  view: View;
  /** The entry of the log that is on show. */
  entry: EntryInfo | null;
}

export interface CityProps {
  view: View;
  city: number;
  place: CityPlace;
}

export interface PanelProps {
  situation: Situation;
  entry: EntryInfo | null;
  /** Unfolded from the start. */
  open: boolean;
  /** The part that a line of the final score is about, and whose line it is. */
  lit: { ref: number; seat: number } | null;
}

/** A panel at the side of the table; on a narrow screen it has a tab. */
export interface Panel {
  /** The tab's name in the catalogue is `tabs.` and this. */
  name: string;
  component: Component<PanelProps>;
  /** Only for those who play. */
  seated?: boolean;
  /** In a large window it lies beside the board. */
  beside?: boolean;
}

/** A figure beside a seat's name. */
export interface Figure {
  /** The field of the view that it counts. */
  field: string;
  label: string;
  /** Path data of its icon. */
  icon: string;
  /** What is there, or what is left of it; without any, a dash is shown. */
  values: string[];
}

/** What can be done in a turn in addition to cards, routes and tickets. */
export interface TurnAction {
  kinds: string[];
  /** The key of the words for it. */
  words: string;
  /** The notation with which to ask why it can't be done. */
  notation: (board: BoardFacts) => string;
  /** Its button beside the cards. */
  button: Component<{ play: Play }>;
  /** It begins with the touch of a city as well. */
  city?: true;
}

/** How a choice of tickets with offers of these kinds is shown. */
export interface DecisionSheet {
  kinds: string[];
  component: Component<{ play: Play; offers: Offer[] }>;
  /** The tab at the side in which it is shown. */
  tab: string;
}

export interface ChoiceProps {
  situation: Situation;
  offers: Offer[];
  /** The offer that is marked. */
  picked: Offer | undefined;
  onpick: (offer: Offer) => void;
}

/**
 * A part of the claim strip for decisions with offers of these kinds, while they are open or as
 * they follow a payment. Offers that take cards are slots in any case.
 */
export interface StripPart {
  kinds: string[];
  /** What the decision rests on. */
  scene?: Component<{ play: Play }>;
  /** Marks one of the offers; without it each is a button. */
  choice?: Component<ChoiceProps>;
  /** The offer that is marked at first; without it, the first one. */
  best?: (offers: Offer[], situation: Situation) => Offer | undefined;
  /** The key of the word on the button. */
  verb?: string;
  /** Keys of words for offers that are buttons, where the strip is too low for a sentence. */
  short?: Record<string, string>;
}

/** Something that moves across the table. Places are the `data-at` and `data-route` of the page. */
export interface Flight {
  from: string;
  to: string;
  /** A card by kind (null: face down), or a piece. */
  what: { card: number | null } | { piece: Piece };
  /** In steps after the first. */
  wait?: number;
}

export interface Piece {
  /** Path data of an icon, and its size. */
  icon: string;
  size: number;
  width: number;
  height: number;
  fill: string;
  ink: string;
  edge: string;
}

/** What is known while the flights of an entry are collected. */
export interface FlightScene {
  events: EventInfo[];
  /** So far. */
  flights: readonly Flight[];
  /** What lies in the display, kept up to date. */
  display: (number | null)[];
  /** Where a seat's cards are; the reader's own are in stacks by kind. */
  home: (seat: number, card?: number) => string;
}

/** What is known while the sounds of an entry are collected. */
export interface SoundScene {
  board: BoardFacts;
  /** The reader's seat; -1: none. */
  me: number;
  before: View;
  after: View;
}

/** How an event is shown when it happens. */
export interface EventDisplay {
  /** How long, in milliseconds at normal speed. */
  beat?: number;
  /** Nobody could know it before, so it is shown even in one's own move. */
  surprise?: boolean;
  /** A detail of another event, left out of the short news. */
  minor?: boolean;
  /** Its route lights up. */
  route?: boolean;
  flights?: (event: EventInfo, scene: FlightScene) => Flight[];
  /** What is heard, each after so many milliseconds at normal speed. */
  sounds?: (event: EventInfo, scene: SoundScene) => [Sound, number][];
  /** What is shown below its sentence. */
  detail?: Component<{ board: BoardFacts; entry: EntryInfo }>;
}

/** What a seat has at the end of a game. */
export interface SeatEnd {
  board: BoardFacts;
  view: View;
  seat: number;
  owner: number[];
  /** Its own routes. */
  own: number[];
  /** Routes of others that count for it, each with the city that it is used for. */
  borrowed: { route: number; city: number }[];
  /** Its completed tickets. */
  done: number[];
}

/** What a line of the final score rests on. */
export interface Shown {
  routes: number[];
  cities: number[];
  /** A part of a rule's panel. */
  part: { rule: string; ref: number } | null;
  /** A figure beside the seat's name, by its field. */
  counter: string;
}

/** How lines of the final score are shown, by what they are for. */
export interface ScoreDisplay {
  shows?: (end: SeatEnd, line: Line) => Partial<Shown>;
  /** When it is counted: 0 routes, 1 what tickets need, 2 tickets; without it, afterwards. */
  order?: number;
  /** Lines of this kind in an order of their own, rather than seat by seat. */
  compare?: (a: Line, b: Line) => number;
  /** The row of the score table; without it, one of its own. */
  column?: string;
  /** It explains other lines and has no points. */
  explains?: boolean;
}

/** A phase in the middle of an action. */
export interface PhaseDisplay {
  /** What was begun can be called off. */
  callOff?: boolean;
  /** Cards of the hand lie on the table. */
  laid?: boolean;
  /** It is about the route that the first register names. */
  route?: boolean;
  /** The key of the word on the button that pays. */
  verb?: string;
}

export interface TextSection {
  title: string;
  items: string[];
}

/** A hint at the first moment of its kind; its words are `guide.` and its name, with a title. */
export interface Hint {
  name: string;
  fits: (play: Play) => boolean;
  /** What the arrow points at, as a selector of the page. */
  at?: (play: Play) => string;
}

export interface RuleDisplay {
  /** The rule's name in board files; without it, what every board has. */
  rule?: string;

  /** On the board, above the routes and beneath the cities. */
  layer?: Component<LayerProps>;
  /** On a city's dot. */
  city?: Component<CityProps>;
  landmarks?: (situation: Situation, drawing: Drawing) => Landmark[];

  panel?: Panel;
  /** Its part of the replay, below a heading. */
  replay?: { title: string; component: Component<{ board: BoardFacts; view: View }> };
  figures?: (situation: Situation, seat: number) => Figure[];
  /** Points that the reader would have by it if the game ended now. */
  held?: (situation: Situation) => number;
  /** It brings points that nobody knows before the end. */
  bonus?: true;
  /** A remark below the reader's open tickets. */
  ticketNote?: (situation: Situation) => string;

  actions?: TurnAction[];
  /** What one of the actions opens in the claim strip. */
  opens?: Component<{ play: Play }>;
  decisions?: DecisionSheet[];
  parts?: StripPart[];
  /** Kinds of offers that are chosen by a city of the board. */
  inCities?: string[];
  phases?: Record<string, PhaseDisplay>;
  /** At any table, each once. */
  hints?: Hint[];

  events?: Record<string, EventDisplay>;
  scores?: Record<string, ScoreDisplay>;
  /** A distinction at the end of a game; its words are `award.` and its name. */
  award?: (story: Story) => Award | null;
  /** In the table as text. */
  text?: (situation: Situation) => TextSection[];

  /** On the page of the rules: the numbers that the board brings for it. */
  chart?: { title: string; component: Component<{ board: BoardFacts }> };
  /** Drawn examples by the ids of rules. */
  examples?: Record<string, Example[]>;
  /** On the start page, where it makes another rule not worth a word. */
  covers?: string;
  /** A board with rules like this alone is a classic one. */
  common?: boolean;
}
