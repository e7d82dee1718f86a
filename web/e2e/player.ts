/** A person at the table, as far as clicks go: takes what is offered until the game is over. */

import { expect, type Page } from "./test";

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

/** Sets the page's settings before it opens. */
export async function prefer(page: Page, settings: Record<string, unknown>): Promise<void> {
  await page.addInitScript((text) => {
    if (!localStorage.getItem("branchline")) localStorage.setItem("branchline", text);
  }, JSON.stringify(settings));
}

/** Answers one decision if there is one; false if there is nothing to do just now. */
export async function move(page: Page): Promise<boolean> {
  const sheet = page.locator(".sheet");
  if (await sheet.count()) return answerSheet(page);
  const routes = page.locator(".can-touch");
  if ((await routes.count()) > 0) {
    await routes.first().focus();
    await page.keyboard.press("Enter");
    const ways = page.locator(".info .ways button").first();
    if (await ways.isVisible().catch(() => false)) await ways.click({ timeout: 1000 }).catch(quiet);
    return true;
  }
  const cards = page.locator(".market .card.can");
  if ((await cards.count()) > 0) {
    await cards.first().click({ timeout: 1000 }).catch(quiet);
    return true;
  }
  const others = page.locator(".prompt button.main");
  if ((await others.count()) > 0) {
    await others.first().click({ timeout: 1000 }).catch(quiet);
    return true;
  }
  return false;
}

async function answerSheet(page: Page): Promise<boolean> {
  const sheet = page.locator(".sheet");
  const keep = sheet.locator("footer button.main");
  if (await keep.count()) {
    const cards = sheet.locator(".cards button");
    const n = await cards.count();
    for (let k = 0; k < n && (await keep.isDisabled().catch(() => false)); k++)
      await cards.nth(k).click({ timeout: 1000 }).catch(quiet);
    await keep.click({ timeout: 1000 }).catch(quiet);
    return true;
  }
  const first = sheet.locator(".body button, footer button").first();
  await first.click({ timeout: 1000 }).catch(quiet);
  return true;
}

/** What the page offered may be gone before it is clicked. */
const quiet = (): void => undefined;

/** Plays until the scores are on the table. */
export async function playToTheEnd(page: Page, seconds = 100): Promise<void> {
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    if (await page.locator(".end").count()) return;
    if (!(await move(page))) await page.waitForTimeout(60);
  }
  throw new Error("the game did not end in time");
}
