import { expect, test } from "vitest";
import { fit, roomIn } from "../src/lib/board/viewport";
import { layoutFor, takesTurns } from "../src/lib/table/arrangement";

const at = (width: number, height: number): { width: number; height: number } => ({
  width,
  height,
});
const WIDE = at(1558, 987);
const TALL = at(1047, 1122);

test("the shape of the board and the window decide where the furniture stands", () => {
  const name = (window: ReturnType<typeof at>, board: typeof WIDE): string =>
    layoutFor(window, board, 3).name;
  expect([name(at(1440, 900), WIDE), name(at(1440, 900), TALL)]).toEqual(["wide", "tall"]);
  expect([name(at(1024, 768), WIDE), name(at(1024, 768), TALL)]).toEqual(["wide", "column"]);
  expect([name(at(390, 844), WIDE), name(at(390, 844), TALL)]).toEqual(["phone", "phone"]);
  expect([name(at(844, 390), WIDE), name(at(844, 390), TALL)]).toEqual(["low", "low"]);
  expect(name(at(768, 1024), WIDE)).toBe("phone");
});

test("on a desktop the board takes most of the window, and its cars are large enough", () => {
  for (const window of [at(1440, 900), at(1920, 1080)])
    for (const board of [at(1386, 825), WIDE, at(994, 768), at(892, 1094), at(652, 743), TALL]) {
      const { k } = fit(board, roomIn(window, layoutFor(window, board, 5).room), 2);
      const share = Math.max(
        (board.height * k) / window.height / 0.85,
        (board.width * k) / window.width / 0.75,
      );
      expect(share).toBeGreaterThanOrEqual(1);
      expect(k).toBeGreaterThanOrEqual(0.75);
    }
});

test("cards below a board take what it leaves free, and nothing of it", () => {
  for (const board of [at(1386, 825), WIDE, at(994, 768)])
    for (const window of [at(1024, 768), at(1440, 900), at(1920, 1080)]) {
      const { room } = layoutFor(window, board, 3);
      const { k } = fit(board, roomIn(window, room), 2);
      const least = fit(board, roomIn(window, { ...room, bottom: 126 }), 2);
      if (room.bottom > 150) expect(k).toBe(least.k);
    }
  expect(layoutFor(at(1024, 768), WIDE, 3).room.bottom).toBeGreaterThan(150);
});

test("on a phone each seat has a line above the board", () => {
  const top = (seats: number): number => layoutFor(at(390, 844), WIDE, seats).room.top;
  expect(top(5) - top(2)).toBe(3 * 27);
  expect(takesTurns("phone") && takesTurns("low")).toBe(true);
  expect(takesTurns("wide") || takesTurns("tall") || takesTurns("column")).toBe(false);
});
