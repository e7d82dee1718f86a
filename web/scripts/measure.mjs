// How fast the page is, in a real browser against a real server: npm run measure [-- --only=laying]
// [--boards=usa,europe]. Parts: first, panning, laying, memory. docs/page.md has the figures and what
// they mean.

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { BOARDS, ask, live, makeTable, playOn, playedTable, prefer } from "./live.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    boards: { type: "string", default: BOARDS.join() },
  },
});
const boards = values.boards.split(",");
const wanted = (part) => part.startsWith(values.only);

const { url, browser, close } = await live();
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const show = (name, ...facts) => console.log(`${name.padEnd(34)} ${facts.join(", ")}`);

async function open(context, table) {
  const page = await context.newPage();
  await page.goto(`/t/${table}`);
  await page.locator(".frame .car").first().waitFor();
  await page.waitForLoadState("networkidle");
  return page;
}

/**
 * From the request of the address until the board has been painted, and for how long the browser's
 * main thread worked on it; nothing is cached.
 */
async function firstBoard(table, storageState) {
  const times = [];
  const works = [];
  for (let k = 0; k < 5; k++) {
    const context = await browser.newContext({ baseURL: url, storageState });
    await prefer(context, {});
    await context.addInitScript(() => {
      const look = () => {
        if (document.querySelector(".frame .car"))
          requestAnimationFrame(() => setTimeout(() => (window.shownAt = performance.now())));
        else requestAnimationFrame(look);
      };
      look();
    });
    const page = await context.newPage();
    const hands = await context.newCDPSession(page);
    await hands.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(`/t/${table}`);
    await page.waitForFunction(() => window.shownAt);
    times.push(await page.evaluate(() => window.shownAt));
    const { metrics } = await hands.send("Performance.getMetrics");
    works.push(1000 * metrics.find(({ name }) => name === "TaskDuration").value);
    await context.close();
  }
  return { times, works };
}

const WORK = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];

