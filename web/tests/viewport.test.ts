import { expect, test } from "vitest";
import { plainDrawing } from "../src/lib/board/fallback";
import {
  clamp,
  fill,
  fit,
  FILLED,
  inSight,
  LARGEST,
  pinch,
  reveal,
  revealAll,
  roomIn,
  zoomAt,
} from "../src/lib/board/viewport";
import { layoutFor } from "../src/lib/table/arrangement";
import { board } from "./board";

const map = { width: 1000, height: 500 };
const window = { width: 500, height: 500 };

test("the whole board fits in the middle", () => {
  expect(fit(map, window)).toEqual({ k: 0.5, x: 0, y: 125 });
});

test("a wide board begins larger in a tall window", () => {
  const tall = { width: 500, height: 900 };
  expect(fill(map, tall)).toEqual({ k: 0.5 * FILLED, x: -125, y: 262.5 });
  const low = { width: 500, height: 350 };
  expect(fill(map, low)).toEqual(fit(map, low));
});

test("Europe begins larger on a phone, for up to four; no more than its edges are cut", () => {
  const europe = { width: 1555.9, height: 978.4 };
  const phone = { width: 390, height: 844 };
  const larger = [2, 3, 4, 5].map((seats) => {
    const window = roomIn(phone, layoutFor(phone, europe, seats).room);
    const { k, y } = fill(europe, window);
    expect(y).toBeGreaterThan(-0.03 * window.height);
    return k > fit(europe, window).k;
  });
  expect(larger).toEqual([true, true, true, false]);
});

test("what lies above the edges of the window leaves a room", () => {
  const room = { left: 100, right: 50, top: 10, bottom: 40 };
  expect(roomIn(window, room)).toEqual({ width: 350, height: 450 });
  expect(clamp({ x: 0, y: 0, k: 0 }, map, window, room).k).toBeCloseTo(0.35 * 0.8);
  expect(900 + reveal({ x: 0, y: 0, k: 1 }, window, 900, 100, room).x).toBe(500 - 50 - 60);
});

test("zooming keeps the place under the pointer", () => {
  const view = zoomAt({ x: 10, y: 20, k: 1 }, 2, 110, 220);
  expect((110 - view.x) / view.k).toBe(100);
  expect((220 - view.y) / view.k).toBe(200);
});

test("the size has limits", () => {
  expect(clamp({ x: 0, y: 0, k: 99 }, map, window).k).toBe(0.5 * LARGEST);
  expect(clamp({ x: 0, y: 0, k: 0.01 }, map, window).k).toBe(0.4);
});

test("the board can't be moved out of sight", () => {
  const view = clamp({ x: 9999, y: -9999, k: 1 }, map, window);
  expect(view.x).toBeLessThan(window.width);
  expect(view.y + map.height).toBeGreaterThan(0);
});

test("a place outside is brought into the window", () => {
  const view = reveal({ x: 0, y: 0, k: 1 }, window, 900, 100);
  expect(900 + view.x).toBe(440);
  expect(view.y).toBe(0);
});

test("what is in sight is known, unless that is all", () => {
  const room = { left: 100, right: 0, top: 50, bottom: 0 };
  expect(inSight({ k: 2, x: 0, y: 0 }, map, window, room)).toEqual([50, 25, 250, 250]);
  expect(inSight({ k: 0.4, x: 100, y: 50 }, map, window, room)).toBeUndefined();
  expect(inSight({ k: 0.4, x: 99, y: 50 }, map, window, room)).toBeDefined();
});

test("two fingers that spread make the board larger", () => {
  const view = pinch({ x: 0, y: 0, k: 1 }, [100, 100, 200, 100], [50, 100, 250, 100]);
  expect(view.k).toBe(2);
});

test("a board without a drawing has a plain one with a place for everything", () => {
  const drawing = plainDrawing(board);
  expect(Object.keys(drawing.cities)).toHaveLength(4);
  expect(drawing.routes.map((route) => route.spaces.length)).toEqual([2, 2, 3, 2, 1, 4]);
  for (const city of Object.values(drawing.cities)) {
    expect(city.x).toBeGreaterThan(0);
    expect(city.x).toBeLessThan(drawing.width);
  }
  const [one, two] = drawing.routes;
  expect(one?.spaces[0]).not.toEqual(two?.spaces[0]);
});

test("several places are brought into sight by moving, or, where they are far apart, by a smaller board", () => {
  const window = { width: 500, height: 500 };
  const view = { k: 1, x: 0, y: 0 };
  expect(
    revealAll(view, window, [
      [100, 100],
      [400, 300],
    ]),
  ).toEqual(view);
  const near = revealAll(view, window, [
    [400, 200],
    [700, 200],
  ]);
  expect(near.k).toBe(1);
  expect(700 + near.x).toBeLessThanOrEqual(460);
  const far = revealAll(view, window, [
    [0, 0],
    [1000, 500],
  ]);
  expect(far.k).toBeCloseTo(0.42);
  for (const [x, y] of [
    [0, 0],
    [1000, 500],
  ] as const) {
    expect(x * far.k + far.x).toBeGreaterThanOrEqual(39.9);
    expect(x * far.k + far.x).toBeLessThanOrEqual(460.1);
    expect(y * far.k + far.y).toBeGreaterThanOrEqual(39.9);
  }
});
