import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CityPlace, Drawing, RoutePlace } from "../src/lib/api/drawing";
import { plainDrawing } from "../src/lib/board/fallback";
import { namesAt, type Box, type Name } from "../src/lib/board/labels";
import { nearest, nearestCity } from "../src/lib/board/nearest";
import { fill, fit, roomIn } from "../src/lib/board/viewport";
import { layoutFor } from "../src/lib/table/arrangement";
import { board } from "./board";

const city = (x: number, y: number) => ({
  x,
  y,
  label: {
    x: x + 10,
    y,
    anchor: "start" as const,
    box: [x + 10, y - 8, 60, 16] as [number, number, number, number],
    lines: {},
  },
});
const drawing = {
  width: 1000,
  height: 600,
  dot: 7,
  font: 15,
  car: { length: 32, width: 12 },
  cities: { oslo: city(200, 100), moss: city(200, 126), bodo: city(950, 300) },
  routes: [
    { between: ["oslo", "moss"], path: "", spaces: [[100, 100, 0]] },
    { between: ["oslo", "bodo"], path: "", spaces: [[100, 160, 90]] },
  ],
} as unknown as Drawing;
const order = ["oslo", "moss", "bodo"];
const asDrawn = (place?: CityPlace): Name | undefined =>
  place && { factor: 1, x: place.label.x, y: place.label.y, anchor: place.label.anchor };

test("a board of its own size has all names, as drawn", () => {
  const names = namesAt(drawing, 1, order);
  expect([...names]).toEqual(order.map((id) => [id, asDrawn(drawing.cities[id])]));
});

/** The same board with what leaves no room there: left, top, right and bottom. */
const walled = (
  cities: Drawing["cities"],
  ...walls: [number, number, number, number][]
): Drawing => ({
  ...drawing,
  cities,
  places: walls.map(([left, top, right, bottom]) => ({
    rule: "",
    id: "",
    cities: [],
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    width: right - left,
    height: bottom - top,
  })),
});
/** All names have to stand at the right of their cities, between two heights. */
const between = (cities: Drawing["cities"], top: number, bottom: number): Drawing =>
  walled(cities, [0, 0, 195, 600], [0, 0, 1000, top], [0, bottom, 1000, 600]);

test("on a small board names stay readable, and the more important one is shown", () => {
  const cities = { oslo: city(200, 300), moss: city(520, 300) };
  const pair = walled(
    cities,
    [0, 0, 195, 600],
    [525, 0, 1000, 600],
    [0, 0, 1000, 263],
    [0, 337, 1000, 600],
  );
  const names = namesAt(pair, 0.15, order);
  expect((names.get("oslo")?.factor ?? 0) * pair.font * 0.15).toBeCloseTo(10);
  expect([...names.keys()]).toEqual(["oslo"]);
  expect([...namesAt(pair, 0.15, ["moss", "oslo"]).keys()]).toEqual(["moss"]);
});

test("between a dot and its name is as much as drawn for letters of that size", () => {
  const alone = namesAt(walled({ oslo: city(200, 100) }), 0.3, order);
  const { factor = 0, x = 0 } = alone.get("oslo") ?? {};
  expect(x - 200 - drawing.dot).toBeCloseTo((10 - drawing.dot) * factor);
});

test("what has no room in large letters may have some in small ones", () => {
  const names = (high: number) =>
    namesAt(between({ oslo: city(200, 100) }, 100 - high / 2, 100 + high / 2), 0.4, order);
  expect(names(28).get("oslo")?.factor).toBeCloseTo(10 / 6);
  expect(names(26).get("oslo")?.factor).toBeCloseTo(9 / 6);
  expect(names(15).get("oslo")?.factor).toBeCloseTo(8 / 6);
  expect(names(12).size).toBe(0);
});

test("without room where it is drawn a name stands on the side that covers fewest spaces", () => {
  const oslo = { oslo: city(200, 150) };
  const right: [number, number, number, number] = [212, 145, 1000, 155];
  const anchor = (board: Drawing) => namesAt(board, 0.4, order).get("oslo")?.anchor;
  expect(anchor(walled(oslo))).toBe("start");
  expect(anchor(walled(oslo, right))).toBe("middle");
  expect(anchor({ ...walled(oslo, right), routes: [] })).toBe("end");
});

/** The same board with these spaces. */
const crowded = (board: Drawing, ...spaces: [number, number, number][]): Drawing => ({
  ...board,
  routes: spaces.map((space) => ({ between: ["oslo", "bodo"], path: "", spaces: [space] })),
});

test("an enlarged name leaves its side for one where it covers no space", () => {
  const oslo = walled({ oslo: city(200, 150) });
  const anchor = (board: Drawing) => namesAt(board, 0.4, order).get("oslo")?.anchor;
  expect(anchor(crowded(oslo, [260, 190, 0]))).toBe("start");
  expect(anchor(crowded(oslo, [260, 150, 0]))).toBe("end");
  expect(anchor(crowded(oslo, [260, 150, 0], [140, 150, 0]))).toBe("middle");
});

