/** Which names of cities are shown at a size of the board, how large, and on which side. Pure. */

import type { CityPlace, Drawing, Label } from "$lib/api/drawing";

/** Sizes of letters, from what can be read with ease to the smallest that can be read, in pixels. */
const EASE = 12;
const LETTERS = [10, 9, 8];

/** From the edge of the board, in pixels: letters of this browser may be wider than was thought. */
const EDGE = 10;

/** Up to this factor nearly every name still has its room. */
const ROOMY = 1.25;

/** Between a dot and letters as large as drawn: on a side that was not drawn, and at least. */
const GAP = 2;
const LEAST = 1;

/** How much further than its own dot any other is from a name at least, squared. */
const FURTHER = 1.5;

/** What else costs as much as a part of a space that a name covers: */
const COSTS = {
  /** the line between a city and a first space, if the name covers that; */
  track: 0.3,
  /** another side than the one that was drawn, and a later one of those; */
  aside: 0.1,
  later: 0.01,
  /** the next smaller size of letters; */
  small: 0.3,
  /** being cut by the edge of the window; */
  cut: 3,
  /** on a large board letters as small as drawn. */
  drawn: 10,
};

/** Where an enlarged name may stand if it can't as drawn: beside, above and below its dot, between. */
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [0.8, -0.8],
  [0.8, 0.8],
  [-0.8, -0.8],
  [-0.8, 0.8],
  [1, -0.45],
  [1, 0.45],
  [-1, -0.45],
  [-1, 0.45],
  [0.45, -1],
  [-0.45, -1],
  [0.45, 1],
  [-0.45, 1],
] as const;

/** How often names look for a better place when all have one. */
const ROUNDS = 2;

export type Box = [left: number, top: number, right: number, bottom: number];

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
  cost: number;
  /** Not as it is drawn: it must not lie on another name. */
  grown: boolean;
  /** Other names may reach into its lowest part: the room below small letters. */
  slack: number;
}

/** The room below a line of letters, in pixels, which small letters may reach into. */
const BELOW = 1.5;

const meet = (a: Box, b: Box, slack = 0): boolean =>
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

/** How far something between two edges has to move to lie in a room, if it can. */
const hold = (from: number, to: number, low: number, high: number): number =>
  from < low ? low - from : to > high ? Math.max(low - from, high - to) : 0;

const EVERYWHERE: Box = [-Infinity, -Infinity, Infinity, Infinity];
const inset = ([left, top, right, bottom]: Box, by: number): Box => [
  left + by,
  top + by,
  right - by,
  bottom - by,
];
const cut = (box: Box, by: Box): boolean =>
  box[0] < by[0] || box[1] < by[1] || box[2] > by[2] || box[3] > by[3];
const within = (a: Box, b: Box): Box => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
];

type Place = Pick<Spot, "box" | "name">;

/** Where a name may stand: as it is drawn, then elsewhere; moved into a room if it is outside. */
function placesOf(
  { dot }: Drawing,
  city: CityPlace,
  factor: number,
  [west, north, east, south]: Box,
): Place[] {
  const { x, y, label } = city;
  const [left, top, width, height] = label.box;
  const [wide, high] = [width * factor, height * factor];
  const place = (left: number, up: number, at: number, anchor: Label["anchor"]): Place => {
    const dx = hold(left, left + wide, west, east);
    const dy = hold(up, up + high, north, south);
    return {
      box: [left + dx, up + dy, left + wide + dx, up + high + dy],
      name: { factor, x: at + dx, y: up + dy + (label.y - top) * factor, anchor },
    };
  };
  // The gap grows with the letters, the dot does not: the name grows about what is nearest to it.
  const [nx, ny] = [towards(x, left, left + width), towards(y, top, top + height)];
  const far = Math.hypot(nx, ny);
  const part = far > dot ? (dot + (far - dot) * factor) / far : factor;
  const grown = (from: number, near: number, to: number): number =>
    from + near * part + (to - from - near) * factor;
  const gap = dot + GAP * factor;
  /** From a dot to the edge of the name that is nearer the less it lies to that side. */
  const shift = (part: number, size: number): number =>
    part * gap + (((Math.abs(part) > 0.5 ? Math.sign(part) : part) - 1) * size) / 2;
  return [
    place(grown(x, nx, left), grown(y, ny, top), grown(x, nx, label.x), label.anchor),
    ...SIDES.map(([ux, uy]) => {
      const [west, north] = [x + shift(ux, wide), y + shift(uy, high)];
      if (ux > 0.5) return place(west, north, west, "start");
      if (ux < -0.5) return place(west, north, west + wide, "end");
      return place(west, north, west + wide / 2, "middle");
    }),
  ];
}

