/**
 * The board stays where it is: its frame is the same to the pixel, whatever has to be decided.
 * With PICTURES, the name of a folder, it leaves a picture of every decision there (PICTURES_THEME and
 * PICTURES_LANG choose how it is shown).
 */

import { pick } from "./parts";
import { BOARDS } from "./player";
import { begin, finish, play, seat, test } from "./seats";
import { expect, type Locator, type Page } from "./test";

const SIZES: [number, number][] = [
  [1440, 900],
  [1920, 1080],
  [1024, 768],
  [390, 844],
  [844, 390],
];
const DESKTOP = 1400;
const SMALLEST = "new_york";
/** Five windows at once take their time. */
const patiently = expect.configure({ timeout: 60_000 });
const PICTURES = process.env["PICTURES"];
const SHOWN = PICTURES
  ? { theme: process.env["PICTURES_THEME"] ?? "light", lang: process.env["PICTURES_LANG"] ?? "en" }
  : {};
const AWAY = ["0 draw", "0 draw", "1 draw", "1 draw"];

/** A decision on show, and the moves that lead to it. */
type Step = [what: string, ...moves: string[]];
interface Game {
  board: string;
  seed: number;
  /** Before the first turn, or after it. */
  draft?: boolean;
  steps: Step[];
}

const GAMES: Game[] = [
  {
    ...{ board: "usa", seed: 3 },
    steps: [
      ["a second card", "0 draw"],
      ["another’s turn", "0 draw"],
      ["a ticket draw", "1 draw", "1 draw", "0 tickets"],
    ],
  },
  {
    ...{ board: "europe", seed: 128 },
    steps: [
      ["a payment", "0 claim munchen-venezia blue"],
      ["a tunnel", "0 pay 0"],
      ["a station’s city", "0 back-off", "1 draw", "1 draw", "0 station"],
      ["a station’s price", "0 station at paris"],
    ],
  },
  {
    ...{ board: "iberia", seed: 1, draft: true },
    steps: [["a festival", ...AWAY, "0 claim valladolid-madrid green"]],
  },
  {
    ...{ board: "south_korea", seed: 108, draft: true },
    steps: [
      ["a payment", "0 claim suncheon-yeosu red"],
      ["the mat and Express cards", "0 pay 1 extra 2"],
      ["an Express draw", "0 mat none", "1 draw", "1 draw", "0 express 2 cards"],
    ],
  },
  {
    ...{ board: "new_york", seed: 24 },
    steps: [["a ticket draw", "0 tickets"]],
  },
  {
    ...{ board: "nordic", seed: 2 },
    steps: [
      ["a ferry", ...AWAY, "0 claim alborg-kristiansand red"],
      ["a set", "0 pay 0 sets 1"],
    ],
  },
];

interface Frame {
  /** The window of the board, and the board in it: left, top, width, height. */
  window: number[];
  board: number[];
}

/** Where the board is now. */
const frame = (page: Page): Promise<Frame> =>
  page.evaluate(() => {
    const box = (selector: string): number[] => {
      const { x, y, width, height } =
        document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
      return [x, y, width, height];
    };
    return { window: box(".frame"), board: box(".ground svg") };
  });

/** Opens a table, and waits until the board has found its place. */
async function open(page: Page, table: string): Promise<void> {
  await page.goto(`/t/${table}`);
  await patiently(page.locator(".frame .car").first()).toBeAttached();
  await page.evaluate(async () => {
    for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
  });
}

/** The smallest car and the smallest letters on the board, in pixels. */
const smallest = (page: Page): Promise<{ length: number; width: number; letters: number }> =>
  page.evaluate(() => {
    const scale = (element: SVGGraphicsElement): number => {
      const { a, b } = element.getScreenCTM() ?? { a: 0, b: 0 };
      return Math.hypot(a, b);
    };
    // A space is a box with round corners: across its upper edge, and down its right one.
    const cars = [...document.querySelectorAll<SVGPathElement>(".frame .car")].map((car) => {
      const numbers =
        car
          .getAttribute("d")
          ?.match(/-?[\d.]+/g)
          ?.map(Number) ?? [];
      const [x = 0, y = 0, x1 = 0, y1 = 0, r = 0, , , , , dx = 0, dy = 0, x2 = 0, y2 = 0] = numbers;
      const length = Math.hypot(x1 - x, y1 - y) + 2 * r;
      const width = Math.hypot(x2 - x1 - dx, y2 - y1 - dy) + 2 * r;
      return { length: length * scale(car), width: width * scale(car) };
    });
    const names = [...document.querySelectorAll<SVGGraphicsElement>(".frame .label")];
    return {
      length: Math.min(...cars.map(({ length }) => length)),
      width: Math.min(...cars.map(({ width }) => width)),
      letters: Math.min(
        ...names.map((name) => parseFloat(getComputedStyle(name).fontSize) * scale(name)),
      ),
    };
  });

