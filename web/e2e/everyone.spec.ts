import { printed } from "../src/lib/end/signed";
import { look } from "./look";
import { offered } from "./parts";
import { asked, save, start, totals } from "./player";
import { expect, test, type Locator, type Page } from "./test";

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let k = 0; k < 80; k++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Presses an arrow until the element is checked. */
async function arrowTo(page: Page, target: Locator): Promise<void> {
  for (let k = 0; k < 8 && !(await target.isChecked()); k++) await page.keyboard.press("ArrowDown");
  await expect(target).toBeChecked();
}

test("a whole game by the keyboard alone", async ({ page }) => {
  const key = (name: string): Promise<void> => page.keyboard.press(name);
  await page.goto("/");
  await tabTo(page, page.getByRole("button", { name: "Settings" }));
  await key("Enter");
  const speed = page.getByRole("group", { name: "Game speed" });
  await tabTo(page, speed.getByRole("radio", { checked: true }));
  await arrowTo(page, speed.getByRole("radio", { name: "Instant" }));
  await key("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const boards = page.getByRole("group", { name: "Board" });
  await tabTo(page, boards.getByRole("radio", { checked: true }));
  await arrowTo(page, boards.getByRole("radio", { name: /New York/ }));
  await tabTo(page, page.getByLabel("Your name"));
  await page.keyboard.type("Ada");
  const rival = page.getByRole("combobox", { name: "Player 2", exact: true });
  await tabTo(page, rival);
  await page.keyboard.type("Easy");
  await expect(rival).toHaveValue("easy");
  await tabTo(page, page.getByRole("button", { name: "Play", exact: true }));
  await key("Enter");

  const tickets = offered(page);
  const sheet = page.locator(".sheet");
  const open = page.locator(".can-touch");
  const can = page.locator(".market .can");
  const end = page.locator(".result table");
  let claimed = 0;
  for (;;) {
    await expect(tickets.or(sheet).or(open).or(can).or(end).first()).toBeAttached({
      timeout: 20_000,
    });
    if (await end.count()) break;
    if (await tickets.count()) {
      await tabTo(page, tickets.locator("[aria-pressed=false]").first());
      await key("Space");
      await tabTo(page, tickets.getByRole("button", { name: /^Keep/ }));
      await key("Enter");
    } else if (await sheet.count()) {
      await tabTo(page, sheet.locator(".body button").first());
      await key("Enter");
    } else if (await open.count()) {
      await key("r");
      const route = page.locator(".touch:focus");
      await expect(route).toHaveAttribute("aria-disabled", "false");
      if (claimed++ === 0) {
        const name = await route.getAttribute("aria-label");
        for (const arrow of ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]) {
          await key(arrow); // from a corner of the board not all of them lead on
          if ((await route.getAttribute("aria-label")) !== name) break;
        }
        await expect(route).not.toHaveAttribute("aria-label", String(name));
        await key("r");
      }
      await key("Enter");
      const claim = page.locator("[data-strip] [data-do]");
      await expect(claim).toBeFocused();
      await expect(claim).toHaveAttribute("aria-disabled", "false"); // the price is known
      await key("Enter");
    } else await key("d");
  }
  expect(claimed).toBeGreaterThan(1);
  await tabTo(page, page.getByRole("button", { name: "Show the scoring again" }));
  await key("Enter");
  await tabTo(page, page.getByRole("button", { name: "Skip" }));
  await key("Enter");
  await expect(page.locator(".end h2")).toBeFocused();
  const scores = await totals(page);
  await tabTo(page, page.getByRole("link", { name: "Replay" }));
  await key("Enter");
  await expect(page.getByRole("heading", { name: "New York" })).toBeVisible();
  await key("End");
  for (const total of scores) await expect(page.locator("aside")).toContainText(printed(total));
});

