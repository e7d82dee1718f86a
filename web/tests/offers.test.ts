import { expect, test } from "vitest";
import type { Offer } from "../src/lib/api/messages";
import { placeOf } from "../src/lib/decisions/offers";

const offer = (action: number, kind: string, more: Partial<Offer> = {}): Offer => ({
  ...{ action, do: kind, notation: kind, text: `${kind} ${action}` },
  ...more,
});
const texts = (offers: Offer[]): string[] => offers.map(({ text }) => text);

test("in a turn, an action that the page has never heard of is a button", () => {
  const { plain, sheet } = placeOf([offer(1, "draw"), offer(2, "claim"), offer(3, "toy")]);
  expect(texts(plain)).toEqual(["toy 3"]);
  expect(sheet).toBeNull();
});

test("a decision that the page has never heard of is all buttons", () => {
  const { plain, sheet, cities } = placeOf([
    offer(1, "toy", { city: 3 }),
    offer(2, "toy", { route: 4, cards: [1] }),
    offer(3, "other_toy"),
  ]);
  expect(texts(plain)).toEqual(["toy 1", "toy 2", "other_toy 3"]);
  expect([sheet, cities.size]).toEqual([null, 0]);
});

test("what a sheet has no place for is a button beside it", () => {
  const { plain, sheet } = placeOf([offer(1, "pay"), offer(2, "toy"), offer(3, "keep")]);
  expect(texts(sheet?.offers ?? [])).toEqual(["keep 3"]);
  expect(texts(plain)).toEqual(["pay 1", "toy 2"]);
});

test("what is paid and decided has a part of the claim strip; tickets have a sheet", () => {
  for (const kind of ["pay", "substitute", "tunnel", "back_off", "mat", "mat_none", "festival"]) {
    const { plain, sheet, part } = placeOf([offer(1, kind)]);
    expect([kind, part?.offers.length, sheet, plain.length]).toEqual([kind, 1, null, 0]);
  }
  for (const kind of ["keep", "pick"]) {
    const { sheet, part } = placeOf([offer(1, kind)]);
    expect([kind, sheet?.offers.length, part]).toEqual([kind, 1, null]);
  }
});

test("every offer is shown somewhere", () => {
  const kinds = ["claim", "take", "draw", "tickets", "keep", "pick", "pay", "substitute", "toy"];
  for (const kind of kinds) {
    const { plain, sheet, part, cities } = placeOf([offer(1, kind), offer(2, "toy")]);
    const offers = [...(sheet?.offers ?? []), ...(part?.offers ?? [])];
    const found = [...plain, ...offers, ...cities.values()];
    const onTable = ["claim", "take", "draw", "tickets"].includes(kind);
    expect(found).toHaveLength(onTable ? 1 : 2);
  }
});
