/**
 * Where the furniture of a table stands. It depends on the window, the shape of the board and the
 * number of seats, and on nothing else: whatever has to be decided, the board stays where it is. Pure.
 */

import { type Insets, type Size } from "$lib/board/viewport";

/**
 * `wide`: cards below the board, everyone at the right. `tall`: cards at the left. `column`: all of
 * it at the right. `low` and `phone`: the same place shows cards, tickets or the log by turns, at the
 * right or below.
 */
export type Arrangement = "wide" | "tall" | "column" | "low" | "phone";

export interface Layout {
  name: Arrangement;
  /** What the furniture takes from each edge of the window, in pixels. */
  room: Insets;
}

const LOW = 520;
const NARROW = 640;
/** A window that has room for a column on each side of a board. */
const TWO_COLUMNS = 1180;

/** The lines above the board of a phone: the bar, and one for each seat. */
const BAR = 42;
const SEAT = 27;
/** Below it: what is to do, the place for cards or a panel, and the tabs. */
const FOOT = 328;

/** The most that the cards take below a board, and what stays free around it. */
const DOCK = 190;
const SLACK = 4;

const between = (least: number, value: number, most: number): number =>
  Math.round(Math.min(Math.max(value, least), most));

export function layoutFor(window: Size, board: Size, seats: number): Layout {
  const { width, height } = window;
  const aspect = board.width / board.height;
  if (width < NARROW || (width < 900 && height > width))
    return {
      name: "phone",
      room: { left: 0, right: 0, top: BAR + 6 + SEAT * seats, bottom: FOOT },
    };
  const column = between(between(264, width * 0.34, 288), width - height * aspect, 340);
  if (height < LOW) return { name: "low", room: { left: 0, right: column, top: 0, bottom: 0 } };
  if (aspect >= 1) {
    const right = between(240, width * 0.1834, 320);
    const least = between(126, height * 0.1445, 150);
    // What the board leaves free below, as wide as it can be, is for the cards.
    const spare = Math.floor(height - (width - right) / aspect) - SLACK;
    return {
      name: "wide",
      room: { left: 0, right, top: 0, bottom: between(least, spare, DOCK) },
    };
  }
  if (width < TWO_COLUMNS)
    return { name: "column", room: { left: 0, right: column, top: 0, bottom: 0 } };
  return {
    name: "tall",
    room: {
      left: between(280, width * 0.22, 380),
      right: between(240, width * 0.19, 340),
      top: 0,
      bottom: 0,
    },
  };
}

/** Whether cards and panels share a place. */
export const takesTurns = (name: Arrangement): boolean => name === "low" || name === "phone";
