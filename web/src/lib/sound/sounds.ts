/** The sounds of every board. What only one rule has is in that rule's folder. */

import { melody, type Sound } from "./sound";

/** A card slides over the table. */
export const CARD: Sound = {
  voices: [
    { wave: "noise", pitch: 2600, to: 5200, length: 0.09, gain: 0.22, attack: 0.03 },
    { wave: "noise", pitch: 900, at: 0.07, length: 0.04, gain: 0.18 },
  ],
};

/** A wagon set down on wood. */
export const WAGON: Sound = {
  voices: [
    { wave: "noise", pitch: 1500, length: 0.035, gain: 0.5 },
    { wave: "sine", pitch: 190, to: 120, length: 0.09, gain: 0.5 },
  ],
  buzz: [12],
};

/** A ticket is joined: two whistles. */
export const JOINED: Sound = {
  voices: [
    ...melody([784, 1175], 0.11, 0.34, 0.16),
    ...melody([988, 1480], 0.11, 0.34, 0.1, "sine"),
  ],
  buzz: [20, 60, 40],
};

/** Tickets are kept. */
export const KEPT: Sound = {
  voices: [
    { wave: "noise", pitch: 3400, to: 1800, length: 0.14, gain: 0.16, attack: 0.04 },
    { wave: "sine", pitch: 520, at: 0.1, length: 0.12, gain: 0.1 },
  ],
};

/** It is the reader's turn. */
export const TURN: Sound = { voices: melody([659, 880], 0.16, 0.5, 0.2, "sine"), buzz: [30] };

/** The last round: a station bell, three times. */
export const LAST_ROUND: Sound = {
  voices: [0, 0.42, 0.84].flatMap((at) => [
    { wave: "sine" as const, pitch: 1047, at, length: 0.7, gain: 0.2 },
    { wave: "sine" as const, pitch: 2794, at, length: 0.35, gain: 0.06 },
  ]),
  buzz: [60, 120, 60, 120, 60],
};

/** A line of the score is counted. */
export const COUNT: Sound = {
  voices: [{ wave: "triangle", pitch: 660, length: 0.12, gain: 0.14 }],
};

/** … and it costs points. */
export const COUNT_DOWN: Sound = {
  voices: [{ wave: "triangle", pitch: 330, to: 247, length: 0.24, gain: 0.16 }],
};

/** The winner: a short fanfare over a chord. */
export const WINNER: Sound = {
  voices: [
    ...melody([523, 659, 784, 1047], 0.15, 0.5, 0.17),
    ...[523, 659, 784].map((pitch) => ({
      wave: "sine" as const,
      ...{ pitch, at: 0.6, length: 1.5, gain: 0.1, attack: 0.05 },
    })),
  ],
  buzz: [40, 60, 40, 60, 160],
};
