import { expect, test } from "vitest";
import { mix, paintOf, seatPaint, slotPaint } from "$lib/board/colours";
import { freeTrack, lightRoom } from "$lib/board/progress";

const COLOURS = ["pink", "blue", "orange", "white", "green", "yellow", "black", "red", "gray"];

/** Hue in degrees, chroma and lightness from 0 to 1. */
function seen(colour: string): { hue: number; chroma: number; light: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16) / 255);
  const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
  const chroma = high - low;
  const turn =
    chroma === 0
      ? 0
      : high === r
        ? (g - b) / chroma
        : high === g
          ? 2 + (b - r) / chroma
          : 4 + (r - g) / chroma;
  return { hue: (turn * 60 + 360) % 360, chroma, light: (high + low) / 2 };
}

function apart(one: string, two: string): boolean {
  const [a, b] = [seen(one), seen(two)];
  const turn = Math.abs(a.hue - b.hue);
  const hue = Math.min(a.chroma, b.chroma) > 0.15 && Math.min(turn, 360 - turn) > 25;
  return hue || Math.abs(a.light - b.light) > 0.12 || Math.abs(a.chroma - b.chroma) > 0.2;
}

test("no seat has the colour of a route, unless it is striped", () => {
  for (const seat of [0, 1, 2, 3, 4]) {
    const paint = seatPaint(seat);
    if (paint.striped) continue;
    for (const name of COLOURS)
      for (const dark of [false, true])
        expect(apart(paint.fill, slotPaint(name, dark).band), `${seat} ${name} ${dark}`).toBe(true);
  }
});

test("seats differ in colour and in shape", () => {
  const paints = [0, 1, 2, 3, 4].map(seatPaint);
  expect(new Set(paints.map(({ shape }) => shape)).size).toBe(5);
  for (const [k, one] of paints.entries())
    for (const two of paints.slice(0, k)) expect(apart(one.fill, two.fill)).toBe(true);
  expect(seatPaint(5)).toEqual(seatPaint(0));
});

test("the hollow of a free space is light by day and dark by night", () => {
  for (const name of COLOURS) {
    expect(seen(slotPaint(name, false).hollow).light).toBeGreaterThan(0.8);
    expect(seen(slotPaint(name, true).hollow).light).toBeLessThan(0.4);
  }
  expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(paintOf("nothing").symbol).toBe("");
});

test("free track steps back when someone has laid most trains", () => {
  const board = { trains: 10, route_list: [4, 4, 2].map((length) => ({ length })) };
  const at = (...owner: number[]): number =>
    freeTrack(board as unknown as Parameters<typeof freeTrack>[0], owner);
  expect(at(0, 0, 0)).toBe(1);
  expect(at(1, 2, 15)).toBe(1);
  expect(at(1, 1, 0)).toBeLessThan(0.85);
  expect(at(1, 1, 1)).toBe(0.65);
});

test("the lights of parallel routes stay apart", () => {
  const route_list = [
    { a: 0, b: 1 },
    { a: 1, b: 0 },
    { a: 0, b: 2 },
  ] as unknown as Parameters<typeof lightRoom>[0]["route_list"];
  const places = [
    {
      spaces: [
        [0, 0, 0],
        [30, 0, 0],
      ],
    },
    {
      spaces: [
        [0, 16, 0],
        [30, 14, 0],
      ],
    },
    { spaces: [[3, 3, 0]] },
  ] as unknown as Parameters<typeof lightRoom>[1];
  expect(lightRoom({ route_list }, places)).toEqual([14, 14, Infinity]);
});