/** Something that a name would cover: a disc, and what that costs. */
interface Disc {
  x: number;
  y: number;
  radius: number;
  cost: number;
}

/** Spaces as three discs each, and the lines between cities and their first spaces. */
function discsOf({ routes, cities, car }: Drawing): Disc[] {
  const half = car.width / 2;
  const reach = car.length / 2 - half;
  return routes.flatMap(({ between, spaces }) => {
    const discs = spaces.flatMap(([x, y, angle]) => {
      const turn = (angle * Math.PI) / 180;
      const [dx, dy] = [reach * Math.cos(turn), reach * Math.sin(turn)];
      return [-1, 0, 1].map((at): Disc => ({
        ...{ x: x + at * dx, y: y + at * dy },
        ...{ radius: half, cost: 1 / 3 },
      }));
    });
    const tracks = between.flatMap((id, end) => {
      const [city, first] = [cities[id], discs.at(-end)];
      if (!city || !first) return [];
      return [0.4, 0.75].map((part): Disc => {
        const [x, y] = [city.x + part * (first.x - city.x), city.y + part * (first.y - city.y)];
        return { x, y, radius: half / 2, cost: COSTS.track / 2 };
      });
    });
    return [...discs, ...tracks];
  });
}

/** The discs that a name beside a city may cover; the city itself is none of them. */
function near(discs: readonly Disc[], { x, y, label }: CityPlace, factor: number): Disc[] {
  const [, , width, height] = label.box;
  const [wide, high] = [(width + height) * factor, 2.5 * height * factor];
  return discs.filter(
    (disc) =>
      Math.abs(disc.x - x) < wide && Math.abs(disc.y - y) < high && (disc.x !== x || disc.y !== y),
  );
}

/** What a name in a box costs for what it covers. */
function covered(box: Box, discs: readonly Disc[]): number {
  let sum = 0;
  for (const { x, y, radius, cost } of discs) {
    const away = apart(x, y, box);
    if (away < radius * radius) sum += cost * (1 - Math.sqrt(away) / radius);
  }
  return sum;
}

/** What is on a board is the same at every size. */
const known = new WeakMap<Drawing, Disc[]>();
function discsIn(drawing: Drawing): Disc[] {
  const discs = known.get(drawing) ?? discsOf(drawing);
  known.set(drawing, discs);
  return discs;
}

