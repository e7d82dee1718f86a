/** What festivals sound like. */

import { melody, type Sound } from "$lib/sound/sound";

/** A pile is taken: a few strums, one for each card. */
export const taken = (cards: number): Sound => ({
  voices: melody([587, 740, 880, 1175, 1480].slice(0, Math.min(5, cards + 1)), 0.08, 0.4, 0.15),
  buzz: [15, 40, 15, 40, 15],
});

/** A card is laid at a city. */
export const PLACED: Sound = {
  voices: melody([1760, 1480], 0.06, 0.18, 0.08, "sine"),
};
