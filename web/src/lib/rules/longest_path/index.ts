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
          { from: [20, 76], to: [86, 76], n: 1, colour: "red", owner: 1 },
          { from: [86, 76], to: [152, 76], n: 1, colour: "red", owner: 1 },
          { from: [152, 76], to: [152, 10], n: 1, colour: "red", owner: 1 },
          { from: [152, 10], to: [86, 10], n: 1, colour: "red", owner: 1 },
          { from: [86, 10], to: [86, 76], n: 1, colour: "red", owner: 1 },
        ],
      },
    ],
  },
} satisfies RuleDisplay;
