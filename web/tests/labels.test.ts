import { expect, test } from "vitest";
import type { Drawing } from "../src/lib/api/drawing";
import { namesAt } from "../src/lib/board/labels";
import { nearest } from "../src/lib/board/nearest";

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
  font: 15,
  car: { length: 32, width: 12 },
  cities: { oslo: city(200, 100), moss: city(200, 126), bodo: city(950, 300) },
  routes: [
    { between: ["oslo", "moss"], path: "", spaces: [[100, 100, 0]] },
    { between: ["oslo", "bodo"], path: "", spaces: [[100, 160, 90]] },
  ],
} as unknown as Drawing;
const order = ["oslo", "moss", "bodo"];

test("a board of its own size has all names, as drawn", () => {
  const names = namesAt(drawing, 1, order);
  expect([...names]).toEqual(order.map((id) => [id, { factor: 1, dx: 0, dy: 0 }]));
});

test("on a small board names stay readable, and the more important one is shown", () => {
  const names = namesAt(drawing, 0.3, order);
  expect((names.get("oslo")?.factor ?? 0) * drawing.font * 0.3).toBeCloseTo(10);
  expect([...names.keys()]).toEqual(["oslo", "bodo"]);
  expect([...namesAt(drawing, 0.3, ["moss", "oslo"]).keys()]).toEqual(["moss"]);
});

test("what has no room in large letters may have some in small ones", () => {
  const names = namesAt(drawing, 0.4, order);
  expect(names.get("moss")?.factor).toBeCloseTo(8 / 6);
  expect(names.get("oslo")?.factor).toBeCloseTo(10 / 6);
});

test("a name that would lie on another one is as small as it is drawn, or left out", () => {
  const near = (y: number) => ({
    ...drawing,
    cities: { oslo: city(200, 100), moss: city(200, y) },
  });
  const names = namesAt(near(117), 0.66, order);
  expect(names.get("oslo")?.factor).toBeCloseTo(12 / 9.9);
  expect(names.get("moss")?.factor).toBe(1);
  expect([...namesAt(near(114), 0.66, order).keys()]).toEqual(["oslo"]);
  expect(namesAt(near(114), 1, order).size).toBe(2);
});

test("a name that has grown over the edge is moved back onto the board", () => {
  const { dx } = namesAt(drawing, 0.3, order).get("bodo") ?? { dx: 0 };
  const right = 950 + (10 + 60) * (10 / 4.5) + dx;
  expect(right).toBeLessThan(1000);
});

test("a finger means the nearest route, within reach", () => {
  expect(nearest(drawing, 105, 112, 20, new Set())).toBe(0);
  expect(nearest(drawing, 112, 165, 20, new Set())).toBe(1);
  expect(nearest(drawing, 400, 400, 20, new Set())).toBeNull();
});

test("between two routes it means the one that can be claimed", () => {
  expect(nearest(drawing, 100, 124, 30, new Set())).toBe(0);
  expect(nearest(drawing, 100, 124, 30, new Set([1]))).toBe(1);
});
