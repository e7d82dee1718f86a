/** How a seed is drawn by the server and all players: the same as `engine/seed_draw.py`. */

import type { TableInfo } from "$lib/api/messages";
import { sha256 } from "./sha256";

const digest = (...lines: (string | number)[]): string => sha256(lines.join("\n"));

export const serverPromise = (table: string, round: number, part: string): string =>
  digest("branchline server 1", table, round, part);

export const seatPromise = (table: string, nonce: string): string =>
  digest("branchline seat 1", table, nonce);

const serverNonce = (part: string, seat: number): string =>
  digest("branchline nonce 1", part, seat);

export interface Parts {
  table: string;
  board: string;
  first: number | null;
  round: number;
  part: string;
  /** By seat; empty where nobody put one in. */
  nonces: string[];
}

export function drawnSeed({ table, board, first, round, part, nonces }: Parts): string {
  const all = nonces.map((nonce, seat) => nonce || serverNonce(part, seat));
  const start = first ?? "drawn";
  return digest("branchline seed 1", table, board, nonces.length, start, round, part, ...all);
}

/** What this browser put in, and what it was shown before it opened that. */
export interface Kept {
  round: number;
  nonce: string;
  /** The server's promise. */
  server: string;
  /** The promises of all seats, as they were when the nonce was sent; none before. */
  promises: string[];
}

/**
 * Whether the seed is what was promised: `checked` if this browser put in a part and everything
 * fits, `unseen` if the parts fit and none was ours, `wrong` if something does not. Null: not known.
 */
export function verdict(info: TableInfo, kept: Kept | null): "checked" | "unseen" | "wrong" | null {
  const { draw, result } = info;
  const parts = result?.draw;
  if (!draw || !result || !parts) return null;
  const { part, nonces } = parts;
  const { round } = draw;
  const [table, board, first] = [info.id, info.digest, info.first ?? null];
  if (drawnSeed({ table, board, first, round, part, nonces }) !== result.seed) return "wrong";
  if (serverPromise(table, round, part) !== draw.server) return "wrong";
  if (!kept || kept.promises.length === 0) return "unseen";
  const fits =
    kept.round === round &&
    kept.server === draw.server &&
    nonces.includes(kept.nonce) &&
    nonces.every((nonce, k) => (nonce && seatPromise(table, nonce)) === kept.promises[k]);
  return fits ? "checked" : "wrong";
}