test("letters get smaller where large ones would cover spaces", () => {
  const oslo = between({ oslo: city(200, 150) }, 128, 172);
  const factor = (away: number) => {
    const [above, below] = [150 - away, 150 + away];
    const lined = crowded(oslo, [230, above, 0], [270, above, 0], [230, below, 0], [270, below, 0]);
    return namesAt(lined, 0.4, order).get("oslo")?.factor;
  };
  expect(factor(20)).toBeCloseTo(10 / 6);
  expect(factor(17)).toBeCloseTo(8 / 6);
});

test("a name gives way to another that has no other place", () => {
  const pair = { oslo: city(200, 300), moss: city(360, 300) };
  const walls: Box[] = [
    [365, 0, 1000, 600],
    [300, 0, 420, 285],
    [300, 315, 420, 600],
  ];
  const anchors = (cities: Drawing["cities"]) =>
    [...namesAt(walled(cities, ...walls), 0.4, order)].map(([id, { anchor }]) => [id, anchor]);
  expect(anchors({ oslo: pair.oslo })).toEqual([["oslo", "start"]]);
  expect(anchors(pair)).toEqual([
    ["moss", "end"],
    ["oslo", "end"],
  ]);
});

test("a name that the window would cut stands elsewhere, if there is room", () => {
  const oslo = walled({ oslo: city(200, 150) });
  const tight = walled(
    { oslo: city(200, 150) },
    [0, 0, 195, 600],
    [0, 0, 1000, 130],
    [0, 170, 1000, 600],
  );
  for (const k of [0.4, 1]) {
    const end = (board: Drawing, right: number): number => {
      const name = namesAt(board, k, order, [0, 0, right, 600]).get("oslo");
      return name ? (inside(city(200, 150), name)[2] ?? 0) : 0;
    };
    expect(end(oslo, 600)).toBeGreaterThan(260);
    expect(end(oslo, 212)).toBeLessThan(212);
    expect(end(tight, 212)).toBeGreaterThan(260);
    expect(end(oslo, 190)).toBeGreaterThan(260); // its city is out of sight
  }
});

test("on a large board what has no room enlarged stands elsewhere, or as drawn", () => {
  const moss = (y: number): CityPlace => {
    const { label, ...place } = city(300, y);
    return { ...place, label: { ...label, x: 290, anchor: "end", box: [230, y - 8, 60, 16] } };
  };
  const near = (y: number) => ({ oslo: city(200, 100), moss: moss(y) });
  const free = namesAt(walled(near(117)), 0.66, order);
  expect(free.get("oslo")?.factor).toBeCloseTo(12 / 9.9);
  expect(free.get("moss")?.factor).toBeCloseTo(12 / 9.9);
  expect(free.get("moss")?.anchor).toBe("start");
  const narrow = (y: number): Drawing =>
    walled(near(y), [0, 0, 195, 600], [305, 0, 1000, 600], [0, 0, 1000, 88], [0, 124, 1000, 600]);
  expect(namesAt(narrow(118), 0.66, order).get("moss")).toEqual(asDrawn(moss(118)));
  const both = namesAt(narrow(114), 0.66, order);
  expect([both.get("oslo"), both.get("moss")]).toEqual([
    asDrawn(city(200, 100)),
    asDrawn(moss(114)),
  ]);
});

test("a board without a drawing has all its names, enlarged", () => {
  const plain = plainDrawing(board);
  const names = namesAt(plain, 0.5, Object.keys(plain.cities));
  expect(names.size).toBe(4);
  for (const { factor } of names.values()) expect(factor).toBeGreaterThan(1);
});

const boards = readdirSync(new URL("../../src/branchline/maps", import.meta.url))
  .filter((file) => file.endsWith(".toml"))
  .map((file) => file.replace(".toml", ""));
