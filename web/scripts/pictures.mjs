// Every screen of the page as it is, into pictures/: npm run pictures [-- --lang=fr] [--only=table]
// [--sizes=390x844,1440x900] [--themes=dark]. index.html there shows them side by side.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BOARDS, ask, live, makeTable, playedTable, prefer, tableAt } from "./live.mjs";

const { values } = parseArgs({
  options: {
    lang: { type: "string", default: "en" },
    only: { type: "string", default: "" },
    sizes: { type: "string", default: "1440x900,1920x1080,1024x768,390x844,844x390" },
    themes: { type: "string", default: "light,dark" },
  },
});
const sizes = values.sizes.split(",");
const themes = values.themes.split(",");
const into = join(import.meta.dirname, "../pictures", values.lang);

/** Name, address, and what else: settings, clicks before the picture, the whole page. */
async function screens(context) {
  const found = [];
  const add = (name, more) => {
    if (name.includes(values.only)) found.push({ name, ...more });
  };
  const wanted = (name) => name.includes(values.only);
  const table = async (name, make, more = {}) => {
    if (wanted(name)) add(name, { path: `/t/${await make()}`, shows: ".frame .car", ...more });
  };
  const played = (board, part) => () => playedTable(context, board, part);

  add("start", { path: "/", shows: "button.play", whole: true });
  add("start-first", { path: "/", shows: "button.play", settings: { welcomed: false } });
  add("new-game", {
    path: "/",
    shows: "button.play",
    settings: { board: "nordic", seats: 3 },
    before: async (page) => {
      await page.locator(".side select").first().selectOption("friend");
      await page
        .locator(".side select")
        .first()
        .evaluate((seat) => seat.scrollIntoView({ block: "center" }));
    },
  });
  await table("lobby", () => makeTable(context, "europe", { bots: ["normal", null] }), {
    shows: ".lobby",
  });
  for (const board of BOARDS) await table(`table-${board}`, played(board, 0.6));
  // The picture of the README and of the documentation's first pages.
  await table("readme", played("iberia", 0.7), { settings: { hints: false } });
  await table("table-route", played("usa", 0.4), {
    before: async (page) => {
      await page.locator(".can-touch").first().focus();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Shift+Tab");
      await page.locator("[data-strip] [data-slot]").first().waitFor(); // the server has answered
    },
  });
  await table("table-ticket", played("europe", 0.2), {
    before: async (page) => {
      await page.locator("[data-tab=tickets]").click();
      await page.locator(".tickets [data-ticket]").first().focus();
    },
  });
  await table("table-seat", played("usa", 0.6), {
    before: async (page) => {
      const seats = page.locator("[data-tab=seats]");
      if (await seats.isVisible()) await seats.click();
      await page.locator("[data-at=seat-1]").focus();
    },
  });
  await table("strip-ferry", played("nordic", 0.3), {
    before: async (page) => {
      // A ferry that can be claimed, or else one that is free: the strip shows what is missing.
      const { route_list } = await ask(context, "GET", "/api/boards/nordic");
      const all = route_list.flatMap(({ locomotives }, k) =>
        locomotives > 0 ? [`[data-route="${k}"]`] : [],
      );
      const ferries = [...all.map((one) => `.can-touch${one}`), ...all];
      const slot = page.locator("[data-strip] [data-slot]").first();
      for (const ferry of ferries) {
        if (!(await page.locator(ferry).count())) continue;
        await page.locator(ferry).focus();
        await page.keyboard.press("Enter");
        const shown = slot.waitFor({ timeout: 1000 });
        if (await shown.then(() => true).catch(() => false)) return;
      }
      throw new Error("no ferry is free");
    },
  });
  await table("tickets-keep", () => makeTable(context, "usa"), { shows: ".offered" });
  await table("tickets-pick", () => makeTable(context, "iberia"), { shows: ".offered" });
  await table("strip-pay", () => tableAt(context, "south_korea", "pay"), { shows: "[data-do]" });
  await table("strip-mat", () => tableAt(context, "south_korea", "mat"), { shows: "[data-do]" });
  await table("strip-tunnel", () => tableAt(context, "nordic", "tunnel"), {
    shows: "[data-strip] footer button",
  });
  const guided = wanted("guide")
    ? await makeTable(context, "new_york", { seats: 2, bots: ["easy"], first: 0 })
    : "";
  await table("guide", async () => guided, { settings: { guided }, shows: ".offered" });
  await table("text", played("iberia", 0.5), {
    settings: { text: true },
    shows: "h1",
    whole: true,
  });
  for (const board of ["south_korea", "europe"]) {
    const names = ["end", "end-step", "replay"].map((name) => `${name}-${board}`);
    if (!names.some(wanted)) continue;
    const over = await played(board, 1)();
    add(names[0], { path: `/t/${over}`, shows: ".end" });
    add(names[1], {
      path: `/t/${over}`,
      shows: ".end",
      settings: { speed: "slow" },
      before: async (page) => {
        await page.locator("[data-again]").click();
        await page.locator(".step").waitFor();
      },
    });
    add(names[2], { path: `/replay?t=${over}#120`, shows: ".frame .car" });
  }
  add("replay-open", { path: "/replay", shows: ".drop" });
  for (const board of BOARDS)
    add(`rules-${board}`, { path: `/rules/${board}`, shows: "article", whole: true });
  add("rules-called", { path: "/rules/nordic#NO-5", shows: ".called" });
  add("settings", {
    path: "/",
    shows: "button.play",
    before: (page) => page.locator("header button").last().click(),
  });
  add("lost", { path: "/nowhere", shows: "h1" });
  add("gone", { path: "/t/nowhere", shows: "[role=alert]" });
  return found;
}

