/** A small drawn example of a rule. */

import type { Component } from "svelte";

export type Point = readonly [number, number];

export interface Track {
  from: Point;
  to: Point;
  /** Its length. */
  n: number;
  colour: string;
  owner?: number;
  /** Spaces that take locomotives. */
  engines?: number;
  tunnel?: boolean;
  faint?: boolean;
  /** How far its spaces lie beside the line between its cities, as those of a double route do. */
  beside?: number;
}

/** A picture of its own beside the cards. */
interface Aside {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each picture has its own
  component: Component<any>;
  props: Record<string, unknown>;
}

export interface Example {
  /** Its words in the catalogue are `rules.example_` and this. */
  name: string;
  /** A chart: its words are a title. */
  chart?: true;
  tracks?: Track[];
  /** Drawn on the tracks. */
  picture?: Component;
  /** Points beyond the cities up to which that is drawn. */
  reach?: Point[];
  before?: Aside;
  /** Colours of cards, or a sign between them. */
  cards?: string[];
  after?: Aside;
}
