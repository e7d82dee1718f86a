import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { BOARDS, playToTheEnd, prefer, type What } from "./player";
import { expect, test, type Page } from "./test";

const SOURCE = join(import.meta.dirname, "../../src/branchline");
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** The texts of a catalogue or a board, without those in English. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value.replaceAll(/\{\w+\}/g, " ")];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === "en" ? [] : texts(part)));
}
function vocabulary(folder: string): Set<string> {
  const files = readdirSync(join(SOURCE, folder)).filter((name) => name.endsWith(".toml"));
  const tables = files.map((name) => parse(readFileSync(join(SOURCE, folder, name), "utf8")));
  return new Set(texts(tables).flatMap(wordsOf));
}
const FRENCH = [
  vocabulary("lang/fr"),
  vocabulary("maps"),
  new Set(["ada", "branchline", "english"]),
];

/** Words that an English text has and no French one, nor any name on a board. */
const ENGLISH = new Set(
  [...vocabulary("lang/en")].filter((word) => FRENCH.every((words) => !words.has(word))),
);

/** Everything that can be read or heard on the page, each text once. */
function readable(): string[] {
  const told = new Set([document.title]);
  for (const element of document.querySelectorAll("body, body *")) {
    if (element.closest("code, [lang=en]")) continue;
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description"])
      told.add(element.getAttribute(name) ?? "");
    if (element.checkVisibility())
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) told.add(node.textContent ?? "");
  }
  return [...told].map((text) => text.trim()).filter(Boolean);
}

const read = new Set<string>();

/** Reads the page, and finds nothing but French in it. */
async function french(page: Page, screen: string): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  const found = (await page.evaluate(readable)).filter((text) => !read.has(text));
  for (const text of found) read.add(text);
  expect
    .soft(
      found.filter((text) => wordsOf(text).some((word) => ENGLISH.has(word))),
      `English words, ${screen}`,
    )
    .toEqual([]);
  expect
    .soft(
      found.filter((text) => /(^|[^\d.,+−-])[01]\s\p{L}{3,}s(?!\p{L})/u.test(text)),
      `plurals of none or one, ${screen}`,
    )
    .toEqual([]);
}

/** Opens all that can be unfolded. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

test.use({ locale: "fr-FR" });

test("start, rules and the other pages are all in French", async ({ page, allow }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Tracez votre ligne sur la carte",
  );
  await french(page, "first visit");
  for (const board of BOARDS) {
    await page
      .locator("label")
      .filter({ has: page.locator(`[value=${board}]`) })
      .click();
    await unfold(page);
    await french(page, `start, ${board}`);
  }
  await page.getByRole("button", { name: "Réglages" }).click();
  await unfold(page);
  await french(page, "settings");
  await page.getByRole("button", { name: "Fermer" }).click();
  await page.getByRole("combobox", { name: "Joueur 2", exact: true }).selectOption("friend");
  await french(page, "new game with a friend");
  await page.locator("button.play").click();
  await expect(page.getByLabel("Lien vers cette table")).toBeVisible();
  await french(page, "lobby");
  await page.goto("/rules");
  await expect(page.locator("#NO-5")).toBeVisible();
  await french(page, "rules");
  for (const board of BOARDS) {
    await page.locator("select").selectOption(board);
    await french(page, `rules, ${board}`);
  }
  allow(/404 .*\/nowhere\)$/);
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await french(page, "no such page");
  allow(/422 .*\/api\/tables\/nosuchtable\)$/);
  allow(/^WebSocket connection to .*\/nosuchtable\/socket.* code: 404 /);
  await page.goto("/t/nosuchtable");
  await expect(page.getByRole("alert")).toBeVisible();
  await french(page, "no such table");
});

test("a whole game, its end, replay and text are all in French", async ({ page }) => {
  await prefer(page, { speed: "instant", level: "easy", name: "Ada", board: "south_korea" });
  await page.goto("/");
  await page.locator("button.play").click();
  const seen = new Set<What>();
  let clicks = 0;
  await playToTheEnd(page, async (what) => {
    if (++clicks % 4 === 0 || !seen.has(what)) {
      await unfold(page);
      await french(page, `table, ${what}`);
    }
    seen.add(what);
    if (clicks !== 10) return false;
    await page.keyboard.press("x");
    await expect(page.getByRole("main")).toHaveClass(/text/);
    await unfold(page);
    await french(page, "text mode");
    await page.getByRole("button", { name: "Retour au plateau dessiné" }).click();
    await page.getByRole("button", { name: "Menu" }).click();
    await unfold(page);
    await french(page, "menu");
    await page.keyboard.press("Escape");
    return false;
  });
  await unfold(page);
  await french(page, "the end");
  await page.keyboard.press("x");
  await french(page, "the end in text mode");
  await page.getByRole("link", { name: "Revoir" }).click();
  await expect(page.getByRole("heading", { name: "Corée du Sud" })).toBeVisible();
  const next = page.getByRole("button", { name: "Un pas en avant" });
  for (let k = 0; k < 20; k++) {
    await french(page, "replay");
    await next.click();
  }
  await page.getByRole("button", { name: "À la fin" }).click();
  await french(page, "replay, the end");
});
