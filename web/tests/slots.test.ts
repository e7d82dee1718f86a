import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  anyCards,
  best,
  cardsOf,
  fill,
  hasChoice,
  leftFor,
  partial,
  put,
  same,
  slotsOf,
  spare,
  swap,
  swapSet,
  type Paid,
  type Way,
} from "../src/lib/claims/slots";

/** Answers of the server from games on every board: the hand and the ways to pay for a route. */
const answers = JSON.parse(readFileSync(new URL("ways.json", import.meta.url), "utf8")) as {
  board: string;
  hand: number[];
  ways: Way[];
}[];

const way = (cards: number[], more: Partial<Way> = {}): Way => ({ cards, ...more });
const ferry = way([1, 0, 0], { sets: 1, set_size: 3, room: [2, 2, 1] });

/** Everything that one touch makes of a payment. */
function touches(ways: Way[], hand: number[], paid: Paid): Paid[] {
  const all = [
    ...hand.map((n, kind) => (n > 0 ? put(ways, hand, paid, kind) : null)),
    ...slotsOf(paid).map((slot) => swap(ways, hand, paid, slot)),
    swapSet(ways, hand, paid),
  ];
  return all.filter((to) => to !== null);
}

test("every way of real answers is reached by touching cards and slots", () => {
  expect(answers.length).toBeGreaterThan(20);
  for (const { board, hand, ways } of answers) {
    const first = best(ways, new Set());
    const seen = new Set([first]);
    const queue = first ? [fill(hand, first)] : [];
    for (let paid = queue.shift(); paid; paid = queue.shift())
      for (const to of touches(ways, hand, paid))
        if (!seen.has(to.way)) {
          seen.add(to.way);
          queue.push(to);
        }
    expect(seen.size, `${board} with ${hand.join(" ")}`).toBe(ways.length);
  }
});

test("whatever is touched, the payment is one of the server’s and in the hand", () => {
  for (const { hand, ways } of answers) {
    const first = best(ways, new Set());
    const paid = first ? touches(ways, hand, fill(hand, first)) : [];
    for (const { way: to, any } of paid) {
      expect(ways).toContain(to);
      expect(any).toHaveLength(anyCards(to));
      for (const [kind, n] of cardsOf({ way: to, any }).entries())
        expect(n).toBeLessThanOrEqual(hand[kind] ?? 0);
      for (const [kind, room] of (to.room ?? []).entries())
        expect(any.filter((one) => one === kind).length).toBeLessThanOrEqual(room);
    }
  }
});

test("the cards of a set can be any that the server has room for", () => {
  const hand = [3, 5, 1];
  const seen = new Set<string>();
  const queue: Paid[] = [fill(hand, ferry)];
  for (let paid = queue.shift(); paid; paid = queue.shift()) {
    const key = paid.any.toSorted().join("");
    if (seen.has(key)) continue;
    seen.add(key);
    for (const slot of slotsOf(paid)) {
      const to = swap([ferry], hand, paid, slot);
      if (to) queue.push(to);
    }
  }
  expect([...seen].toSorted()).toEqual(["001", "002", "011", "012", "112"]);
});

const gray = [
  way([3, 0, 0], { card: 0 }),
  way([0, 3, 0], { card: 1 }),
  way([2, 0, 1], { card: 0 }),
];

test("a claim begins with the thriftiest payment, in a colour that tickets don’t need", () => {
  expect(best(gray, new Set())).toBe(gray[0]);
  expect(best(gray, new Set([0]))).toBe(gray[1]);
  expect(best(gray, new Set([0, 1]))).toBe(gray[0]);
  expect(best([], new Set())).toBeUndefined();
});

test("a card of another colour changes the colour; a locomotive takes one space", () => {
  const hand = [3, 3, 1];
  const first = fill(hand, way([3, 0, 0], { card: 0 }));
  const from = { ...first, way: gray[0] as Way };
  expect(put(gray, hand, from, 1)?.way).toBe(gray[1]);
  expect(put(gray, hand, from, 2)?.way).toBe(gray[2]);
  expect(put(gray, hand, { way: gray[2] as Way, any: [] }, 0)?.way).toBe(gray[0]);
});

test("one card more than needed adds a slot; touching it takes it out", () => {
  const ways = [way([2, 0, 0]), way([1, 0, 1]), way([3, 0, 0], { extra: 1 })];
  const more = put(ways, [4, 0, 1], fill([4, 0, 1], ways[0] as Way), 0);
  expect(more?.way).toBe(ways[2]);
  const less = more && swap(ways, [4, 0, 1], more, { kind: 0, at: -1 });
  expect(less?.way).toBe(ways[0]);
});

test("a locomotive takes the place of a set, and the other way round", () => {
  const ways = [way([1, 0, 1]), ferry];
  const hand = [3, 2, 1];
  const set = swap(ways, hand, fill(hand, ways[0] as Way), { kind: 2, at: -1 });
  expect(set?.way).toBe(ferry);
  expect(set && put(ways, hand, set, 2)?.way).toBe(ways[0]);
  expect(set && swapSet(ways, hand, set)?.way).toBe(ways[0]);
});

test("a card that can’t be used changes nothing", () => {
  expect(put([gray[0] as Way], [3, 3, 0], fill([3, 3, 0], gray[0] as Way), 1)).toBeNull();
});

test("sets take what is left of the hand, and no more than the server allows", () => {
  expect(leftFor([2, 5, 3], ferry)).toEqual([1, 2, 1]);
  expect(leftFor([9, 9, 9], way([1, 0, 2]))).toEqual([8, 9, 7]);
});

test("which cards make up a set is a choice if there are more, of more than one kind", () => {
  expect(hasChoice([2, 5, 3], ferry)).toBe(true);
  expect(hasChoice([2, 2, 0], ferry)).toBe(false);
  expect(hasChoice([9, 9, 9], way([1, 0, 0]))).toBe(false);
});

test("single cards are missed the least, locomotives the most", () => {
  expect(spare([2, 5, 3], ferry)).toEqual([1, 2, 0]);
  expect(spare([2, 1, 3], ferry)).toEqual([1, 1, 1]);
});

test("ways are the same if they take the same cards", () => {
  expect(same(way([1, 0, 0]), ferry)).toBe(false);
  expect(same(way([1, 0, 0]), way([1, 0, 0], { card: 0 }))).toBe(true);
});

test("what is missing is hollow: the most plentiful colour that would do, then locomotives", () => {
  const route = { length: 4, locomotives: 1 };
  expect(partial([2, 1, 1], route, { cards: 1, kinds: [0, 1, 2] }, 2)).toEqual({
    ...{ cards: [2, 0, 1], missing: 1, kind: 0 },
  });
  expect(partial([0, 0, 0], route, { cards: 4, kinds: [2] }, 2)).toEqual({
    ...{ cards: [0, 0, 0], missing: 4, kind: 2 },
  });
  // A gray ferry of two spaces that lacks its locomotive: one card is there.
  const ferry = { length: 2, locomotives: 1, colour: null };
  expect(partial([1, 2, 0], ferry, { cards: 1, kinds: [2] }, 2)).toEqual({
    ...{ cards: [0, 1, 0], missing: 1, kind: 2 },
  });
});
