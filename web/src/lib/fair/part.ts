/** Puts this browser's part into the seed of a table, and keeps what was promised for the end. */

import * as http from "$lib/api/http";
import type { TableInfo } from "$lib/api/messages";
import { seatPromise, type Kept } from "./draw";

const KEY = "branchline.parts";
/** Tables whose promises are kept, the latest last. */
const MOST = 50;

let memory: [string, Kept][] = [];

function all(): [string, Kept][] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as [string, Kept][];
  } catch {
    return memory;
  }
}

export const keptOf = (table: string): Kept | null =>
  all().find(([id]) => id === table)?.[1] ?? null;

function keep(table: string, kept: Kept): void {
  memory = [...all().filter(([id]) => id !== table), [table, kept] as [string, Kept]].slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // A browser that keeps nothing has it in memory, until the page is closed.
  }
}

export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((x) => x.toString(16).padStart(2, "0")).join("");
}

/**
 * What has to be sent now: a promise as soon as the table is full, the nonce when all promises
 * stand. Nothing is opened unless the server's promise is the one that was seen first.
 */
export function nextStep(
  info: TableInfo,
  seat: number,
  before: Kept | null,
): { kept: Kept; send: "promise" | "nonce" | null } | null {
  const { draw } = info;
  if (!draw || info.status !== "waiting") return null;
  const { round, server, promises = [], opened = [] } = draw;
  const fresh = { round, nonce: "", server, promises: [] };
  const kept = before?.round === round ? before : { ...fresh, nonce: newNonce() };
  const own = seatPromise(info.id, kept.nonce);
  if (!draw.sealed) {
    return { kept, send: draw.full && promises[seat] !== own ? "promise" : null };
  }
  const same = kept.promises.length === 0 || kept.promises.every((x, k) => x === promises[k]);
  if (kept.server !== server || promises[seat] !== own || !same) return { kept, send: null };
  return { kept: { ...kept, promises }, send: opened[seat] ? null : "nonce" };
}

/** Takes part in the draw as far as it has come; `held` are the seats of this browser. */
export async function takePart(info: TableInfo, held: number[]): Promise<void> {
  const [seat] = held;
  const step = seat === undefined ? null : nextStep(info, seat, keptOf(info.id));
  if (!step) return;
  keep(info.id, step.kept);
  const { nonce } = step.kept;
  try {
    if (step.send === "promise") await http.promise(info.id, seatPromise(info.id, nonce));
    if (step.send === "nonce") await http.reveal(info.id, nonce);
  } catch {
    // It is tried again with the next news of the table; without it the others go on.
  }
}
