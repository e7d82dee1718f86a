import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "./test";
import { move, prefer, start } from "./player";

async function check(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"])
    .analyze();
  expect(
    violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`),
  ).toEqual([]);
}

for (const theme of ["light", "dark"]) {
  test(`start, rules and replay hold to WCAG AA, ${theme}`, async ({ page }) => {
    await prefer(page, { theme });
    await page.goto("/");
    await expect(page.locator("button.play")).toBeVisible();
    await check(page);
    await page.goto("/rules?board=nordic#NO-5");
    await expect(page.locator("#NO-5")).toBeVisible();
    await check(page);
    await page.goto("/replay");
    await check(page);
  });

  test(`the table holds to WCAG AA, ${theme}`, async ({ page }) => {
    await start(page, { board: "iberia", settings: { theme } });
    await expect(page.locator(".sheet")).toBeVisible();
    await page.waitForTimeout(400);
    await check(page);
    for (let k = 0; k < 60 && !(await page.locator(".prompt.mine").count()); k++) {
      await move(page);
      await page.waitForTimeout(50);
    }
    await page.waitForTimeout(400);
    await check(page);
  });
}

test("text mode plays with buttons alone, and holds to WCAG AA", async ({ page }) => {
  await start(page, { board: "new_york", settings: { text: true } });
  await expect(page.getByRole("heading", { name: "What you can do" })).toBeVisible();
  await page.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Keep 1 ticket" }).click();
  const draw = page.getByRole("button", { name: "Draw from the deck" });
  for (let k = 0; k < 4; k++) {
    await draw.click();
    await page.waitForTimeout(250);
  }
  await expect(page.getByText(/Your hand \([3-9] cards\)/)).toBeVisible();
  const claims = page.getByRole("button", { name: /^Claim / });
  await page.waitForTimeout(500);
  if (await claims.count()) await claims.first().click();
  await check(page);
  await page.getByLabel("City:").fill("times");
  await expect(
    page.getByRole("listitem").filter({ hasText: "Times Square" }).first(),
  ).toBeVisible();
});

test("on a phone a tap shows the price and a second one claims", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await start(page, { board: "new_york" });
  for (let k = 0; k < 60 && !(await page.locator(".can-touch").count()); k++) {
    await move(page);
    await page.waitForTimeout(50);
  }
  const spread = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(spread).toBeLessThanOrEqual(390);
  await page.locator(".can-touch").first().dispatchEvent("pointerdown", {
    pointerType: "touch",
    button: 0,
    pointerId: 5,
  });
  await page.locator(".can-touch").first().dispatchEvent("click");
  const claim = page.locator(".info .ways button").first();
  await expect(claim).toBeVisible();
  await claim.tap();
  await expect(claim).toHaveCount(0);
  await context.close();
});

test("two fingers make the board larger, keys move it", async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true });
  const page = await context.newPage();
  await start(page, { board: "usa" });
  const frame = page.locator(".frame");
  const drawn = frame.locator("svg > g").first();
  await expect(drawn).toBeVisible();
  await page.waitForTimeout(600);
  const place = async (): Promise<string> => String(await drawn.getAttribute("transform"));
  const scale = async (): Promise<number> => Number(/scale\(([\d.]+)/.exec(await place())?.[1]);
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