const drawingOf = (name: string): Drawing => {
  const file = new URL(`../../src/branchline/maps/drawings/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Drawing;
};
/** Those where most routes meet come first. */
const ranked = ({ cities, routes }: Drawing): string[] => {
  const ends = routes.flatMap((route) => route.between);
  const rank = (id: string): number => ends.filter((end) => end === id).length;
  return Object.keys(cities).toSorted((one, two) => rank(two) - rank(one));
};
/** The scales at which a board is shown first, and as a whole. */
const scales = (drawing: Drawing, width: number, height: number): number[] =>
  [2, 3, 4, 5].flatMap((seats) => {
    const room = roomIn({ width, height }, layoutFor({ width, height }, drawing, seats).room);
    return [fit(drawing, room, 2).k, fill(drawing, room, 2).k];
  });

/** A little less than the name takes: places in drawings are rounded. */
function inside({ label }: CityPlace, { factor, x, y, anchor }: Name): number[] {
  const [, top, width, height] = label.box;
  const wide = width * factor;
  const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
  const up = y - (label.y - top) * factor;
  return [left + 0.5, up + 0.5, left + wide - 0.5, up + height * factor - 0.5];
}
const far = (
  { x, y }: Pick<CityPlace, "x" | "y">,
  [left = 0, top = 0, right = 0, bottom = 0]: number[],
): number => Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

describe.each(boards)("%s", (name) => {
  const drawing = drawingOf(name);
  const ids = ranked(drawing);
  const phones = [...scales(drawing, 390, 844), ...scales(drawing, 844, 390)];

  test("on a phone no name covers a dot or stands beside another city's", () => {
    for (const k of new Set(phones)) {
      for (const [id, shown] of namesAt(drawing, k, ids)) {
        const { [id]: own, ...others } = drawing.cities;
        if (!own) throw new Error(id);
        const box = inside(own, shown);
        expect(far(own, box), `${id} at ${k}`).toBeGreaterThan(drawing.dot);
        const next = Math.min(...Object.values(others).map((other) => far(other, box)));
        expect(next, `${id} at ${k}`).toBeGreaterThan(far(own, box));
      }
    }
  });

  test("on a phone no name covers another one or leaves the board", () => {
    for (const k of new Set(phones)) {
      const names = [...namesAt(drawing, k, ids)];
      const boxes = names.map(([id, shown]) => inside(drawing.cities[id] as CityPlace, shown));
      // Below a line small letters may reach into the next one.
      const meet = (a: number[], b: number[]): boolean =>
        [0, 1].every(
          (j) =>
            (a[j] ?? 0) + j * (1.5 / k) < (b[j + 2] ?? 0) &&
            (b[j] ?? 0) + j * (1.5 / k) < (a[j + 2] ?? 0),
        );
      for (const [j, box] of boxes.entries()) {
        const over = boxes.findIndex((other, i) => i < j && meet(box, other));
        expect(over < 0 ? "" : `${names[over]?.[0]} and ${names[j]?.[0]} at ${k}`).toBe("");
        const [left = 0, top = 0, right = 0, bottom = 0] = box;
        expect(Math.min(left, top, drawing.width - right, drawing.height - bottom)).toBeGreaterThan(
          0,
        );
      }
    }
  });

  test("on a phone no name is missing, even where the whole board is as wide as the window", () => {
    for (const k of [...phones, fit(drawing, { width: 390, height: 390 }).k])
      expect(namesAt(drawing, k, ids).size).toBe(ids.length);
  });

  /** The names that lie on a space, on its middle or between that and an end. */
  const covering = (k: number): string[] =>
    [...namesAt(drawing, k, ids)].flatMap(([id, shown]) => {
      const box = inside(drawing.cities[id] as CityPlace, shown);
      const upon = ({ spaces }: RoutePlace): boolean =>
        spaces.some(([x, y, angle]) =>
          [-10, 0, 10].some((at) => {
            const turn = (angle * Math.PI) / 180;
            return far({ x: x + at * Math.cos(turn), y: y + at * Math.sin(turn) }, box) === 0;
          }),
        );
      return drawing.routes.some(upon) ? [id] : [];
    });

  test("on a screen that shows the whole board at most one name lies on a space", () => {
    for (const [width, height] of [
      [1920, 1080],
      [1440, 900],
      [1024, 768],
    ] as const)
      for (const k of new Set(scales(drawing, width, height)))
        expect(covering(k).length).toBeLessThanOrEqual(1);
  });

  test("on a phone, as the board is shown first, at most a third of the names do", () => {
    const room = layoutFor({ width: 390, height: 844 }, drawing, 3).room;
    const { k } = fill(drawing, roomIn({ width: 390, height: 844 }, room), 2);
    expect(covering(k).length).toBeLessThanOrEqual(ids.length / 3);
  });

  test("on a large board names lie where they are drawn", () => {
    for (const k of [0.8, 1, 2]) {
      const names = namesAt(drawing, k, ids);
      expect(names.size).toBe(ids.length);
      for (const [id, { factor, x, y, anchor }] of names) {
        const { label } = drawing.cities[id] as CityPlace;
        expect([factor, anchor]).toEqual([1, label.anchor]);
        expect(Math.hypot(x - label.x, y - label.y)).toBeLessThan(1e-6);
      }
    }
  });
});

test("a finger means the nearest route, within reach", () => {
  expect(nearest(drawing, 105, 112, 20, new Set())).toBe(0);
  expect(nearest(drawing, 112, 165, 20, new Set())).toBe(1);
  expect(nearest(drawing, 400, 400, 20, new Set())).toBeNull();
});

test("a finger means the nearest city that is open", () => {
  const [first, second] = Object.entries(drawing.cities);
  if (!first || !second) throw new Error("two cities");
  const ids = [first[0], second[0]];
  const { x, y } = first[1];
  expect(nearestCity(drawing, ids, x + 3, y + 4, 5, new Set([0, 1]))).toBe(0);
  expect(nearestCity(drawing, ids, x + 3, y + 4, 4, new Set([0, 1]))).toBeNull();
  expect(nearestCity(drawing, ids, x, y, 5, new Set([1]))).toBeNull();
  expect(nearestCity(drawing, ids, x, y, 1e6, new Set([1]))).toBe(1);
});

test("between two routes it means the one that can be claimed", () => {
  expect(nearest(drawing, 100, 124, 30, new Set())).toBe(0);
  expect(nearest(drawing, 100, 124, 30, new Set([1]))).toBe(1);
});
