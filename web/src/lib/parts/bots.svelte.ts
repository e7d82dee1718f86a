/** The bots that can be seated: four levels, and what the host of the server offers of its own. */

import type { OwnBot } from "$lib/api/facts";
import * as http from "$lib/api/http";
import { t } from "$lib/words/words.svelte";

export const LEVELS = ["easy", "normal", "hard", "expert"];

/** Who may sit in a seat instead of a bot: someone at this device, or whoever gets the link. */
export const PEOPLE = ["here", "friend"];

let own = $state<OwnBot[]>([]);

/** Asks the server for its own bots; without an answer there are the levels. */
export async function askForBots(): Promise<void> {
  try {
    own = (await http.about()).bots;
  } catch {
    own = [];
  }
}

/** The host's own bots. */
export const ownBots = (): OwnBot[] => own;

/** A bot that can be seated here: the one that was chosen before, unless it is gone. */
export const known = (level: string): string =>
  PEOPLE.includes(level) || LEVELS.includes(level) || own.some((bot) => bot.level === level)
    ? level
    : "normal";

/** What a bot is called in a list of opponents. */
export const botName = (level: string): string =>
  own.find((bot) => bot.level === level)?.name ?? t(`level.${level}`);