test("every board has its game here", () => {
  expect(GAMES.map(({ board }) => board).toSorted()).toEqual(BOARDS.toSorted());
});

for (const { board, seed, draft = false, steps } of GAMES)
  test(`the board of ${board} never moves`, async ({ person }) => {
    const [ada, ben] = [await person(), await person()];
    const people = [ada, ben];
    const settings = { confirm: true, seats: 2, ...SHOWN };
    const table = await seat(people, { board, seed, settings });
    // Ada has the table open in a window of each size.
    const first = await ada.context().newPage();
    const others = await Promise.all(SIZES.slice(1).map(() => ada.context().newPage()));
    const windows = await Promise.all(
      [first, ...others].map(async (page, k) => {
        const [width, height] = SIZES[k] ?? [0, 0];
        await page.setViewportSize({ width, height });
        return { page, width, height, frame: undefined as Frame | undefined };
      }),
    );
    const each = async (does: (page: Page) => Promise<unknown>): Promise<void> => {
      await Promise.all(windows.map(({ page }) => does(page)));
    };
    const compare = async (what: string): Promise<void> => {
      const now = await Promise.all(windows.map(({ page }) => frame(page)));
      for (const [k, window] of windows.entries()) {
        window.frame ??= now[k];
        expect.soft(now[k], `${what} at ${window.width}×${window.height}`).toEqual(window.frame);
      }
      if (PICTURES)
        for (const { page, width, height } of windows)
          await page.screenshot({
            path: `${PICTURES}/${board}, ${what}, ${width}×${height}.png`,
            animations: "disabled",
          });
    };

    await each((page) => open(page, table));
    await each((page) => patiently(page.locator(".offered")).toBeVisible());
    await compare(draft ? "a draft" : "the opening tickets");
    const choose = (page: Page): Promise<void> =>
      page.locator(".offered .choices button").first().click();
    await each(choose);
    await compare("a chosen ticket");
    if (draft) {
      await pick(first).click();
      await each((page) => patiently(page.locator(".offered")).toHaveCount(0));
    }

    for (const { page, width, height } of windows.filter(({ width }) => width >= DESKTOP)) {
      const [, , wide = 0, high = 0] = (await frame(page)).board;
      expect(Math.max(wide / width / 0.75, high / height / 0.85)).toBeGreaterThanOrEqual(1);
      const { length, width: across, letters } = await smallest(page);
      expect(length).toBeGreaterThanOrEqual(24);
      expect(across).toBeGreaterThanOrEqual(9);
      expect(letters).toBeGreaterThanOrEqual(11.99);
    }

    await begin(people);
    const route = (page: Page): Locator => page.locator(".can-touch").first();
    await each((page) => patiently(route(page)).toBeAttached());
    await compare("a turn");
    await each((page) => route(page).dispatchEvent("click"));
    await each((page) => patiently(page.locator("[data-strip] [data-do]")).toBeVisible());
    await compare("a claim and its payment");
    await each((page) => page.keyboard.press("Escape"));
    await each((page) => patiently(page.locator("[data-strip] [data-do]")).toHaveCount(0));
    await compare("a claim called off");
    for (const [what, ...moves] of steps) {
      await play(people, ...moves);
      await each((page) => patiently(page.locator(".prompt")).not.toContainText("One moment"));
      await compare(what);
    }
    // On the smallest board one window sees the game to its end; the others are opened again then.
    const away = board === SMALLEST ? others : [first, ...others];
    await Promise.all(away.map((page) => page.goto("about:blank")));
    await finish(people);
    if (board === SMALLEST) await patiently(first.locator(".end")).toBeVisible();
    await Promise.all(away.map((page) => open(page, table)));
    await each((page) => patiently(page.locator(".end")).toBeVisible());
    await compare("the end");
  });
