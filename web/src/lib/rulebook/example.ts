/** A small drawn example of a rule. */

import type { Component } from "svelte";

export interface Track {
  from: [number, number];
  to: [number, number];
  /** Its length. */
  n: number;
  colour: string;
  owner?: number;
  /** Spaces that take locomotives. */
  engines?: number;
  tunnel?: boolean;
  faint?: boolean;
}

/** A picture of its own beside the others. */
interface Aside {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each picture has its own
  component: Component<any>;
  props: Record<string, unknown>;
}

export interface Example {
  /** Its words in the catalogue are `rules.example_` and this. */
  name: string;
  tracks?: Track[];
  /** Drawn on the tracks, in a picture of 200 by 80. */
  picture?: Component;
  aside?: Aside;
  /** Colours of cards, or a sign between them. */
  cards?: string[];
}
