import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, test } from "./test";
import { prefer } from "./player";

/** What the page holds, after everything unused is gone. */
async function held(page: Page): Promise<{ heap: number; nodes: number; listeners: number }> {
  const hands = await page.context().newCDPSession(page);
  // What was held by what is collected goes with the next collection.
  for (let k = 0; k < 3; k++) await hands.send("HeapProfiler.collectGarbage");
  const { usedSize } = await hands.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await hands.send("Memory.getDOMCounters");
  await hands.detach();
  return { heap: usedSize / 1024, nodes, listeners: jsEventListeners };
}

test("a page that saw a long game holds what one holds that is opened at its end", async ({
  page,
}) => {
  await prefer(page, { speed: "fast", welcomed: true });
  await page.goto("/");
  const { table } = (await (
    await page.request.post("/api/tables", {
      data: { board: "europe", seats: 5, name: "Ada", bots: Array(4).fill("easy"), pace: 5 },
    })
  ).json()) as { table: string };
  await page.goto(`/t/${table}`);
  await expect(page.locator(".frame .car").first()).toBeVisible();
  await page.request.put(`/api/tables/${table}/seats/0/bot`, { data: { level: "easy" } });
  const shown = async (): Promise<void> => {
    await expect(page.locator(".end")).toBeVisible({ timeout: 90_000 });
    await expect(page.locator(".result svg[role=img]").first()).toBeAttached();
  };
  await page.getByRole("button", { name: "Skip" }).click({ timeout: 90_000 }); // the count
  await shown();
  const saw = await held(page);
  const record = (await (await page.request.get(`/api/tables/${table}/record`)).json()) as {
    actions: unknown[];
  };
  const moves = record.actions.length;
  expect(moves).toBeGreaterThan(200);
  await page.reload();
  await shown();
  const opened = await held(page);
  expect((saw.heap - opened.heap) / moves, "KB of memory for a move").toBeLessThan(6);
  // One that saw it also keeps a few hundred nodes of templates, which it needed on the way.
  expect((saw.nodes - opened.nodes) / moves, "nodes for a move").toBeLessThan(1.5);
  expect(saw.listeners - opened.listeners, "listeners").toBeLessThan(20);
});

test("what a board is drawn from is loaded once, along with the script", async ({ page }) => {
  await prefer(page, { welcomed: true });
  await page.goto("/replay");
  const { table } = (await (
    await page.request.post("/api/tables", { data: { board: "nordic", seats: 2, name: "Ada" } })
  ).json()) as { table: string };
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/t/${table}`);
  await expect(page.locator(".frame .car").first()).toBeAttached();
  for (const path of ["/api/boards/nordic", "/api/boards/nordic/drawing"]) {
    expect(asked.filter((name) => name === path)).toHaveLength(1);
    const entry = await page.evaluate(
      (path) =>
        performance
          .getEntriesByType("resource")
          .find(({ name }) => new URL(name).pathname === path)
          ?.toJSON() as { initiatorType: string },
      path,
    );
    expect(entry.initiatorType).toBe("link");
  }
});

test("going from screen to screen leaves nothing behind", async ({ page }) => {
  await prefer(page, { welcomed: true });
  await page.goto("/");
  const round = async (): Promise<void> => {
    await page.getByRole("link", { name: "Rules", exact: true }).click();
    await expect(page.locator("article").first()).toBeVisible();
    await page.getByRole("link", { name: "Replay", exact: true }).click();
    await expect(page.locator(".drop")).toBeVisible();
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page.locator("button.play")).toBeVisible();
  };
  await round();
  const before = await held(page);
  for (let k = 0; k < 5; k++) await round();
  const after = await held(page);
  expect(after.nodes - before.nodes).toBeLessThan(before.nodes / 4);
  expect(after.listeners - before.listeners).toBeLessThan(20);
  expect(after.heap - before.heap).toBeLessThan(1024);
});

test("moving the board draws nothing anew", async ({ page }) => {
  await prefer(page, { speed: "instant", welcomed: true, board: "iberia" });
  await page.goto("/");
  await page.locator("button.play").click();
  await expect(page.locator(".offered")).toBeVisible();
  await page.locator(".frame").focus();
  await page.keyboard.press("ArrowLeft");
  const changed = await page.evaluate(async () => {
    const found = new Set<string>();
    const ground = document.querySelector(".frame .ground");
    if (!ground) return ["no board"];
    const watch = new MutationObserver((list) => {
      for (const { target, attributeName } of list)
        found.add(`${target.nodeName} ${attributeName ?? "children"}`);
    });
    watch.observe(ground, { attributes: true, childList: true, subtree: true });
    for (const key of ["ArrowLeft", "ArrowUp", "ArrowRight"])
      ground.parentElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise((done) => requestAnimationFrame(done));
    watch.disconnect();
    return [...found];
  });
  expect(changed).toEqual(["DIV style"]);
});

test("no face is left to arrive in the middle of a game", async ({ page }) => {
  await prefer(page, { welcomed: true });
  await page.goto("/");
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].map(({ status }) => status)))
    .toEqual(Array(4).fill("loaded"));
});

test("script and style are small", () => {
  const assets = join(import.meta.dirname, "../../src/branchline/service/page/assets");
  const sizes = readdirSync(assets)
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => gzipSync(readFileSync(join(assets, name))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200 * 1024);
});
