/** A person at the table with a mouse: takes what the page offers until the game is over. */

import { readFileSync } from "node:fs";
import { expect, type Page } from "./test";

export const BOARDS = ["usa", "europe", "iberia", "south_korea", "new_york", "nordic"];

export interface Wishes {
  board: string;
  seats?: number;
  settings?: Record<string, unknown>;
}

const QUICK = { speed: "instant", welcomed: true, level: "easy", name: "Ada" };

/** Opens the start page with settings of one's own, and starts a game against easy bots. */
export async function start(
  page: Page,
  { board, seats = 2, settings = {} }: Wishes,
): Promise<void> {
  await prefer(page, { ...QUICK, board, seats, ...settings });
  await page.goto("/");
  await page.locator("button.play").click();
  await expect(page).toHaveURL(/\/t\/\w+/);
}

/** Sets the page's settings before it opens; hints, which lie above the board, only if asked for. */
export async function prefer(page: Page, settings: Record<string, unknown>): Promise<void> {
  await page.addInitScript(
    (text) => {
      if (!localStorage.getItem("branchline")) localStorage.setItem("branchline", text);
    },
    JSON.stringify({ hints: false, ...settings }),
  );
}

export type What = "keep" | "pay" | "route" | "card" | "other" | "count" | "over";

/** A place to click at, and what is there; `covered` tells what lies above it. */
interface Spot {
  what: What;
  x: number;
  y: number;
  covered: string;
}

/** Runs in the page: where a person would click next; null while nothing is asked of them. */
function next(): Spot | null {
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
  /** Where the element is on top: its middle, or one of several points along a route. */
  const at = (what: What, element: Element): Spot => {
    const points: [number, number][] = [];
    if (element instanceof SVGPathElement) {
      for (const part of [0.5, 0.35, 0.65, 0.2, 0.8]) {
        const place = element
          .getPointAtLength(element.getTotalLength() * part)
          .matrixTransform(element.getScreenCTM() ?? undefined);
        points.push([place.x, place.y]);
      }
    } else {
      element.scrollIntoView({ block: "nearest" });
      const box = element.getBoundingClientRect();
      points.push([box.x + box.width / 2, box.y + box.height / 2]);
    }
    const free = points.find(([x, y]) => element.contains(document.elementFromPoint(x, y)));
    const [x, y] = free ?? points[0] ?? [0, 0];
    const cover = document.elementFromPoint(x, y)?.outerHTML.slice(0, 120) ?? "the window's edge";
    return { what, x, y, covered: free ? "" : cover };
  };
  if (all(".result table").length > 0) return { what: "over", x: 0, y: 0, covered: "" };
  const [line] = all(".step button");
  if (line) return at("count", line);
  const [offered] = all(".offered");
  if (offered) {
    const ready = offered.querySelector("button.main:not(:disabled)");
    const row = offered.querySelector("[aria-pressed=false]");
    const button = ready ?? row;
    return button && at("keep", button);
  }
  const [pay] = all("[data-strip] footer button:not([aria-disabled=true])");
  if (pay) return at("pay", pay);
  const tracks = all("g.route");
  const cars = (k: number): number => Number((tracks[k] as SVGElement).dataset["spaces"] ?? 0);
  const length = (route: Element): number => cars(Number((route as SVGElement).dataset["route"]));
  const [longest] = all(".can-touch").toSorted((a, b) => length(b) - length(a));
  /** Routes this long are worth a claim; where all are short, shorter ones. */
  const long = Math.min(4, Math.max(...tracks.map((_, k) => cars(k))) - 2);
  const [card] = all(".market .open.can, .market .deck.can");
  if (longest && (length(longest) >= long || !card)) return at("route", longest);
  if (card) return at("card", card);
  const [other] = all(".market .tickets.can, [data-strip] .body button");
  return other ? at("other", other) : null;
}

/** Runs in the page: the same, once it has been there for two frames. */
async function settled(): Promise<Spot | null> {
  let last = "";
  for (const until = Date.now() + 20_000; Date.now() < until;) {
    const spot = next();
    if (spot && JSON.stringify(spot) === last) return spot;
    last = JSON.stringify(spot);
    await new Promise(requestAnimationFrame);
  }
  return null;
}

/** Where to click next, when something is asked. */
export async function asked(page: Page): Promise<Spot> {
  const spot = (await page.evaluate(`(() => { ${next} return (${settled})(); })()`)) as Spot | null;
  if (!spot) throw new Error("nothing has been asked for 20 s");
  expect(spot.covered, `what lies above a ${spot.what}`).toBe("");
  return spot;
}

/** Clicks at what is offered; false if nothing is, just now. */
export async function move(page: Page): Promise<boolean> {
  const spot = await page.evaluate(next);
  if (!spot || spot.what === "over") return false;
  await page.mouse.click(spot.x, spot.y);
  return true;
}

/**
 * Plays by clicks until the scores are on the table. `before` is called when the pointer is at the
 * place of each click; the game is left there if it answers true.
 */
export async function playToTheEnd(
  page: Page,
  before: (what: What) => Promise<boolean> = async () => false,
): Promise<void> {
  for (;;) {
    const { what, x, y } = await asked(page);
    if (what === "over") return;
    await page.mouse.move(x, y);
    if (await before(what)) return;
    await page.mouse.click(x, y);
  }
}

/** Lets a bot play on to the end, by the page's own button. */
export async function finish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Let a bot play for me" }).click();
  await page.keyboard.press("Escape");
  await expect(page.locator(".result table")).toBeVisible({ timeout: 60_000 });
}

/** The number that is printed with a minus sign of its own. */
export const numberIn = (text: string): number => Number(text.replace("−", "-"));

/** The totals in the table of the end, the most first. */
export async function totals(page: Page): Promise<number[]> {
  return (await page.locator(".result td.total").allInnerTexts()).map(numberIn);
}

/** The record that the link at the end saves, and the scores in it by seat. */
export async function save(page: Page): Promise<{ text: string; scores: number[] }> {
  const download = page.waitForEvent("download");
  await page.locator("a[download]").click();
  const text = readFileSync(await (await download).path(), "utf8");
  return { text, scores: JSON.parse(text).result.scores };
}
