/** Keys that work anywhere at the table, outside of text fields and dialogs. */

import { display } from "$lib/game/view";
import { settings } from "$lib/settings.svelte";
import type { Play } from "./play.svelte";

interface BoardView {
  zoom(factor: number): void;
  whole(): void;
}

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select") !== null;

export function shortcut(event: KeyboardEvent, play: Play, board: BoardView | undefined): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (typing(event.target) || document.querySelector("dialog[open]")) return;
  const { board: facts } = play.table;
  const { view } = play.game;
  const key = event.key.toLowerCase();
  if (/^[1-5]$/.test(key) && facts && view) {
    const kind = display(view, facts)[Number(key) - 1];
    if (kind !== null && kind !== undefined) void play.try("take", kind);
  } else if (key === "d") void play.try("draw");
  else if (key === "t") void play.try("tickets");
  else if (key === "u") void play.table.takeBack(play.table.undoable);
  else if (key === "r") nextClaim(play);
  else if (key === "x") settings.text = true;
  else if (key === "escape") play.cancel();
  else if (key === "+" || key === "=") board?.zoom(1.25);
  else if (key === "-") board?.zoom(0.8);
  else if (key === "0") board?.whole();
  else return;
  event.preventDefault();
}

/** Goes to the next route that can be claimed, first to those on the way of one's tickets. */
function nextClaim(play: Play): void {
  const useful = (k: number): number => Number(play.helpful.has(k));
  const open = [...play.claim.open].toSorted((a, b) => useful(b) - useful(a) || a - b);
  const now = Number((document.activeElement as HTMLElement | null)?.dataset["route"] ?? -1);
  const next = open[(open.indexOf(now) + 1) % open.length];
  if (next !== undefined) document.querySelector<SVGElement>(`[data-route="${next}"]`)?.focus();
}
