import { readFileSync } from "node:fs";
import { expect, test } from "./test";
import { move, playToTheEnd, prefer, start } from "./player";

test("someone opens the page and plays a whole game by clicks and keys", async ({ page }) => {
  await start(page, { board: "new_york" });
  await playToTheEnd(page);
  const end = page.locator(".end");
  await expect(end.getByRole("table")).toContainText("Ada");
  const totals = await end.locator("td.total").allTextContents();
  expect(totals).toHaveLength(2);

  const saved = page.waitForEvent("download");
  await end.getByRole("link", { name: "Save the record" }).click();
  const record = readFileSync(await (await saved).path(), "utf8");
  expect(JSON.parse(record)).toHaveProperty("seed");

  await end.getByRole("link", { name: "Replay" }).click();
  await expect(page.getByRole("heading", { name: "New York" })).toBeVisible();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page).toHaveURL(/#\d+$/);
  for (const total of totals) await expect(page.locator("aside")).toContainText(total);
  await page.getByLabel("View").selectOption("0");
  await expect(page).toHaveURL(/#\d+-0$/);
});

test("a saved record can be opened again", async ({ page }) => {
  await start(page, { board: "new_york" });
  await playToTheEnd(page);
  const id = new URL(page.url()).pathname.split("/").pop() ?? "";
  const record = await page.evaluate(
    async (table) => (await fetch(`/api/tables/${table}/record`)).text(),
    id,
  );
  await page.goto("/replay");
  await page.locator("input[type=file]").setInputFiles({
    name: "game.json",
    mimeType: "application/json",
    buffer: Buffer.from(record),
  });
  await expect(page.getByText(/Position 0 of/)).toBeVisible();
  await page.getByRole("button", { name: "One step on" }).click();
  await expect(page.getByText(/Position 1 of/)).toBeVisible();
});

for (const board of ["iberia", "south_korea", "nordic", "europe", "usa"])
  test(`the first turns on ${board}`, async ({ page }) => {
    await start(page, { board });
    let moves = 0;
    const until = Date.now() + 40_000;
    while (moves < 25 && Date.now() < until) {
      if (await move(page)) moves++;
      else await page.waitForTimeout(60);
    }
    expect(moves).toBeGreaterThan(15);
    await expect(page.locator(".log li").nth(5)).toBeVisible();
  });

test("a route that can't be claimed says why, with its rule", async ({ page }) => {
  await start(page, { board: "usa" });
  while (!(await page.locator(".prompt.mine").count())) {
    await move(page);
    await page.waitForTimeout(50);
    if (await page.locator(".can-touch").count()) break;
  }
  await expect(page.locator(".prompt.mine")).toBeVisible();
  const far = page.locator(".touch:not(.can-touch)").first();
  await far.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".info .why a")).toHaveAttribute("href", /\/rules\?board=usa#\w+-\d+/);
});

test("a card that can't be taken says why, with its rule", async ({ page }) => {
  await start(page, { board: "usa", settings: { seats: 2 } });
  for (let turn = 0; turn < 60; turn++) {
    await expect(page.locator(".sheet, .prompt.mine").first()).toBeVisible({ timeout: 20_000 });
    if (await page.locator(".sheet").count()) {
      await move(page);
      continue;
    }
    const engine = page.getByRole("button", { name: "Take a locomotive" }).first();
    if (await page.getByText("Your next card").count()) {
      if (await engine.count()) {
        await engine.click({ force: true });
        await expect(page.locator(".note a")).toContainText("BASE-4");
        return;
      }
    }
    await page.keyboard.press("d");
    await page.waitForTimeout(150);
  }
  test.skip(true, "no locomotive came up");
});

test("the keyboard is enough", async ({ page }) => {
  await start(page, { board: "new_york" });
  await expect(page.locator("#sheet-title")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const keep = page.getByRole("button", { name: "Keep 1 ticket" });
  await keep.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".prompt.mine")).toContainText("Your turn");
  await page.keyboard.press("d");
  await expect(page.getByText("Your next card")).toBeVisible();
  await page.keyboard.press("d");
  for (let k = 0; k < 12; k++) {
    await expect(page.locator(".prompt.mine")).toContainText(/Your/, { timeout: 20_000 });
    if (await page.locator(".can-touch").count()) break;
    await page.keyboard.press("d");
    await page.waitForTimeout(200);
  }
  await page.locator(".frame").focus();
  await page.keyboard.press("r");
  await expect(page.locator(".touch:focus")).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(300);
  if (await page.locator(".info .ways").count()) {
    await expect(page.locator(".info .ways button").first()).toBeFocused();
    await page.keyboard.press("Enter");
  }
  if (await page.locator(".sheet").count()) await page.keyboard.press("Enter");
  await expect(page.locator(".log")).toContainText("You claim");
});

test("a claim that is half done can be called off", async ({ page }) => {
  await start(page, { board: "nordic" });
  for (let k = 0; k < 120; k++) {
    if (await page.getByRole("button", { name: "Call it off" }).count()) break;
    if (!(await move(page))) await page.waitForTimeout(60);
  }
  const off = page.getByRole("button", { name: "Call it off" });
  test.skip(!(await off.count()), "no claim with a choice came up");
  await off.click();
  await expect(page.locator(".sheet")).toHaveCount(0);
  await expect(page.locator(".prompt.mine")).toBeVisible();
});

test("the language is that of the browser, and French is complete", async ({ browser }) => {
  const context = await browser.newContext({ locale: "fr-FR" });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Tracez votre ligne sur la carte",
  );
  await page.locator("button.play").click();
  await expect(page.getByText("Gardez-en au moins").first()).toBeVisible();
  await context.close();
});

test("a table that does not exist is told as such", async ({ page, allow }) => {
  allow(/422 .*\/api\/tables\/nosuchtable\)$/);
  allow(/^WebSocket connection to .*\/nosuchtable\/socket.* code: 404 /);
  await page.goto("/t/nosuchtable");
  await expect(page.getByRole("alert")).toContainText("does not exist");
});

test("the guided game begins with a hint", async ({ page }) => {
  await prefer(page, { speed: "instant" });
  await page.goto("/");
  await page.getByRole("button", { name: "Start the guided game" }).click();
  await expect(page.locator(".guide")).toContainText("Tickets are your goals.");
});
