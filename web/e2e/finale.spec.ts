/** The end is celebrated: what decided, awards, points over time, a picture, the game in short. */

import { readFileSync } from "node:fs";
import { finish, start } from "./player";
import { expect, test } from "./test";

test("the finale tells the game, makes a picture and shows it in short", async ({ page }) => {
  await start(page, { board: "new_york" });
  await finish(page);
  const finale = page.getByRole("region", { name: "Looking back" });
  await expect(finale.getByRole("list", { name: "Awards" }).getByRole("listitem")).toHaveCount(3);
  await expect(finale.getByRole("img", { name: /^Points over time/ })).toBeVisible();

  // On a phone lines of the score may be out of sight; the sum never is.
  const window = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 640 });
  await expect(page.locator(".result td.total").first()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(window);

  const download = page.waitForEvent("download");
  await finale.getByRole("button", { name: "Share a picture" }).click();
  const picture = readFileSync(await (await download).path());
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect(picture.length).toBeGreaterThan(100_000);
  expect(picture.readUInt32BE(16)).toBe(1600);

  await finale.getByRole("button", { name: "The game in 15\u00a0seconds" }).click();
  const lapse = page.getByRole("dialog");
  const slider = lapse.getByRole("slider");
  await slider.press("End");
  expect(Number(await slider.inputValue())).toBeGreaterThan(3);
  // It ends with the final scores: those of the table, which has the winner first.
  const first = await page.locator(".result td.total").first().innerText();
  const winners = lapse.getByRole("listitem").filter({ hasText: "★" });
  await expect(winners.first()).toContainText(first);
  await page.keyboard.press("Escape");
  await expect(lapse).toBeHidden();

  // The winner's train crosses the board after the count, in the winner's colour, and is gone.
  await page.evaluate(() => {
    const settings = JSON.parse(localStorage.getItem("branchline") ?? "{}");
    localStorage.setItem("branchline", JSON.stringify({ ...settings, speed: "fast" }));
  });
  await page.reload();
  const count = async (): Promise<void> => {
    await page.getByRole("button", { name: "Show the scoring again" }).click();
    await page.getByRole("button", { name: "Skip" }).click();
  };
  const train = page.locator(".moving .parade");
  // The page itself looks at every frame: on a slow machine the train may be gone before a test asks.
  await page.evaluate(() => {
    const seen = { fill: "", places: new Set<number>() };
    Object.assign(window, { seen });
    const look = (): void => {
      const head = document.querySelector(".moving .parade path");
      if (head) {
        seen.fill = head.getAttribute("fill") ?? "";
        seen.places.add(head.getBoundingClientRect().x);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  const seen = (): Promise<{ fill: string; places: number }> =>
    page.evaluate(() => {
      const { fill, places } = Reflect.get(window, "seen") as { fill: string; places: Set<number> };
      return { fill, places: places.size };
    });
  await count();
  await expect.poll(async () => (await seen()).places).toBeGreaterThan(1);
  const winner = page.locator(".result th", { has: page.locator(".star") }).locator("svg path");
  await expect(winner).toHaveAttribute("fill", (await seen()).fill);
  await expect(train).toHaveCount(0, { timeout: 15_000 });

  await page.emulateMedia({ reducedMotion: "reduce" });
  await count();
  await expect(finale).toBeVisible();
  await expect(train).toHaveCount(0);

  await page.goto("/");
  const over = page.locator("section").filter({ hasText: "Finished games" });
  await expect(over.getByRole("link", { name: /New York/ }).first()).toContainText("★");
});
