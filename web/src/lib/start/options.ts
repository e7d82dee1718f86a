/** What can be chosen for a new table beside its board and its players. */

import { t } from "$lib/words/words.svelte";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** The clocks on offer: none, so long for each move, so long for a whole game. */
export const CLOCKS = [
  { kind: "none", seconds: 0 },
  { kind: "move", seconds: 30 },
  { kind: "move", seconds: MINUTE },
  { kind: "move", seconds: 3 * MINUTE },
  { kind: "move", seconds: DAY },
  { kind: "move", seconds: 3 * DAY },
  { kind: "game", seconds: 10 * MINUTE },
  { kind: "game", seconds: 20 * MINUTE },
  { kind: "game", seconds: 45 * MINUTE },
];

/** The least time between two moves of bots, in milliseconds. */
export const PACES = [0, 1000, 2000, 4000];

export function duration(seconds: number): string {
  if (seconds >= DAY) return t("time.days", { n: seconds / DAY });
  if (seconds >= MINUTE) return t("time.minutes", { n: seconds / MINUTE });
  return t("time.seconds", { n: seconds });
}
