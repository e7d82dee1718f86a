/** The bonus for the longest path. */

import type { RuleDisplay } from "../rule";
import { trail } from "./trail";

export default {
  rule: "longest_path",
  common: true,
  bonus: true,
  scores: {
    longest_path: { shows: ({ board, own }, { ref }) => ({ routes: trail(board, own, ref) }) },
  },
  examples: {
    "BASE-14": [
      {
        name: "trail",
        tracks: [
          { from: [20, 40], to: [80, 40], n: 1, colour: "red", owner: 1 },
          { from: [80, 40], to: [130, 10], n: 1, colour: "red", owner: 1 },
          { from: [130, 10], to: [130, 70], n: 1, colour: "red", owner: 1 },
          { from: [130, 70], to: [80, 40], n: 1, colour: "red", owner: 1 },
        ],
      },
    ],
  },
} satisfies RuleDisplay;
