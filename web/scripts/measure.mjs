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

let { url, browser, close } = await live();
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
const SHOWN = ["STATE_PRESENTED_ALL", "STATE_PRESENTED_PARTIAL"];

/** The events of a trace; the numbers of frames are larger than numbers can be, so they stay text. */
function eventsOf(trace) {
  const text = trace
    .toString()
    .replace(/("surface_frame_trace_id":)(-?\d+)/g, '$1"$2"')
    .replace(/("aggregated_surface_frame_trace_ids":\[)([-\d,]+)/g, (_, name, list) =>
      name.concat(list.replace(/-?\d+/g, '"$&"')),
    );
  return JSON.parse(text).traceEvents;
}

/**
 * The frames that the screen didn't need: the browser put them together, as an animation was running,
 * and found that nothing in them differs from the last.
 */
function unchanged(trace) {
  const found = new Set();
  let frames = [];
  const steps = trace
    .filter(({ name }) => name.startsWith("Graphics.Pipeline"))
    .toSorted((a, b) => a.ts - b.ts);
  for (const { name, ph, args } of steps) {
    frames = args?.chrome_graphics_pipeline?.aggregated_surface_frame_trace_ids ?? frames;
    if (name === "Graphics.Pipeline.DrawAndSwap" && ph === "b" && args?.status === "canceled")
      for (const frame of frames) found.add(frame);
  }
  return found;
}

/**
 * What the browser draws while something happens on a page: of the frames in which something is in
 * motion, how many it had to drop, and how much processor time the main thread spends on those that
 * it has a part in. The browser reports a frame twice if the main thread is late for it: what it moves
 * by itself, and what the main thread changes. It is dropped if nothing of it was shown, or, where
 * only the main thread moves something, if its part wasn't. Frames that the screen didn't need count
 * as neither.
 */
async function frames(page, happens) {
  await browser.startTracing(page, { categories: ["devtools.timeline", "cc", "benchmark"] });
  await happens();
  const trace = eventsOf(await browser.stopTracing());
  const still = unchanged(trace);
  const reports = trace
    .filter(
      ({ name, ph, args }) => name === "PipelineReporter" && ph === "b" && args.frame_reporter,
    )
    .map(({ args }) => args.frame_reporter);
  const parts = {};
  for (const report of reports) (parts[report.frame_sequence] ??= []).push(report);
  const moving = Object.values(parts)
    .map((parts) => ({
      states: parts.map(({ state }) => state),
      own: parts.some((part) => part.has_compositor_animation),
      main: parts.some((part) => part.has_main_animation),
      begun: parts.some((part) => part.affects_smoothness),
      needed: !parts.some((part) => still.has(part.surface_frame_trace_id)),
    }))
    .filter(({ own, main, needed }) => needed && (own || main))
    .filter(({ states }) => states.some((state) => state !== "STATE_NO_UPDATE_DESIRED"));
  const lost = moving.filter(
    ({ states, own }) => !states.some((state) => SHOWN.slice(0, own ? 2 : 1).includes(state)),
  );
  const dropped = lost.filter(({ begun }) => begun).length;
  const times = trace
    .filter(({ name, ph }) => ph === "X" && name === "ProxyMain::BeginMainFrame")
    .map(({ tdur = 0 }) => tdur / 1000);
  return {
    moving: moving.length,
    dropped,
    waiting: lost.length - dropped,
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

/** How long trains are watched, and how long each move is, in milliseconds. */
const WATCHED = 15_000;
const MOVE = 1250;

/** Lets moves arrive one after another, as slowly as they are shown; bots choose them much faster. */
const paced = (page) =>
  page.routeWebSocket(/\/socket/, (socket) => {
    let next = 0;
    socket.connectToServer().onMessage((message) => {
      const at = Math.max(next, Date.now());
      if (JSON.parse(message).type === "update") next = at + MOVE;
      setTimeout(() => socket.send(message), at - Date.now());
    });
  });

/**
 * Bots play on, and trains are laid at normal speed: how many frames a second the browser draws while
 * something moves, and how much processor time the main thread spends on those that it has a part in.
 */
async function laying(context, board) {
  const table = await playedTable(context, board, 0.4);
  const page = await context.newPage();
  await prefer(page, { speed: "normal" });
  await paced(page);
  await page.goto(`/t/${table}`);
  await page.locator(".frame .car").first().waitFor();
  await page.waitForLoadState("networkidle");
  await ask(context, "PUT", `/api/tables/${table}/seats/0/bot`, { level: "normal" });
  await page.locator(".moving .laid").first().waitFor({ timeout: 60_000 });
  const found = await frames(page, () => sleep(WATCHED));
  await page.close();
  return found;
}

const shown = ({ moving, dropped, waiting, rate, frames, middle, long, worst }) => [
  `${rate.toFixed(1)} frames a second (${dropped} of ${moving} dropped)`,
  `${waiting} before something began to move`,
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

async function visitor() {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ baseURL: url, viewport });
  await prefer(context, {});
  await ask(context, "GET", "/api/about");
  return context;
}

try {
  let context = await visitor();
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
  if (wanted("memory")) {
    const long = await makeTable(context, "europe", { seats: 5, bots: Array(4).fill("easy") });
    const page = await open(context, long);
    show("memory at the deal", ...facts(await held(context, page)));
    await playOn(context, long, 1);
    await page.locator(".end").waitFor();
    const { actions } = await ask(context, "GET", `/api/tables/${long}/record`);
    show(`memory after ${actions.length} moves`, ...facts(await held(context, page)));
  }
  if (wanted("laying")) {
    await close();
    ({ url, browser, close } = await live({ yielding: true }));
    context = await visitor();
    show("nothing but a box moves", ...shown(await box(context)));
    for (const board of boards)
      show(`trains are laid, ${board}`, ...shown(await laying(context, board)));
  }
} finally {
  await close();
}
