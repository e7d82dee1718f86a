import { expect, test } from "vitest";
import { hintFor } from "../src/lib/guide/hints";
import type { Play } from "../src/lib/table/play.svelte";
import { board } from "./board";

interface Moment {
  rules?: string[];
  chosen?: number;
  next?: string[];
  phase?: string;
  view?: Record<string, number[]>;
  me?: number;
}
const play = ({ rules = [], chosen, next = [], phase = "turn", view = {}, me = 0 }: Moment) =>
  ({
    ...{ me, paying: false, keeps: [], owner: [], tickets: [], lastRound: 0 },
    game: { view, decision: { phase }, table: { status: "playing" } },
    table: { board: { ...board, rules } },
    claim: {
      open: new Set<number>(),
      chosen: chosen ?? null,
      next: next.length > 0 ? { offers: next.map((kind) => ({ do: kind })) } : null,
    },
  }) as unknown as Play;
const name = (moment: Moment, seen: string[] = [], guided = false): string | undefined =>
  hintFor(play(moment), seen, guided)?.name;

test("a rule explains itself at its first moment, at any table", () => {
  expect(name({ chosen: 3 })).toBe("ferry");
  expect(name({ rules: ["tunnels"], chosen: 5 })).toBe("tunnel");
  expect(name({ rules: ["tunnels"], chosen: 4 })).toBeUndefined();
  expect(name({ rules: ["province_mat"], next: ["mat", "mat_none"] })).toBe("mat");
  const piles = { festival_piles: [0, 2, 1] };
  expect(name({ rules: ["festivals"], view: piles })).toBe("festival");
  expect(name({ rules: ["festivals"], view: { festival_piles: [0, 0, 0] } })).toBeUndefined();
});

test("it points at what it is about", () => {
  const at = (moment: Moment): string | undefined => {
    const now = play(moment);
    return hintFor(now, [], false)?.at?.(now);
  };
  expect(at({ chosen: 3 })).toBe('[data-route="3"]');
  expect(at({ rules: ["festivals"], view: { festival_piles: [0, 2, 1] } })).toBe(
    '[data-at="festival-1"]',
  );
});

test("once, and only to those who play boards with the rule", () => {
  expect(name({ chosen: 3 }, ["ferry"])).toBeUndefined();
  expect(name({ chosen: 3, me: -1 })).toBeUndefined();
  expect(name({ chosen: 5 })).toBeUndefined();
});

test("the guided game has hints of its own, after those of rules", () => {
  expect(name({}, [], true)).toBe("turn");
  expect(name({})).toBeUndefined();
  expect(name({ chosen: 3 }, [], true)).toBe("ferry");
});
