/** Which names of cities are shown at a size of the board, and how much larger than drawn. Pure. */

import type { CityPlace, Drawing } from "$lib/api/drawing";

/** The smallest letters that can be read, in pixels. */
const LEAST = 10;

/** From the edge of the board, in pixels: letters of this browser may be wider than was thought. */
const EDGE = 10;

/** Up to this factor every name still has its room. */
const ROOMY = 1.25;

type Box = [left: number, top: number, right: number, bottom: number];

export interface Names {
  /** By what names are enlarged about their city. */
  factor: number;
  /** By city: how far its name is moved to stay on the board. Cities without one have no name. */
  shift: Map<string, [number, number]>;
}

function boxOf({ x, y, label }: CityPlace, factor: number): Box {
  const [left, top, width, height] = label.box;
  const at = (from: number, to: number): number => from + (to - from) * factor;
  return [at(x, left), at(y, top), at(x, left + width), at(y, top + height)];
}

const meet = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** `order` are the ids of the cities, the most important first: they get their names first. */
export function namesAt(drawing: Drawing, k: number, order: readonly string[]): Names {
  const factor = Math.max(1, LEAST / (drawing.font * k));
  const shift = new Map<string, [number, number]>();
  const taken: Box[] = [];
  const margin = EDGE / k;
  const hold = (from: number, to: number, room: number): number =>
    from < margin ? margin - from : to > room - margin ? room - margin - to : 0;
  for (const id of order) {
    const city = drawing.cities[id];
    if (!city) continue;
    const [left, top, right, bottom] = boxOf(city, factor);
    const dx = factor > 1 ? hold(left, right, drawing.width) : 0;
    const dy = factor > 1 ? hold(top, bottom, drawing.height) : 0;
    const box: Box = [left + dx, top + dy, right + dx, bottom + dy];
    if (factor > ROOMY && taken.some((other) => meet(box, other))) continue;
    taken.push(box);
    shift.set(id, [dx, dy]);
  }
  return { factor, shift };
}
