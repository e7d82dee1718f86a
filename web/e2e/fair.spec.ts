/** The seed is drawn by the server and the page together, and checked at the end. */

import AxeBuilder from "@axe-core/playwright";
import { finish, start } from "./player";
import { expect, test } from "./test";

test("a game that was begun on the page is checked at its end", async ({ page }) => {
  await start(page, { board: "new_york" });
  await finish(page);
  const summary = page.locator("summary", { hasText: "Fair: checked" });
  await summary.click();
  await expect(page.locator(".trust")).toContainText("drew it together");
  const { violations } = await new AxeBuilder({ page }).include(".trust").analyze();
  expect(violations).toEqual([]);
  // What the page was told before it revealed its part is compared, so another seed is noticed.
  await page.evaluate(() => {
    const kept = localStorage.getItem("branchline.parts") ?? "";
    localStorage.setItem("branchline.parts", kept.replace(/"server":"./, '"server":"x'));
  });
  await page.reload();
  await expect(page.locator("summary", { hasText: "Not fair" })).toBeVisible();
});
