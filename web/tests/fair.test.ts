import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TableInfo } from "../src/lib/api/messages";
import { drawnSeed, seatPromise, serverPromise, verdict, type Kept } from "../src/lib/fair/draw";
import { newNonce, nextStep } from "../src/lib/fair/part";
import { sha256 } from "../src/lib/fair/sha256";

test("the hash is the one that everybody knows", () => {
  const texts = ["", "abc", "é", ...[55, 56, 63, 64, 65, 119, 1000].map((n) => "x".repeat(n))];
  for (const text of texts)
    expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
});

// The same values as in the examples of `engine/seed_draw.py`.
test("promises and seeds are those of the server", () => {
  expect(serverPromise("abc", 1, "00").slice(0, 8)).toBe("b7ff673d");
  expect(seatPromise("abc", "11").slice(0, 8)).toBe("b4e5b84f");
  const parts = { table: "abc", board: "d1", first: null, round: 1, part: "00" };
  expect(drawnSeed({ ...parts, nonces: ["11", ""] }).slice(0, 8)).toBe("c02c1019");
});

const NONCES = [newNonce(), newNonce()];
const SERVER = serverPromise("t", 1, "5e");
const PROMISES = NONCES.map((nonce) => seatPromise("t", nonce));
const KEPT: Kept = { round: 1, nonce: NONCES[0] ?? "", server: SERVER, promises: [] };
const waits = (draw: object): TableInfo =>
  ({
    id: "t",
    digest: "d",
    status: "waiting",
    seats: [],
    draw: { round: 1, server: SERVER, ...draw },
  }) as unknown as TableInfo;

describe("taking part", () => {
  test("nothing is promised while a seat is open, and the server's promise is noted", () => {
    const step = nextStep(waits({}), 0, null);
    expect(step?.send).toBe(null);
    expect(step?.kept.server).toBe(SERVER);
    expect(step?.kept.nonce).toMatch(/^[0-9a-f]{64}$/);
  });
  test("a full table gets a promise, once", () => {
    expect(nextStep(waits({ full: true }), 0, KEPT)?.send).toBe("promise");
    expect(nextStep(waits({ full: true, promises: PROMISES }), 0, KEPT)?.send).toBe(null);
  });
  test("the nonce follows when all promises stand, which are kept", () => {
    const sealed = { full: true, promises: PROMISES, sealed: true, opened: [false, false] };
    const step = nextStep(waits(sealed), 0, KEPT);
    expect(step?.send).toBe("nonce");
    expect(step?.kept.promises).toEqual(PROMISES);
    expect(nextStep(waits({ ...sealed, opened: [true, false] }), 0, KEPT)?.send).toBe(null);
  });
  test("nothing is opened if a promise has changed", () => {
    const sealed = { full: true, promises: PROMISES, sealed: true, opened: [false, false] };
    const other = serverPromise("t", 1, "5f");
    expect(nextStep(waits({ ...sealed, server: other }), 0, KEPT)?.send).toBe(null);
    const seen = { ...KEPT, promises: [PROMISES[0] ?? "", other] };
    expect(nextStep(waits(sealed), 0, seen)?.send).toBe(null);
    expect(nextStep(waits({ ...sealed, promises: ["", other] }), 0, KEPT)?.send).toBe(null);
  });
  test("a new round has a new nonce", () => {
    const step = nextStep(waits({ round: 2, full: true }), 0, KEPT);
    expect(step?.send).toBe("promise");
    expect(step?.kept.nonce).not.toBe(KEPT.nonce);
  });
});

describe("the verdict at the end", () => {
  const parts = { table: "t", board: "d", first: null, round: 1, part: "5e", nonces: NONCES };
  const over = (seed: string, nonces = NONCES, part = "5e"): TableInfo =>
    ({
      ...waits({}),
      status: "over",
      result: { seed, draw: { part, nonces } },
    }) as unknown as TableInfo;
  const kept = { ...KEPT, promises: PROMISES };
  const seed = drawnSeed(parts);

  test("is good if all is as it was promised", () => {
    expect(verdict(over(seed), kept)).toBe("checked");
    expect(verdict(over(seed), null)).toBe("unseen");
    expect(verdict(waits({}), kept)).toBe(null);
  });
  test("is bad if the server took another seed, part or nonce", () => {
    expect(verdict(over("5eed"), kept)).toBe("wrong");
    const part = newNonce();
    expect(verdict(over(drawnSeed({ ...parts, part }), NONCES, part), kept)).toBe("wrong");
    const nonces = [NONCES[0] ?? "", newNonce()];
    expect(verdict(over(drawnSeed({ ...parts, nonces }), nonces), kept)).toBe("wrong");
    const without = ["", NONCES[1] ?? ""];
    expect(verdict(over(drawnSeed({ ...parts, nonces: without }), without), kept)).toBe("wrong");
  });
});
