import { expect, test } from "vitest";
import { box, circle, stamped } from "../src/lib/board/paths";
import { piecesFor, spacesOf, stampedParts, trainOf } from "../src/lib/board/pieces";

test("a path is moved, made larger, turned and mirrored", () => {
  const d = "M1 2L3 4h2v-1z";
  expect(stamped(d, { x: 10, y: 20 })).toBe("M11 22L13 24L15 24L15 23Z");
  expect(stamped(d, { x: 0, y: 0, size: 2 })).toBe("M2 4L6 8L10 8L10 6Z");
  expect(stamped(d, { x: 0, y: 0, turn: 90 })).toBe("M-2 1L-4 3L-4 5L-3 5Z");
  expect(stamped(d, { x: 0, y: 0, mirror: true })).toBe("M1 -2L3 -4L5 -4L5 -3Z");
});

test("commands that go on, and numbers without spaces, are read", () => {
  expect(stamped("M1.5.5 2-3c1 0 1 1 0 1s-1 0-1-1", { x: 0, y: 0 })).toBe(
    "M1.5 0.5L2 -3C3 -3 3 -2 2 -2S1 -2 1 -3",
  );
  expect(stamped("m1 1 2 2zm3 0", { x: 0, y: 0 })).toBe("M1 1L3 3ZM4 1");
});

test("an arc keeps its shape, and a mirrored one turns the other way", () => {
  const arc = "M0 0a4 4 0 1 0 .01 0z";
  expect(stamped(arc, { x: 5, y: 5, size: 0.5 })).toBe("M5 5a2 2 0 1 0 0.005 0Z");
  expect(stamped(arc, { x: 0, y: 0, mirror: true })).toBe("M0 0a4 4 0 1 1 0.01 0Z");
});

test("boxes and circles close", () => {
  expect(stamped(box(0, 0, 10, 4, 1), { x: 0, y: 0 })).toBe(
    "M1 0L9 0a1 1 0 0 1 1 1L10 3a1 1 0 0 1 -1 1L1 4a1 1 0 0 1 -1 -1L0 1a1 1 0 0 1 1 -1Z",
  );
  expect(circle(3, 0, 2)).toBe("M1 0a2 2 0 1 1 4 0a2 2 0 1 1 -4 0z");
});

test("all wagons of a route are one picture; none stands on its head", () => {
  const place = {
    between: ["a", "b"] as [string, string],
    path: "",
    spaces: [
      [0, 0, 0],
      [10, 0, 180],
    ] as [number, number, number][],
  };
  expect(spacesOf(place).map(({ turn }) => turn)).toEqual([0, 360]);
  expect(trainOf(place).map(({ mirror }) => mirror)).toEqual([false, true]);
  const pieces = piecesFor({ length: 30, width: 12 }, false, false);
  const one = stampedParts(pieces.wagon(0), trainOf(place).slice(0, 1));
  const two = stampedParts(pieces.wagon(0), trainOf(place));
  expect(two).toHaveLength(one.length);
  expect(two.every(({ d }, k) => d.startsWith(one[k]?.d ?? "?"))).toBe(true);
  expect(stampedParts(pieces.wagon(0), [])).toEqual([]);
});
