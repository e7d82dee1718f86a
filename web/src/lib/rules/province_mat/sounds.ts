/** What the Province mat sounds like. */

import { melody, type Sound } from "$lib/sound/sound";

/** A train is set down on the mat. */
export const PLACED: Sound = { voices: melody([440], 0, 0.2, 0.16), buzz: [12] };

/** … and takes the lead on its line. */
export const LEAD_TAKEN: Sound = {
  voices: melody([440, 554, 659], 0.09, 0.32),
  buzz: [15, 50, 30],
};

/** The reader no longer leads there. */
export const LEAD_LOST: Sound = { voices: melody([440, 349], 0.14, 0.36), buzz: [60] };
