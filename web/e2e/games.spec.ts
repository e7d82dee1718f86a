import { printed } from "../src/lib/end/signed";
import { look } from "./look";
import { offered } from "./parts";
import {
  asked,
  BOARDS,
  finish,
  numberIn,
  playToTheEnd,
  save,
  start,
  totals,
  type What,
} from "./player";
import { expect, test } from "./test";

/** One of each shape, which is looked at together with all that is around it. */
const WHOLE = new Set(["usa", "new_york"]);
/** On these boards there is nothing to touch but routes, as on the USA: their boards need no look. */
const PLAIN = new Set(["south_korea", "nordic"]);
/**
 * After so many clicks a bot goes on. Other tests play on: South Korea in French, New York by the
 * keyboard. What Europe and the Nordic Countries have of their own comes early.
 */
const CLICKS: Record<string, number> = { south_korea: 30, new_york: 20, europe: 45, nordic: 45 };

interface Counted {
  line: string;
  points: number;
  /** How much is lit on the board, the mat and the seats. */
  lit: number;
}

/** Runs in the page: goes through the count to its end. */
async function count(): Promise<Counted[]> {
  const lines: Counted[] = [];
  for (;;) {
    const step = document.querySelector(".step");
    if (!step) return lines;
    lines.push({
      line: step.querySelector(".line")?.textContent ?? "",
      points: Number(step.querySelector(".points")?.textContent?.replace("−", "-") ?? 0),
      lit: document.querySelectorAll(".route.lit, .call, .mat .lit, .seats .lit").length,
    });
    step.querySelector("button")?.click();
    await new Promise(requestAnimationFrame);
  }
}

for (const board of BOARDS)
  test(`a game on ${board} by clicks, from the start to the scores`, async ({ page }) => {
    await start(page, { board });
    const seen = new Set<What>();
    let clicks = 0;
    await playToTheEnd(page, async (what) => {
      if (++clicks > (CLICKS[board] ?? Infinity) && seen.has("route")) return true;
      if (seen.has(what)) return false;
      seen.add(what);
      if (what === "keep") await look(page, `${board}, tickets`, ".offered");
      if (what === "pay") await look(page, `${board}, a payment`, "[data-strip]");
      if (what === "route") {
        await expect(page.locator("[data-strip] .name")).toBeVisible();
        if (!PLAIN.has(board))
          await look(page, `${board}, a route`, WHOLE.has(board) ? undefined : ".frame");
      }
      return false;
    });
    expect([...seen]).toEqual(expect.arrayContaining(["keep", "card", "route"]));
    if (board in CLICKS) await finish(page);
    const { scores } = await save(page);
    expect(await totals(page)).toEqual(scores.toSorted((a, b) => b - a));
    const names = await page.locator(".result thead .name").allInnerTexts();
    const rows = await page.locator(".result :is(tbody, tfoot) tr").allInnerTexts();
    const cells = rows.map((row) => row.split("\t").slice(1).map(numberIn));
    for (const [k, name] of names.entries()) {
      const points = cells.map((row) => row[k] ?? NaN);
      const total = points.pop();
      expect(total).toBe(points.reduce((sum, part) => sum + part, 0));
      if (name === "Ada") expect(total).toBe(scores[0]);
    }
    expect(names).toContain("Ada");
    await look(page, `${board}, the end`, WHOLE.has(board) ? undefined : ".end");
    await page.getByText("Line by line").click();
    const told = await page.locator(".result .lines").innerText();
    if (board === "usa" || board === "europe") expect(told).toMatch(/Longest path: \d+ spaces? \(/);
    if (board === "nordic") expect(told).toMatch(/Most completed tickets: \d+ \(others: /);
    for (const [line] of told.matchAll(/.*festival cards?.*/g))
      expect(line).toMatch(/^\d+ festival cards? of /);
    for (const [line] of told.matchAll(/.*highest spot.*/g))
      expect(line).toMatch(/^Rank \d on the \w+ line .*: sum \d+, highest spot \d/);
    await page.getByRole("button", { name: "Show the scoring again" }).click();
    await look(page, `${board}, the count`, ".step");
    expect((await asked(page)).what).toBe("count");
    const counted = await page.evaluate(count);
    expect(counted.length).toBeGreaterThan(1);
    expect(counted.filter(({ points, lit }) => points !== 0 && lit === 0)).toEqual([]);
    expect(await totals(page)).toEqual(scores.toSorted((a, b) => b - a));
  });

test("after the end: the menu, the replay, the record", async ({ page }) => {
  await start(page, { board: "nordic" });
  await finish(page);
  const { text, scores } = await save(page);
  await page.getByRole("button", { name: "Menu" }).click();
  await look(page, "menu", "dialog");
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "Replay" }).click();
  await expect(page.getByRole("heading", { name: "Nordic Countries" })).toBeVisible();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page).toHaveURL(/#\d+$/);
  for (const score of scores) await expect(page.locator("aside")).toContainText(printed(score));
  await page.getByLabel("View").selectOption("0");
  await expect(page).toHaveURL(/#\d+-0$/);
  await look(page, "replay of one's own game");

  await page.goto("/replay");
  await look(page, "replay without a record");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await expect(page.getByText(/Position 0 of/)).toBeVisible();
  await page.getByRole("button", { name: "One step on" }).click();
  await expect(page.getByText(/Position 1 of/)).toBeVisible();
  await look(page, "replay of a file");
});

test("marked tickets stay when another chooses at the same time", async ({ page, browser }) => {
  await start(page, { board: "usa", settings: { level: "friend" } });
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(page.url());
  await guest.getByRole("button", { name: "Take a seat" }).click();
  const tickets = offered(page).locator(".choices button");
  await tickets.first().click();
  await offered(guest).locator(".choices button").nth(0).click();
  await offered(guest).locator(".choices button").nth(1).click();
  await offered(guest).locator("button.main").click();
  await expect(page.locator(".log")).toContainText("has chosen");
  await expect(tickets.first()).toHaveAttribute("aria-pressed", "true");
});
