import { play, start } from "./player";
import { expect, test } from "./test";

test("a route that can't be claimed says why, with its rule", async ({ page }) => {
  await start(page, { board: "usa" });
  await play(page, async (what) => what === "card");
  const route = page.locator(".touch:not(.can-touch)").first();
  const point = await route.evaluate((path) => {
    const line = path as SVGPathElement;
    const place = line.getPointAtLength(line.getTotalLength() / 2);
    const { x, y } = place.matrixTransform(line.getScreenCTM() ?? undefined);
    return { x, y };
  });
  await page.mouse.click(point.x, point.y);
  await expect(page.locator(".info .why a")).toHaveAttribute("href", /\/rules\?board=usa#\w+-\d+/);
});

test("what can't be drawn says why, with its rule", async ({ page }) => {
  await start(page, { board: "usa" });
  await play(page, async (what) => what === "card");
  await page.getByRole("button", { name: /^Draw from the deck/ }).click();
  await expect(page.getByText("Your next card")).toBeVisible();
  await page.getByRole("button", { name: /^Draw tickets/ }).click({ force: true });
  await expect(page.locator(".note a")).toHaveAttribute("href", /\/rules\?board=usa#\w+-\d+/);
});

test("a claim that is half done can be called off", async ({ page }) => {
  await start(page, { board: "nordic" });
  const off = page.locator(".sheet").getByRole("button", { name: "Call it off" });
  await play(page, async () => (await off.count()) > 0);
  await off.click();
  await expect(page.locator(".sheet")).toHaveCount(0);
  await expect(page.locator(".prompt.mine")).toContainText("Your turn");
});

test("marked tickets stay when another chooses at the same time", async ({ page, browser }) => {
  await start(page, { board: "usa", settings: { level: "friend" } });
  const host = page;
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(page.url());
  await guest.getByRole("button", { name: "Take a seat" }).click();
  const tickets = host.locator(".sheet .cards button");
  await tickets.first().click();
  await guest.locator(".sheet .cards button").nth(0).click();
  await guest.locator(".sheet .cards button").nth(1).click();
  await guest.locator(".sheet button.main").click();
  await expect(host.locator(".log")).toContainText("has chosen");
  await expect(tickets.first()).toHaveAttribute("aria-pressed", "true");
});
