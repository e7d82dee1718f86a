/** Which hint fits the moment, if it has not been read yet. */

import type { Play } from "./play.svelte";

/** The hints of the guided game, each with its moment; the first that fits is shown. */
const HINTS: [name: string, fits: (play: Play) => boolean][] = [
  ["end", (play) => play.game.table?.status === "over"],
  ["last", (play) => play.lastRound > 0],
  ["tickets", (play) => play.keeps.length > 0],
  ["pay", (play) => play.paying],
  ["second", (play) => play.game.decision?.phase === "draw"],
  ["turn", isTurn],
  ["map", isTurn],
  ["claim", (play) => isTurn(play) && play.claim.open.size > 0],
  ["score", (play) => isTurn(play) && play.owner.includes(play.me + 1)],
  ["more", (play) => isTurn(play) && play.tickets.some(({ done }) => done)],
];

function isTurn(play: Play): boolean {
  return play.game.decision?.phase === "turn" && !play.paying;
}

export function hintFor(play: Play, seen: readonly string[]): string | null {
  if (!play.game.view) return null;
  return HINTS.find(([name, fits]) => !seen.includes(name) && fits(play))?.[0] ?? null;
}

/** What a hint points at, as a selector of the page; empty: nothing in particular. */
export function targetOf(hint: string, play: Play): string {
  const [route] = [...play.claim.open].toSorted(
    (a, b) => Number(play.helpful.has(b)) - Number(play.helpful.has(a)),
  );
  if (hint === "claim" && route !== undefined) return `[data-route="${route}"]`;
  return (
    { turn: '[data-at="slot-0"]', second: '[data-at="deck"]', more: '[data-at="tickets"]' }[hint] ??
    ""
  );
}
