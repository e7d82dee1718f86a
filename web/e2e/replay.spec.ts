import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { printed } from "../src/lib/end/signed";
import { expect, test } from "./test";

const root = join(import.meta.dirname, "../..");
const python = process.env["PYTHON"] ?? join(root, ".venv/bin/python");

/** The record of one of the games that the engine's own tests keep. */
function golden(name: string): string {
  const read =
    "import sys; from branchline.engine.notation import read_game;" +
    "sys.stdout.write(read_game(open(sys.argv[1]).read()).record().to_json())";
  const file = join(root, "tests/golden", `${name}.txt`);
  return execFileSync(python, ["-c", read, file], { encoding: "utf8", maxBuffer: 1 << 26 });
}

async function open(page: Page, text: string | Buffer, name = "game.json"): Promise<void> {
  await page.locator("input[type=file]").setInputFiles({
    name,
    mimeType: name.endsWith(".json") ? "application/json" : "text/plain",
    buffer: Buffer.from(text),
  });
}

/** The winner has a star, at the end alone. */
const won = (page: Page) => page.locator(".seats .name", { hasText: "★" }).first();
const at = (page: Page, n: number) => page.getByText(new RegExp(`^Position ${n} of`));

for (const name of ["usa_5", "europe_3", "iberia_4", "south_korea_2", "new_york_4", "nordic_3"])
  test(`a record of ${name} from the deal to the scores`, async ({ page }) => {
    const record = golden(name);
    const { actions, result } = JSON.parse(record) as {
      actions: unknown[];
      result: { scores: number[] };
    };
    await page.goto("/replay");
    await open(page, record);
    await expect(page.getByText(`Position 0 of ${actions.length}`)).toBeVisible();
    await expect(page.getByText("The deal")).toBeVisible();
    await page.getByRole("slider").fill(String(Math.floor(actions.length / 2)));
    await expect(at(page, Math.floor(actions.length / 2))).toBeVisible();
    await expect(page.locator(".route .mark").first()).toBeVisible();
    await page.getByRole("button", { name: "To the end" }).click();
    for (const [k, score] of result.scores.entries())
      await expect(page.locator(".seats .points > :first-child").nth(k)).toHaveText(printed(score));
    await expect(won(page)).toBeVisible();
    await page.getByLabel("View").selectOption("1");
    await expect(page).toHaveURL(new RegExp(`#${actions.length}-1$`));
    await page.getByRole("combobox", { name: "Turn" }).selectOption("3");
    await expect(page).toHaveURL(/#\d+-1$/);
  });

test("a record in the text notation is shown as well", async ({ page }) => {
  const text = readFileSync(join(root, "tests/golden/nordic_3.txt"), "utf8");
  await page.goto("/replay");
  await open(page, text, "game.txt");
  await expect(at(page, 0)).toBeVisible();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(won(page)).toBeVisible();
});

test("an opened record outlives a reload, and a link finds its position", async ({
  page,
  browser,
}) => {
  const record = golden("nordic_2");
  await page.goto("/replay");
  await open(page, record);
  await page.getByRole("slider").fill("12");
  await page.getByLabel("View").selectOption("1");
  await expect(page).toHaveURL(/\/replay\?r=\w+#12-1$/);
  await page.reload();
  await expect(at(page, 12)).toBeVisible();
  await expect(page.getByLabel("View")).toHaveValue("1");
  const link = await page.getByLabel("Link to this position").inputValue();
  expect(link).toBe(page.url());

  await page.goto("/");
  await page.goto(link);
  await expect(at(page, 12)).toBeVisible();

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(link);
  await expect(other.getByRole("alert")).toContainText("not in this browser");
  await open(other, record);
  await expect(at(other, 12)).toBeVisible();
  await expect(other.getByLabel("View")).toHaveValue("1");
  await elsewhere.close();
});

test("what is no record says so, and the game on show stays", async ({ page, allow }) => {
  allow(/status of 422 .*\/api\/replays/);
  const record = golden("new_york_2");
  const changed = JSON.parse(record) as { actions: [number, string][] };
  changed.actions[4] = [0, "claim nowhere-somewhere"];
  await page.goto("/replay");
  const says = page.getByRole("alert");
  for (const [text, words] of [
    ["", "not a game that Branchline has saved"],
    ["Good morning", "not a game that Branchline has saved"],
    [record.slice(0, 900), "damaged"],
    [JSON.stringify(changed), "Action 5 of the record"],
    [Buffer.alloc(17 * 1024 * 1024, " "), "too large"],
  ] as const) {
    await open(page, text);
    await expect(says).toContainText(words);
  }
  await open(page, record);
  await expect(at(page, 0)).toBeVisible();
  await expect(says).toHaveCount(0);
  await page.getByRole("button", { name: "One step on" }).click();
  await open(page, "Good morning");
  await expect(says).toContainText("not a game");
  await expect(at(page, 1)).toBeVisible();
});

test("keys step, go from turn to turn, and play to the end", async ({ page }) => {
  await page.goto("/replay");
  await open(page, golden("new_york_3"));
  await expect(at(page, 0)).toBeVisible();
  await page.getByRole("heading", { level: 1 }).click();
  const turn = page.getByRole("combobox", { name: "Turn" });
  await page.keyboard.press("ArrowRight");
  await expect(at(page, 1)).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(at(page, 0)).toBeVisible();
  for (const n of ["1", "2", "3"]) {
    await page.keyboard.press("PageDown");
    await expect(turn).toHaveValue(n);
  }
  await page.keyboard.press("PageUp");
  await expect(turn).toHaveValue("2");
  await page.keyboard.press("End");
  await expect(won(page)).toBeVisible();
  await page.keyboard.press("Home");
  await expect(at(page, 0)).toBeVisible();
  await expect(won(page)).toHaveCount(0);
  await page.getByLabel("Speed").selectOption({ label: "20 ×" });
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(won(page)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
});
