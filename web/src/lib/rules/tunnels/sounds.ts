/** What tunnels sound like. */

import type { Sound } from "$lib/sound/sound";

/** A pick in the rock: a card is turned up. */
export const PICK: Sound = {
  voices: [
    { wave: "noise", pitch: 3200, length: 0.05, gain: 0.4 },
    { wave: "square", pitch: 1250, to: 900, length: 0.06, gain: 0.05 },
    { wave: "sine", pitch: 110, at: 0.02, length: 0.25, gain: 0.35 },
  ],
  buzz: [18],
};

/** The rock is too hard. */
export const GIVEN_UP: Sound = {
  voices: [
    { wave: "sine", pitch: 196, to: 130, length: 0.4, gain: 0.3 },
    { wave: "noise", pitch: 400, to: 160, length: 0.5, gain: 0.25 },
  ],
};