/** Where the name of a city may stand at a size of the board, for each size of letters. */
function spotsAt(drawing: Drawing, k: number, sight?: Box): ((city: CityPlace) => Spot[])[] {
  const dots = Object.values(drawing.cities).map(({ x, y }) => ({ x, y, radius: 0, cost: 0 }));
  const discs = discsIn(drawing);
  // What rules keep near cities has its room before any name.
  const kept = (drawing.places ?? []).map(({ x, y, width, height }): Box => [
    x - width / 2,
    y - height / 2,
    x + width / 2,
    y + height / 2,
  ]);
  const roomy = EASE <= ROOMY * drawing.font * k;
  return (roomy ? [EASE, 0] : LETTERS).map((letters, j) => {
    const factor = Math.max(1, letters / (drawing.font * k));
    const slack = j > 0 ? BELOW / k : 0;
    const margin = factor > 1 ? EDGE / k : -Infinity;
    const board = inset([0, 0, drawing.width, drawing.height], margin);
    const least = (drawing.dot + LEAST * factor) ** 2;
    return (city) => {
      const part = sight && apart(city.x, city.y, sight) === 0 ? inset(sight, EDGE / k) : undefined;
      if (roomy && factor === 1) {
        // As they are drawn, names lie where the drawing wants them.
        const [drawn] = placesOf(drawing, city, 1, EVERYWHERE);
        if (drawn && !(part && cut(drawn.box, part)))
          return [{ ...drawn, grown: false, slack, cost: COSTS.drawn }];
      }
      const around = near(discs, city, factor);
      const others = near(dots, city, 2 * factor);
      /** Whether it covers no dot and nothing that rules keep there, and is clearly next to its own dot. */
      const free = (box: Box): boolean => {
        const own = apart(city.x, city.y, box);
        return (
          own >= least &&
          others.every(({ x, y }) => apart(x, y, box) > FURTHER * own) &&
          !kept.some((other) => meet(box, other, slack))
        );
      };
      const spots: Spot[] = [];
      const add = (room: Box, cost: number): void => {
        for (const [side, { box, name }] of placesOf(drawing, city, factor, room).entries()) {
          if (!free(box)) continue;
          const aside = side > 0 ? COSTS.aside + side * COSTS.later : 0;
          const all = cost + j * COSTS.small + aside + covered(box, around);
          spots.push({ box, name, grown: true, slack, cost: all });
        }
      };
      if (part) add(within(board, part), 0);
      add(board, part ? COSTS.cut : 0);
      return spots.sort((one, two) => one.cost - two.cost);
    };
  });
}

/**
 * The names by the ids of their cities. `order` has all ids, the most important first: they get
 * their room first. Each stands where it covers fewest spaces, in large letters if it can. With a
 * part of the board in `sight`, the names of the cities in it are not cut if there is room.
 */
export function namesAt(
  drawing: Drawing,
  k: number,
  order: readonly string[],
  sight?: Box,
): Map<string, Name> {
  const ids = order.filter((id) => id in drawing.cities);
  const sizes = spotsAt(drawing, k, sight).map((spotsOf) => {
    const made = new Map<string, Spot[]>();
    return (id: string): Spot[] => {
      const city = drawing.cities[id];
      const spots = made.get(id) ?? (city ? spotsOf(city) : []);
      made.set(id, spots);
      return spots;
    };
  });
  const names = new Map<string, Spot>();
  const clash = (one: Spot, two: Spot): boolean =>
    (one.grown || two.grown) && meet(one.box, two.box, Math.max(one.slack, two.slack));
  const inTheWay = (id: string, spot: Spot): string[] => {
    const others: string[] = [];
    for (const [other, taken] of names) if (other !== id && clash(spot, taken)) others.push(other);
    return others;
  };
  /** Takes the best place that is free: in small letters only if that is better or all there is. */
  const place = (id: string): boolean => {
    let best: Spot | undefined;
    for (const [j, spots] of sizes.entries()) {
      if (best && best.cost <= j * COSTS.small) break;
      const found = spots(id).find((spot) => inTheWay(id, spot).length === 0);
      if (found && (!best || found.cost < best.cost)) best = found;
    }
    if (best) names.set(id, best);
    return best !== undefined;
  };
  /** Takes a place from others that have another one. */
  const insist = (id: string): void => {
    for (const spot of sizes.flatMap((spots) => spots(id))) {
      const before = new Map(names);
      const others = inTheWay(id, spot);
      names.set(id, spot);
      for (const other of others) names.delete(other);
      if (others.every(place)) return;
      names.clear();
      for (const [other, taken] of before) names.set(other, taken);
    }
  };
  for (const id of ids) place(id);
  for (let round = 0; round < ROUNDS; round++) {
    for (const id of ids) if (!names.has(id)) insist(id);
    for (const id of ids) if (names.has(id)) place(id);
  }
  return new Map([...names].map(([id, { name }]) => [id, name]));
}
