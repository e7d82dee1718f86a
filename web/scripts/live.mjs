// A real server with an empty store, a real browser, and tables that bots have played on: for the
// scripts that look at the page. PYTHON, CHROMIUM and PORT name what to use.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";

export const BOARDS = ["usa", "europe", "iberia", "south_korea", "new_york", "nordic"];

const web = join(import.meta.dirname, "..");

/**
 * Starts both; `close` ends them and removes the store. A `yielding` server, with its bots, leaves the
 * processor to the browser, as one on another machine does.
 */
export async function live({ boards = [], args = [], yielding = false } = {}) {
  const port = process.env.PORT ?? "8972";
  const url = `http://127.0.0.1:${port}`;
  const data = mkdtempSync(join(tmpdir(), "branchline-page-"));
  const python = process.env.PYTHON ?? join(web, "../.venv/bin/python");
  const limits = ["tables_per_address=1000", "requests_per_second=1000", "requests_burst=5000"];
  const server = spawn(
    python,
    ["-m", "branchline.cli", "serve", "--host", "127.0.0.1", "--port", port, "--data", data]
      .concat(limits.flatMap((limit) => ["--limit", limit]))
      .concat(boards.flatMap((file) => ["--board", file])),
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  if (yielding) setPriority(server.pid, constants.priority.PRIORITY_LOW);
  let ended = false;
  server.once("exit", () => (ended = true));
  process.once("exit", () => server.kill()); // whatever goes wrong, no server stays behind
  const ready = async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok;
  while (!(await ready())) {
    if (ended) throw new Error("the server does not start");
    await sleep(200);
  }
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", ...args],
  });
  const close = async () => {
    await browser.close();
    if (!ended) {
      const gone = new Promise((done) => server.once("exit", done));
      server.kill("SIGTERM");
      await gone;
    }
    rmSync(data, { recursive: true, force: true });
  };
  return { url, browser, close };
}

/** The settings of the page, before it opens. */
export const prefer = (context, settings) =>
  context.addInitScript(
    (text) => localStorage.setItem("branchline", text),
    JSON.stringify({ speed: "instant", welcomed: true, name: "Ada", ...settings }),
  );

export async function ask(context, method, path, data) {
  const answer = await context.request.fetch(path, { method, data });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json().catch(() => null);
}

/** A new table; the first seat is the reader's. */
export async function makeTable(context, board, wish = {}) {
  const names = { board, seats: 3, name: "Ada", bots: ["normal", "normal"], pace: 20, ...wish };
  return (await ask(context, "POST", "/api/tables", names)).table;
}

/**
 * Lets a bot play the reader's seat until the table is `played`: a part of the trains of the seat
 * that has the fewest, 1 for the end of the game. Then it is the reader's turn; false if the game
 * was over before that.
 */
export async function playOn(context, table, played) {
  const seat = `/api/tables/${table}/seats/0/bot`;
  let phase = "";
  while (phase !== "turn" && phase !== "over") {
    await ask(context, "PUT", seat, { level: "normal" });
    await follow(context, table, played);
    if (played >= 1) return true;
    await ask(context, "DELETE", seat);
    phase = await follow(context, table, null);
  }
  return phase === "turn";
}

/** A table that is played so far. */
export async function playedTable(context, board, played) {
  for (;;) {
    const table = await makeTable(context, board);
    if (await playOn(context, table, played)) return table;
  }
}

/** Waits at the table's socket until it is played so far, or else for the reader's decision. */
async function follow(context, table, played) {
  const page = await context.newPage();
  await page.goto("/icon.svg");
  const phase = await page.evaluate(
    ({ table, played }) =>
      new Promise((done) => {
        let view = {};
        let decision = null;
        let most = 0;
        const socket = new WebSocket(`/api/tables/${table}/socket?since=0`, "branchline.1");
        socket.onmessage = ({ data }) => {
          const news = JSON.parse(data);
          view = { ...view, ...(news.view ?? news.changes) };
          if (news.decision !== undefined) decision = news.decision;
          const trains = view.trains ?? [];
          most = Math.max(most, ...trains);
          const over = news.table?.status === "over";
          const enough =
            played === null ? decision : played < 1 && Math.min(...trains) <= most * (1 - played);
          if (over || enough) {
            socket.close();
            done(over ? "over" : (decision?.phase ?? ""));
          }
        };
      }),
    { table, played },
  );
  await page.close();
  return phase;
}

/** Claims routes, and takes them back, until one leads to this phase; false if none does. */
async function claimFor(context, table, phase) {
  const page = await context.newPage();
  await page.goto("/icon.svg");
  const reached = await page.evaluate(
    ({ table, phase }) =>
      new Promise((done) => {
        let decision = null;
        let claims = [];
        let number = 0;
        const socket = new WebSocket(`/api/tables/${table}/socket?since=0`, "branchline.1");
        const send = (message) => socket.send(JSON.stringify({ id: `${number++}`, ...message }));
        const leave = (answer) => {
          socket.close();
          done(answer);
        };
        const next = () => {
          const claim = claims.pop();
          if (!claim) return leave(false);
          send({ type: "act", decision: decision.number, action: claim.action });
        };
        socket.onmessage = ({ data }) => {
          const news = JSON.parse(data);
          if (news.decision !== undefined) decision = news.decision;
          if (news.type === "welcome") {
            claims = decision.offers.filter((offer) => offer.do === "claim");
            next();
          } else if (news.entry?.kind === "taken_back") next();
          else if (news.entry?.kind === "moved") {
            if (decision?.phase === phase) leave(true);
            else if (!news.entry.free) leave(false);
            else send({ type: "takeback", move: news.number });
          } else if (news.type === "refused") leave(false);
        };
      }),
    { table, phase },
  );
  await page.close();
  return reached;
}

/** A table at which the reader has to decide this after a claim. */
export async function tableAt(context, board, phase) {
  for (let k = 0; k < 12; k++) {
    const table = await makeTable(context, board);
    if (!(await playOn(context, table, 0.3))) continue;
    if (await claimFor(context, table, phase)) return table;
  }
  throw new Error(`no table came to ${phase}`);
}
