import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CARD, TURN, WINNER } from "../src/lib/sound/sounds";

const WAIT = 300;
let reduced = false;
const buzzes: unknown[] = [];

/** The player in a browser that can vibrate and knows no sound; whether it has been touched. */
async function player(touched = true) {
  vi.stubGlobal("navigator", {
    language: "en",
    userActivation: { hasBeenActive: touched, isActive: touched },
    vibrate: (pattern: number[]) => buzzes.push(pattern),
  });
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: reduced && query.includes("reduced-motion"),
    addEventListener: () => undefined,
  }));
  vi.resetModules();
  const { play } = await import("../src/lib/sound/player");
  const { settings } = await import("../src/lib/settings.svelte");
  return { play, settings };
}

beforeEach(() => {
  vi.useFakeTimers();
  reduced = false;
  buzzes.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a phone is felt once for a sound that has a buzz, when it is heard", async () => {
  const { play } = await player();
  play(TURN, WAIT);
  expect(buzzes).toEqual([]);
  vi.advanceTimersByTime(WAIT);
  expect(buzzes).toEqual([TURN.buzz]);
  play(CARD);
  vi.runAllTimers();
  expect(CARD.buzz).toBeUndefined();
  expect(buzzes).toHaveLength(1);
});

test("it is felt without sounds as well", async () => {
  const { play, settings } = await player();
  settings.sound = false;
  play(WINNER);
  vi.runAllTimers();
  expect(buzzes).toEqual([WINNER.buzz]);
});

test("nothing is felt by those who don't want it, or before the page was touched", async () => {
  const { play, settings } = await player();
  settings.haptics = false;
  play(TURN);
  reduced = true;
  (await player()).play(TURN);
  reduced = false;
  (await player(false)).play(TURN);
  vi.runAllTimers();
  expect(buzzes).toEqual([]);
});