async function take(context, screen, file) {
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(`${screen.name}: ${error.message}`));
  if (screen.settings) await prefer(page, { ...context.settings, ...screen.settings });
  page.setDefaultTimeout(10_000);
  await page.goto(screen.path);
  await page.locator(screen.shows).first().waitFor();
  await page.waitForLoadState("networkidle");
  await screen.before?.(page);
  await page.screenshot({ path: file, fullPage: screen.whole, animations: "disabled" });
  await page.close();
}

const { url, browser, close } = await live();
try {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const owner = await browser.newContext({ baseURL: url });
  await ask(owner, "GET", "/api/about");
  const list = await screens(owner);
  const storageState = await owner.storageState();
  console.log(`${list.length} screens`);
  for (const size of sizes)
    for (const theme of themes) {
      const [width = 0, height = 0] = size.split("x").map(Number);
      const context = await browser.newContext({
        baseURL: url,
        storageState,
        viewport: { width, height },
        hasTouch: Math.min(width, height) < 600,
        reducedMotion: "reduce",
      });
      context.settings = { theme, lang: values.lang };
      await prefer(context, context.settings);
      for (const screen of list)
        await take(context, screen, join(into, `${screen.name}-${size}-${theme}.png`)).catch(
          (error) => {
            console.error(`${screen.name}: ${error.message}`);
            process.exitCode = 1;
          },
        );
      await context.close();
      console.log(`${size}, ${theme}`);
    }
  const kinds = sizes.flatMap((size) => themes.map((theme) => `${size}-${theme}`));
  const rows = list.map(({ name }) => {
    const shown = kinds.map((kind) => `<img src="${name}-${kind}.png" loading="lazy">`);
    return `<h2>${name}</h2><p>${shown.join("")}</p>`;
  });
  const style = "img{width:440px;margin:4px;vertical-align:top}p{white-space:nowrap}";
  const index = `<!doctype html><meta charset="utf-8"><style>${style}</style>${rows.join("\n")}`;
  writeFileSync(join(into, "index.html"), index);
} finally {
  await close();
}
