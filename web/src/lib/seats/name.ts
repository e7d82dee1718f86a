/** A seat's name in two parts: what it is called, and the level of a bot, which small places leave out. Pure. */

import type { SeatInfo } from "$lib/api/messages";

export function nameParts({ name, kind }: Pick<SeatInfo, "name" | "kind">): [string, string] {
  const [, short = name, level = ""] =
    kind === "bot" ? (/^(.+?)(\s\([^()]*\))$/.exec(name) ?? []) : [];
  return [short, level];
}
