import { expect, test } from "vitest";
import { plainDrawing } from "../src/lib/board/fallback";
import {
  clamp,
  fill,
  fit,
  FILLED,
  LARGEST,
  pinch,
  reveal,
  zoomAt,
} from "../src/lib/board/viewport";
import { board } from "./board";

const map = { width: 1000, height: 500 };
const window = { width: 500, height: 500 };

test("the whole board fits in the middle", () => {
  expect(fit(map, window)).toEqual({ k: 0.5, x: 0, y: 125 });
});

test("a wide board begins larger in a tall window, about what is marked", () => {
  const tall = { width: 500, height: 900 };
  const first = (...xs: number[]): ReturnType<typeof fit> =>
    fill(
      map,
      tall,
      0,
      xs.map((x) => [x, 0]),
    );
  expect(first()).toEqual(fit(map, tall));
  expect(first(400, 600)).toEqual({ k: 0.5 * FILLED, x: -125, y: 262.5 });
  expect(first(0, 100).x).toBe(0);
  expect(first(1000).x).toBe(500 - 1000 * 0.5 * FILLED);
  expect(fill(map, { width: 500, height: 400 }, 0, [[0, 0]])).toEqual(
    fit(map, { width: 500, height: 400 }),
  );
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
