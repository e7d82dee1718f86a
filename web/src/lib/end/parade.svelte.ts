/** The winner's train on its way across the board, while the end is celebrated. */

import type { Leg } from "./journey";

export interface Parade {
  seat: number;
  legs: Leg[];
}

class Shown {
  now = $state.raw<Parade | null>(null);
}

export const parade = new Shown();
