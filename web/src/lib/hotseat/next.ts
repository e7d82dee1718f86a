/** Who of those that share this device should have it. Pure. */

import type { Game } from "$lib/game/fold";
import { one, waiting } from "$lib/game/view";

/** Several people share this device. */
export const isShared = ({ held }: Game): boolean => held.length > 1;

/** The seats of this device that owe a decision, in the order of play; a bot decides for itself. */
export function owing({ table, view, held }: Game): number[] {
  if (!table || !view || table.status !== "playing") return [];
  const seats = table.seats.length;
  const turn = one(view, "turn");
  const place = (seat: number): number => (seat - turn + seats) % seats;
  return waiting(view, seats)
    .filter((seat) => held.includes(seat) && !table.seats[seat]?.stand_in)
    .toSorted((a, b) => place(a) - place(b));
}

/** The seat to which the device has to be passed; null: whoever has it may keep it. */
export function next(game: Game): number | null {
  if (!isShared(game)) return null;
  const due = owing(game);
  return due.includes(game.seat) ? null : (due[0] ?? null);
}
