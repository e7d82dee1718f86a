/** Which names of cities are shown at a size of the board, and how much larger than drawn. Pure. */

import type { CityPlace, Drawing } from "$lib/api/drawing";

/** Sizes of letters, from what can be read with ease to the smallest that can be read, in pixels. */
const EASE = 12;
const LETTERS = [10, 8];

/** From the edge of the board, in pixels: letters of this browser may be wider than was thought. */
const EDGE = 10;

/** Up to this factor nearly every name still has its room. */
const ROOMY = 1.25;

type Box = [left: number, top: number, right: number, bottom: number];

/** A name: by what it is enlarged about its city, and how far it is moved to stay on the board. */
export interface Name {
  factor: number;
  dx: number;
  dy: number;
}

function boxOf({ x, y, label }: CityPlace, factor: number): Box {
  const [left, top, width, height] = label.box;
  const at = (from: number, to: number): number => from + (to - from) * factor;
  return [at(x, left), at(y, top), at(x, left + width), at(y, top + height)];
}

/** The room below a line of letters, in pixels, which small letters may reach into. */
const BELOW = 1.5;

const meet = (a: Box, b: Box, slack: number): boolean =>
  a[0] < b[2] && b[0] < a[2] && a[1] + slack < b[3] && b[1] + slack < a[3];

/**
 * The names by the ids of their cities. `order` has all ids, the most important first: they get
 * their room first. What has no room in large letters may have some in small ones.
 */
export function namesAt(drawing: Drawing, k: number, order: readonly string[]): Map<string, Name> {
  const names = new Map<string, Name>();
  const taken: { box: Box; grown: boolean }[] = [];
  const margin = EDGE / k;
  const hold = (from: number, to: number, room: number): number =>
    from < margin ? margin - from : to > room - margin ? room - margin - to : 0;
  const roomy = EASE <= ROOMY * drawing.font * k;
  for (const [pass, letters] of (roomy ? [EASE, 0] : LETTERS).entries()) {
    const slack = pass > 0 ? BELOW / k : 0;
    const factor = Math.max(1, letters / (drawing.font * k));
    for (const id of order) {
      const city = drawing.cities[id];
      if (!city || names.has(id)) continue;
      const [left, top, right, bottom] = boxOf(city, factor);
      const dx = factor > 1 ? hold(left, right, drawing.width) : 0;
      const dy = factor > 1 ? hold(top, bottom, drawing.height) : 0;
      const box: Box = [left + dx, top + dy, right + dx, bottom + dy];
      // As they are drawn, names lie where the drawing wants them.
      const grown = factor > 1 || !roomy;
      if (taken.some((other) => (grown || other.grown) && meet(box, other.box, slack))) continue;
      taken.push({ box, grown });
      names.set(id, { factor, dx, dy });
    }
  }
  return names;
}