/** Drags the board about for a while. */
async function panning(context, table) {
  const page = await open(context, table);
  const hands = await context.newCDPSession(page);
  await hands.send("Performance.enable");
  const metrics = async () => {
    const { metrics } = await hands.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  const box = await page.locator(".frame").boundingBox();
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const mouse = (type, x, y) =>
    hands.send("Input.dispatchMouseEvent", {
      type,
      x,
      y,
      button: "left",
      buttons: 1,
      clickCount: 1,
    });
  await page.evaluate(() => {
    window.frameTimes = [];
    const count = (at) => {
      window.frameTimes.push(at);
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await mouse("mousePressed", middle.x, middle.y);
  await mouse("mouseMoved", middle.x + 20, middle.y);
  await browser.startTracing(page, { categories: ["devtools.timeline", "cc"] });
  const before = await metrics();
  const first = await page.evaluate(() => window.frameTimes.length);
  for (let k = 0; k < 240; k++) {
    const turn = (k / 60) * 2 * Math.PI;
    await mouse("mouseMoved", middle.x + 150 * Math.cos(turn), middle.y + 90 * Math.sin(turn));
  }
  const after = await metrics();
  const times = await page.evaluate((first) => window.frameTimes.slice(first), first);
  const trace = JSON.parse((await browser.stopTracing()).toString()).traceEvents;
  await mouse("mouseReleased", middle.x, middle.y);
  await page.close();
  const frames = times.length - 1;
  const per = (names) => {
    const spent = trace.filter(({ name, ph }) => ph === "X" && names.includes(name));
    return spent.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000 / frames;
  };
  const gaps = times.slice(1).map((at, k) => at - times[k]);
  return {
    rate: (1000 * frames) / (times.at(-1) - times[0]),
    worst: Math.max(...gaps),
    work: (1000 * WORK.reduce((sum, name) => sum + after[name] - before[name], 0)) / frames,
    paint: per(["PrePaint", "Paint", "Layerize", "Commit"]),
    raster: per(["RasterTask"]),
  };
}

const FRAME = 1000 / 60;

/**
 * What the browser draws while something happens on a page: of the frames in which something is in
 * motion, how many it had to drop (as the browser itself counts them), and how much processor time
 * the main thread spends on those that it has a part in.
 */
async function frames(page, happens) {
  await browser.startTracing(page, { categories: ["devtools.timeline", "cc", "benchmark"] });
  await happens();
  const trace = JSON.parse((await browser.stopTracing()).toString()).traceEvents;
  const moving = trace
    .filter(({ name, ph }) => name === "PipelineReporter" && ph === "b")
    .map(({ args }) => args.frame_reporter)
    .filter((frame) => frame?.has_compositor_animation || frame?.has_main_animation);
  const dropped = moving.filter(({ state }) => state === "STATE_DROPPED").length;
  const times = trace
    .filter(({ name, ph }) => ph === "X" && name === "ProxyMain::BeginMainFrame")
    .map(({ tdur = 0 }) => tdur / 1000);
  return {
    moving: moving.length,
    dropped,
    rate: 60 * (1 - dropped / moving.length),
    frames: times.length,
    middle: median(times) ?? 0,
    long: times.filter((time) => time > FRAME).length,
    worst: Math.max(0, ...times),
  };
}

/** A page on which nothing but a box moves: what this browser reaches on this machine at best. */
async function box(context) {
  const page = await context.newPage();
  await page.setContent(
    `<style>@keyframes go { to { transform: translateX(900px) } }
    div { width: 60px; height: 60px; background: teal; animation: go 1s infinite alternate }</style><div></div>`,
  );
  const found = await frames(page, () => sleep(5000));
  await page.close();
  return found;
}

/** How long trains are watched, in milliseconds. */
const WATCHED = 8000;

/**
 * Bots play on at normal speed, and trains are laid: how many frames a second the browser draws while
 * something moves, and how much processor time the main thread spends on those that it has a part in.
 */
async function laying(context, board) {
  const table = await playedTable(context, board, 0.4);
  const page = await context.newPage();
  await prefer(page, { speed: "normal" });
  await page.goto(`/t/${table}`);
  await page.locator(".frame .car").first().waitFor();
  await page.waitForLoadState("networkidle");
  const laid = () => page.evaluate(() => document.querySelector(".moving .laid") !== null);
  const found = await frames(page, async () => {
    await ask(context, "PUT", `/api/tables/${table}/seats/0/bot`, { level: "normal" });
    for (const until = Date.now() + 60_000; !(await laid()) && Date.now() < until;)
      await sleep(250);
    await sleep(WATCHED);
  });
  await page.close();
  return found;
}

const shown = ({ moving, dropped, rate, frames, middle, long, worst }) => [
  `${rate.toFixed(1)} frames a second (${dropped} of ${moving} dropped)`,
  `main thread ${middle.toFixed(1)} ms a frame (median of ${frames})`,
  `${long} above ${FRAME.toFixed(1)} ms`,
  `longest ${worst.toFixed(0)} ms`,
];

/** What the page holds in memory, after everything unused is gone. */
async function held(context, page) {
  const hands = await context.newCDPSession(page);
  await hands.send("HeapProfiler.collectGarbage");
  const { usedSize } = await hands.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await hands.send("Memory.getDOMCounters");
  await hands.detach();
  return { heap: usedSize / 1024, nodes, listeners: jsEventListeners };
}

const facts = ({ heap, nodes, listeners }) => [
  `${heap.toFixed(0)} KB`,
  `${nodes} nodes`,
  `${listeners} listeners`,
];

try {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
  });
  await prefer(context, {});
  await ask(context, "GET", "/api/about");
  const tables = {};
  if (wanted("first") || wanted("panning"))
    for (const board of boards) tables[board] = await playedTable(context, board, 0.5);
  const storageState = await context.storageState();
  for (const board of wanted("first") ? boards : []) {
    const { times, works } = await firstBoard(tables[board], storageState);
    const each = times.map((time) => time.toFixed(0)).join(" ");
    show(
      `first board, ${board}`,
      `median ${median(times).toFixed(0)} ms of ${each}`,
      `main thread ${median(works).toFixed(0)} ms`,
    );
  }
  for (const board of wanted("panning") ? boards : []) {
    const { rate, worst, work, paint, raster } = await panning(context, tables[board]);
    show(
      `panning, ${board}`,
      `${rate.toFixed(0)} frames a second`,
      `longest ${worst.toFixed(0)} ms`,
      `script, style and layout ${work.toFixed(2)} ms a frame`,
      `paint ${paint.toFixed(2)} ms`,
      `raster ${raster.toFixed(2)} ms`,
    );
  }
  if (wanted("laying")) {
    show("nothing but a box moves", ...shown(await box(context)));
    for (const board of boards)
      show(`trains are laid, ${board}`, ...shown(await laying(context, board)));
  }
  if (wanted("memory")) {
    const long = await makeTable(context, "europe", { seats: 5, bots: Array(4).fill("easy") });
    const page = await open(context, long);
    show("memory at the deal", ...facts(await held(context, page)));
    await playOn(context, long, 1);
    await page.locator(".end").waitFor();
    const { actions } = await ask(context, "GET", `/api/tables/${long}/record`);
    show(`memory after ${actions.length} moves`, ...facts(await held(context, page)));
  }
} finally {
  await close();
}
