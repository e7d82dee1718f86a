/** Which hint fits the moment, if it has not been read yet. */

import { rulesOf } from "$lib/rules/registry";
import type { Hint } from "$lib/rules/rule";
import type { Play } from "$lib/table/play.svelte";

/** The hints of the guided game; the first that fits is shown. */
const GUIDED: Hint[] = [
  { name: "end", fits: (play) => play.game.table?.status === "over" },
  { name: "last", fits: (play) => play.lastRound > 0 },
  { name: "tickets", fits: (play) => play.keeps.length > 0 },
  { name: "pay", fits: (play) => play.paying, at: () => "[data-strip] [data-slot]" },
  {
    name: "second",
    fits: (play) => play.game.decision?.phase === "draw",
    at: () => '[data-at="deck"]',
  },
  { name: "turn", fits: isTurn, at: () => '[data-at="slot-0"]' },
  { name: "map", fits: isTurn },
  { name: "claim", fits: (play) => isTurn(play) && play.claim.open.size > 0, at: routeInReach },
  { name: "score", fits: (play) => isTurn(play) && play.owner.includes(play.me + 1) },
  {
    name: "more",
    fits: (play) => isTurn(play) && play.tickets.some(({ done }) => done),
    at: () => '[data-at="tickets"]',
  },
];

function isTurn(play: Play): boolean {
  return play.game.decision?.phase === "turn" && !play.paying;
}

/** A route that can be claimed, on the way of a ticket if there is one. */
function routeInReach(play: Play): string {
  const [route] = [...play.claim.open].toSorted(
    (a, b) => Number(play.helpful.has(b)) - Number(play.helpful.has(a)),
  );
  return `[data-route="${route}"]`;
}

/** The hint to show: one of the board's rules, or of the guided game. */
export function hintFor(play: Play, seen: readonly string[], guided: boolean): Hint | null {
  if (!play.game.view || play.me < 0) return null;
  const ofRules = rulesOf(play.table.board).flatMap(({ hints }) => hints ?? []);
  return (
    [...ofRules, ...(guided ? GUIDED : [])].find(
      ({ name, fits }) => !seen.includes(name) && fits(play),
    ) ?? null
  );
}