test("a whole game in text mode, by roles and names", async ({ page }) => {
  await start(page, { board: "iberia", settings: { text: true } });
  const main = page.getByRole("main");
  const keep = main.getByRole("button", { name: /^Keep/ });
  const acts = main.getByRole("listitem").getByRole("button", { name: /^(?!Why)/ });
  const over = main.getByRole("heading", { name: "The game is over." });
  const reach = main.getByRole("heading", { name: /within reach/ });
  const claims = main.getByRole("button", { name: /–.+: \d/ });
  const deck = main.getByRole("button", { name: "Draw from the deck" });
  let looked = false;
  for (;;) {
    await expect(keep.or(acts).or(over).first()).toBeVisible({ timeout: 20_000 });
    if (await over.count()) break;
    if (await keep.count()) {
      for (const box of await main.getByRole("checkbox").all())
        if (await keep.isDisabled()) await box.check();
      await keep.click();
    } else if (await reach.count()) {
      // Every route has its button, while the server is still asked for the price.
      await expect(main.locator(".claim:not(:has(button))")).toHaveCount(0, { timeout: 1 });
      await expect(claims.first()).toBeVisible(); // the server is asked for the price
      if (!looked) await look(page, "text mode");
      looked = true;
      await claims.first().click();
    } else await deck.or(acts).first().click();
  }
  expect(looked).toBe(true);
  await look(page, "text mode, the end");
  const scores = (await save(page)).scores.map(printed);
  await expect(main.getByRole("heading", { name: `Ada: ${scores[0]}` })).toBeVisible();
  await expect(main.getByRole("heading", { name: new RegExp(`: ${scores[1]}$`) })).toBeVisible();
});

test("text mode finds the routes of a city, and tells why one can't be claimed", async ({
  page,
}) => {
  await start(page, { board: "new_york", settings: { text: true } });
  await page.getByLabel("Place:").fill("times");
  const route = page.getByRole("listitem").filter({ hasText: "Times Square" }).first();
  await route.getByRole("button", { name: "Can I claim it?" }).click();
  await expect(page.getByRole("alert").getByRole("link", { name: /[A-Z]+-\d/ })).toBeVisible();
});

test("on a phone a tap shows the price and the button claims", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await start(page, { board: "new_york" });
  for (;;) {
    const { what, x, y } = await asked(page);
    await page.touchscreen.tap(x, y);
    if (what === "route") break;
  }
  const spread = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(spread).toBeLessThanOrEqual(390);
  const claim = page.locator("[data-strip] [data-do]");
  await expect(claim).toBeEnabled();
  await look(page, "a phone");
  await claim.tap();
  await expect(claim).toHaveCount(0);
  await context.close();
});

test("a wide board fills a phone, and one tap shows all of it", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await start(page, { board: "usa" });
  for (;;) {
    const { what, x, y } = await asked(page);
    if (what !== "keep") break;
    await page.touchscreen.tap(x, y);
  }
  const width = async (): Promise<number> =>
    (await page.locator(".ground").boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(500);
  await page.getByRole("button", { name: "The whole board" }).tap();
  await expect.poll(width).toBeLessThan(390);
  await context.close();
});

test("two fingers make the board larger, keys move it", async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true });
  const page = await context.newPage();
  await start(page, { board: "usa" });
  const frame = page.locator(".frame");
  const drawn = frame.locator(".ground");
  await expect(drawn).toBeVisible();
  await page.waitForTimeout(600);
  const place = async (): Promise<string> => String(await drawn.getAttribute("style"));
  const scale = async (): Promise<number> => (await drawn.boundingBox())?.width ?? 0;
  const before = await scale();
  const hands = await context.newCDPSession(page);
  const touch = async (type: string, ...at: number[]): Promise<void> => {
    const touchPoints = at.map((x, id) => ({ x, y: 200, id }));
    await hands.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints });
  };
  await touch("touchStart", 300);
  await touch("touchStart", 300, 400);
  for (const x of [420, 450, 480, 520]) await touch("touchMove", 300, x);
  await touch("touchEnd");
  expect(await scale()).toBeGreaterThan(before * 1.5);
  await frame.focus();
  await page.keyboard.press("0");
  expect(await scale()).toBeCloseTo(before, 3);
  const at = await place();
  await page.keyboard.press("ArrowLeft");
  expect(await place()).not.toBe(at);
  await context.close();
});
