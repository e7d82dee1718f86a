/** Which names of cities are shown at a size of the board, how large, and on which side. Pure. */

import type { CityPlace, Drawing, Label } from "$lib/api/drawing";

/** Sizes of letters, from what can be read with ease to the smallest that can be read, in pixels. */
const EASE = 12;
const LETTERS = [10, 8];

/** From the edge of the board, in pixels: letters of this browser may be wider than was thought. */
const EDGE = 10;

/** Up to this factor nearly every name still has its room. */
const ROOMY = 1.25;

/** Between a dot and letters as large as drawn: on a side that was not drawn, and at least. */
const GAP = 2;
const LEAST = 1;

/** How much further than its own dot any other is from a name at least, squared. */
const FURTHER = 1.5;

/** Where an enlarged name may stand if it can't as drawn: beside, above and below its dot, between. */
const SIDES = [
  [1, 0, "start"],
  [-1, 0, "end"],
  [0, -1, "middle"],
  [0, 1, "middle"],
  [0.8, -0.8, "start"],
  [0.8, 0.8, "start"],
  [-0.8, -0.8, "end"],
  [-0.8, 0.8, "end"],
] as const;

type Box = [left: number, top: number, right: number, bottom: number];

/** A name: by what it is enlarged, and where its first line stands. */
export interface Name {
  factor: number;
  x: number;
  y: number;
  anchor: Label["anchor"];
}

interface Spot {
  box: Box;
  name: Name;
}

/** The room below a line of letters, in pixels, which small letters may reach into. */
const BELOW = 1.5;

const meet = (a: Box, b: Box, slack: number): boolean =>
  a[0] < b[2] && b[0] < a[2] && a[1] + slack < b[3] && b[1] + slack < a[3];

/** From a place to what is nearest to it between two edges. */
const towards = (at: number, from: number, to: number): number =>
  at < from ? from - at : at > to ? to - at : 0;

/** How far a place is from a box, squared. */
function apart(x: number, y: number, box: Box): number {
  const dx = towards(x, box[0], box[2]);
  const dy = towards(y, box[1], box[3]);
  return dx * dx + dy * dy;
}

/** Where a name may stand, `margin` from the edges of the board: as it is drawn, then elsewhere. */
function spotsOf(
  drawing: Drawing,
  city: CityPlace,
  factor: number,
  margin: number,
): [Spot, ...Spot[]] {
  const { x, y, label } = city;
  const [left, top, width, height] = label.box;
  const [wide, high] = [width * factor, height * factor];
  const hold = (from: number, to: number, room: number): number =>
    from < margin ? margin - from : to > room - margin ? room - margin - to : 0;
  const spot = (left: number, up: number, at: number, anchor: Label["anchor"]): Spot => {
    const dx = hold(left, left + wide, drawing.width);
    const dy = hold(up, up + high, drawing.height);
    return {
      box: [left + dx, up + dy, left + wide + dx, up + high + dy],
      name: { factor, x: at + dx, y: up + dy + (label.y - top) * factor, anchor },
    };
  };
  // The gap grows with the letters, the dot does not: the name grows about what is nearest to it.
  const [nx, ny] = [towards(x, left, left + width), towards(y, top, top + height)];
  const far = Math.hypot(nx, ny);
  const part = far > drawing.dot ? (drawing.dot + (far - drawing.dot) * factor) / far : factor;
  const grown = (from: number, near: number, to: number): number =>
    from + near * part + (to - from - near) * factor;
  const drawn = spot(grown(x, nx, left), grown(y, ny, top), grown(x, nx, label.x), label.anchor);
  const gap = drawing.dot + GAP * factor;
  const others = SIDES.map(([ux, uy, anchor]) => {
    const [sx, sy] = [x + ux * gap, y + uy * gap];
    const up = sy + ((Math.sign(uy) - 1) * high) / 2;
    return spot(sx + ((Math.sign(ux) - 1) * wide) / 2, up, sx, anchor);
  });
  return [drawn, ...others];
}

/**
 * The names by the ids of their cities. `order` has all ids, the most important first: they get
 * their room first. What has no room in large letters may have some in small ones.
 */
export function namesAt(drawing: Drawing, k: number, order: readonly string[]): Map<string, Name> {
  const names = new Map<string, Name>();
  const cities = Object.values(drawing.cities);
  const spaces = drawing.routes.flatMap((route) => route.spaces);
  /** How many spaces of routes lie under a name. */
  const covered = (box: Box): number =>
    spaces.filter((at) => apart(at[0], at[1], box) === 0).length;
  // What rules keep near cities has its room before any name.
  const taken = (drawing.places ?? []).map(({ x, y, width, height }) => {
    const box: Box = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
    return { box, grown: false };
  });
  const roomy = EASE <= ROOMY * drawing.font * k;
  for (const [pass, letters] of (roomy ? [EASE, 0] : LETTERS).entries()) {
    const slack = pass > 0 ? BELOW / k : 0;
    const factor = Math.max(1, letters / (drawing.font * k));
    const margin = factor > 1 ? EDGE / k : -Infinity;
    // As they are drawn, names lie where the drawing wants them.
    const grown = factor > 1 || !roomy;
    const least = (drawing.dot + LEAST * factor) ** 2;
    for (const id of order) {
      const city = drawing.cities[id];
      if (!city || names.has(id)) continue;
      /** On no other name and on no dot, and clearly beside its own one. */
      const free = ({ box }: Spot): boolean => {
        if (taken.some((other) => (grown || other.grown) && meet(box, other.box, slack)))
          return false;
        if (!grown) return true;
        const own = apart(city.x, city.y, box);
        return (
          own >= least &&
          cities.every((other) => other === city || apart(other.x, other.y, box) > FURTHER * own)
        );
      };
      const [drawn, ...others] = spotsOf(drawing, city, factor, margin);
      let found = free(drawn) ? drawn : undefined;
      if (!found && grown) {
        const costs = others.filter(free).map((spot) => ({ spot, cost: covered(spot.box) }));
        found = costs.toSorted((one, two) => one.cost - two.cost)[0]?.spot;
      }
      if (!found) continue;
      taken.push({ box: found.box, grown });
      names.set(id, found.name);
    }
  }
  return names;
}
