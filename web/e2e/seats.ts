/** Tables whose deal a test chooses, and quick moves by the socket on the way to a position. */

import type { Decision, Offer, ServerMessage } from "../src/lib/api/messages";
import { prefer } from "./player";
import { expect, test as base, type BrowserContext, type Page } from "./test";

type Person = (server?: string) => Promise<Page>;

/** `person` opens a browser of its own for each person, who may be at another server. */
export const test = base.extend<{ person: Person }>({
  person: async ({ browser }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (baseURL) => {
      const context = await browser.newContext(baseURL ? { baseURL } : {});
      contexts.push(context);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

interface Hand {
  begin(): Promise<void>;
  finish(): Promise<void>;
  act(notation: string): Promise<void>;
  /** What may be done now, and in which phase. */
  asked(): Promise<{ phase: string; notations: string[] }>;
}
declare global {
  interface Window {
    hand?: Hand;
  }
}

export interface Deal {
  board: string;
  /** What `server.py` deals with. */
  seed: number;
  /** Settings of everyone's page. */
  settings?: Record<string, unknown>;
}

const NAMES = ["Ada", "Ben", "Cleo"];

/** Seats the owner of each page at a table, Ada first, and deals. Nobody has it open yet. */
export async function seat(pages: Page[], { board, seed, settings }: Deal): Promise<string> {
  let id = "";
  for (const [k, page] of pages.entries()) {
    await prefer(page, { speed: "instant", welcomed: true, name: NAMES[k], ...settings });
    const name = k === 0 ? `Ada #${seed}` : NAMES[k];
    const answer = await page.request.post(k === 0 ? "/api/tables" : `/api/tables/${id}/seats`, {
      data: k === 0 ? { board, seats: pages.length, name, first: 0 } : { name },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    id = ((await answer.json()) as { table: string }).table;
  }
  for (const page of pages) await sit(page, id);
  return id;
}

/** Everyone takes the first tickets that come, until the first turn. */
export async function begin(pages: Page[]): Promise<void> {
  await Promise.all(pages.map((page) => page.evaluate(() => window.hand?.begin())));
}

/** Everyone plays until the game is over, and claims what brings most. */
export async function finish(pages: Page[]): Promise<void> {
  await Promise.all(pages.map((page) => page.evaluate(() => window.hand?.finish())));
}

/** Makes moves in the order of a script, each a seat and an action: `0 take red`. */
export async function play(pages: Page[], ...script: string[]): Promise<void> {
  for (const line of script) {
    const [who, ...words] = line.split(" ");
    await pages[Number(who)]?.evaluate((text) => window.hand?.act(text), words.join(" "));
  }
}

/** Opens the table in the browser. */
export async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/t/${id}`);
  await expect(page.locator(".frame .car").first()).toBeAttached();
}

/** Gives a page without the table on it a hand that plays its seat. */
export async function sit(page: Page, table: string): Promise<void> {
  await page.goto("/replay");
  await page.evaluate((id) => {
    const path = `/api/tables/${id}/socket?since=0`;
    const socket = new WebSocket(`ws://${location.host}${path}`, "branchline.1");
    let decision: Decision | null = null;
    let phase = -1;
    let heard = (): void => undefined;
    let answered = (_refusal: string): void => undefined;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as ServerMessage;
      if (message.type === "done") answered("");
      if (message.type === "refused") answered(message.text);
      if (message.type !== "welcome" && message.type !== "update") return;
      if (message.decision !== undefined) decision = message.decision;
      const view = message.type === "welcome" ? message.view : message.changes;
      phase = (view as { phase?: number[] } | null)?.phase?.[0] ?? phase;
      heard();
    };
    const until = (what: string, ready: () => boolean): Promise<void> =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          const offers = decision?.offers.map((offer) => offer.notation) ?? [];
          reject(new Error(`${what}: not among ${offers.join(", ")}`));
        }, 10_000);
        heard = () => {
          if (!ready()) return;
          clearTimeout(late);
          heard = () => undefined;
          resolve();
        };
        heard();
      });
    const take = (action: number): Promise<void> =>
      new Promise((resolve, reject) => {
        answered = (refusal) => (refusal ? reject(new Error(refusal)) : resolve());
        const number = decision?.number;
        decision = null;
        socket.send(
          JSON.stringify({ type: "act", id: `hand-${number}`, decision: number, action }),
        );
      });
    const TURN = 0;
    const OVER = 1;
    const value = ({ do: kind, points = 0 }: Offer): number =>
      kind === "claim" ? points : kind === "draw" || kind === "take" ? 0 : -1;
    window.hand = {
      async finish() {
        while (phase !== OVER) {
          await until("the end", () => decision !== null || phase === OVER);
          const [best] = decision?.offers.toSorted((a, b) => value(b) - value(a)) ?? [];
          if (best && phase !== OVER) await take(best.action);
        }
      },
      async begin() {
        while (phase !== TURN) {
          await until("the first turn", () => decision !== null || phase === TURN);
          const first = decision?.offers[0];
          if (first && phase !== TURN) await take(first.action);
        }
      },
      async asked() {
        await until("a decision", () => decision !== null);
        const { phase = "", offers = [] } = decision ?? {};
        return { phase, notations: offers.map((offer) => offer.notation) };
      },
      async act(notation) {
        const wanted = (): number | undefined =>
          decision?.offers.find((offer) => offer.notation === notation)?.action;
        await until(notation, () => wanted() !== undefined);
        await take(wanted() ?? -1);
      },
    };
  }, table);
}
