/** What only some boards have, each to its end by clicks. */

import { begin, open, play, seat, test } from "./seats";
import { expect, type Locator, type Page } from "./test";

const log = (page: Page): Locator => page.locator(".log");
const sheet = (page: Page): Locator => page.locator(".sheet");
const prompt = (page: Page): Locator => page.locator(".prompt");

/** Clicks on a route of the board. */
const point = (page: Page, route: string): Promise<void> =>
  page.getByRole("button", { name: route }).click();

/** Clicks on one of the payments on offer. */
const pay = (page: Page, cards: string): Promise<void> =>
  page.locator(".sheet, .info").getByRole("button", { name: cards }).first().click();

test("a route between two festivals lets one choose", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "iberia", seed: 1 });
  await begin([ada, ben]);
  await play([ada, ben], "0 draw", "0 draw", "1 draw", "1 draw");
  await Promise.all([open(ada, table), open(ben, table)]);
  await point(ada, "Valladolid–Madrid");
  await pay(ada, "2 green");
  await expect(sheet(ada)).toContainText("The festival cards of one end are yours");
  await expect(sheet(ada).getByRole("button", { name: "Valladolid" })).toBeVisible();
  await sheet(ada).getByRole("button", { name: "Madrid" }).click();
  await expect(sheet(ada)).toHaveCount(0);
  await expect(ada.getByText("Madrid ×1")).toBeVisible();
  await expect(ada.getByText("Valladolid ×")).toHaveCount(0);
  await expect(log(ben)).toContainText("Madrid");
  await expect(prompt(ben)).toContainText("Your turn.");
  console.log(await log(ben).locator("li").last().allInnerTexts());
});

test("a station is built in a city of the board", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "europe", seed: 128 });
  await begin([ada, ben]);
  await Promise.all([open(ada, table), open(ben, table)]);
  const mine = ada.locator(".seats .me");
  await expect(mine.getByText("Stations")).toBeAttached();
  await ada.getByRole("button", { name: "Build a station" }).click();
  await ada.getByRole("button", { name: "Call off" }).click();
  await expect(prompt(ada)).toContainText("Your turn.");
  await ada.getByRole("button", { name: "Build a station" }).click();
  await ada.screenshot({ path: "/tmp/cases/st.png" });
  console.log(
    await ada
      .locator(".stage")
      .getByRole("button")
      .evaluateAll((a) =>
        a
          .map((x) => x.getAttribute("aria-label") || x.textContent)
          .filter((x) => /Paris|tation/.test(x || "")),
      ),
  );
});
