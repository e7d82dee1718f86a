/** Paying by touching cards and slots: sets, colours, overpaying, tunnels, festivals, drag, keys. */

import { card, claim, hand, log, onBoard, player, point, prompt, slots, strip } from "./parts";
import { begin, open, play, seat, test, type Deal } from "./seats";
import { expect, type Page } from "./test";

const FIRST_CARDS = ["0 draw", "0 draw", "1 draw", "1 draw"];

/** Ada's table at her turn, after some moves. */
async function turn(
  person: () => Promise<Page>,
  deal: Deal,
  moves: string[] = [],
  size?: { width: number; height: number },
): Promise<Page> {
  const pages = [await person(), await person()];
  const [ada] = pages as [Page];
  const table = await seat(pages, deal);
  await begin(pages);
  await play(pages, ...moves);
  if (size) await ada.setViewportSize(size);
  await open(ada, table);
  return ada;
}

/** The payment in the slots. */
const paid = (page: Page, ...cards: string[]): Promise<void> =>
  expect.poll(() => slots(page)).toEqual(cards);

const slot = (page: Page, k: number) => strip(page).locator("[data-slot]").nth(k);

test("a ferry: three cards for a locomotive, swapped card by card, and back", async ({
  person,
}) => {
  const ada = await turn(person, { board: "nordic", seed: 2 }, FIRST_CARDS);
  await expect(strip(ada)).toContainText("Touch a route");
  await point(ada, "Ålborg–Kristiansand");
  await paid(ada, "red", "locomotive");
  await expect(strip(ada)).toContainText("+2 points");
  await slot(ada, 1).click();
  await paid(ada, "red", "blue", "orange", "green");
  await expect(strip(ada)).toContainText("3 cards for 1");
  await slot(ada, 1).click();
  await paid(ada, "red", "red", "orange", "green");
  await strip(ada).getByRole("button", { name: "One card instead of these 3" }).click();
  await paid(ada, "red", "locomotive");
  await slot(ada, 1).click();
  await card(ada, "locomotive").click();
  await paid(ada, "red", "locomotive");
  await claim(ada);
  await expect(log(ada)).toContainText("You claim Ålborg–Kristiansand for 2 points.");
  await expect(strip(ada)).toContainText("Touch a route");
});

test("a gray route in either of two colours, and the festival whose cards are wanted", async ({
  person,
}) => {
  const ada = await turn(person, { board: "iberia", seed: 1 }, FIRST_CARDS);
  await point(ada, "Valladolid–Madrid");
  await paid(ada, "blue", "blue");
  const madrid = strip(ada).getByRole("button", { name: "Madrid" });
  const valladolid = strip(ada).getByRole("button", { name: "Valladolid" });
  await expect(madrid.or(valladolid).and(ada.locator("[aria-pressed=true]"))).toHaveCount(1);
  await card(ada, "green").click();
  await paid(ada, "green", "green");
  await valladolid.click();
  await expect(valladolid).toHaveAttribute("aria-pressed", "true");
  await expect(madrid).toHaveAttribute("aria-pressed", "false");
  await claim(ada);
  await expect(log(ada)).toContainText(/take 1 festival card at Valladolid/);
  await expect(prompt(ada)).toContainText("Ben is thinking.");
});

test("more cards than needed, an Express card, and what the spot on the mat brings", async ({
  person,
}) => {
  const ada = await turn(person, { board: "south_korea", seed: 108 });
  await point(ada, "Suncheon–Yeosu");
  await paid(ada, "red");
  await expect(strip(ada)).toContainText("South Jeolla: you take the lead, +10");
  await card(ada, "red").click();
  await paid(ada, "red", "red");
  await card(ada, "locomotive").click();
  await paid(ada, "red", "red", "locomotive");
  await slot(ada, 0).click();
  await paid(ada, "red", "locomotive");
  const express = strip(ada).getByRole("button", { name: "spot 5, with Express +3" });
  await express.click();
  await expect(express).toHaveAttribute("aria-pressed", "true");
  await express.click();
  await expect(
    strip(ada).getByRole("button", { name: /spot 2, you take the lead/ }),
  ).toHaveAttribute("aria-pressed", "true");
  await express.click();
  await claim(ada);
  await expect(log(ada)).toContainText("You spend Express +3.");
  await expect(log(ada)).toContainText("spot 5");
  await expect(player(ada, "Ada")).toContainText("Trains 43");
});

test("no train has to go on the mat", async ({ person }) => {
  const ada = await turn(person, { board: "south_korea", seed: 108 });
  await point(ada, "Suncheon–Yeosu");
  await strip(ada).getByRole("button", { name: "No train" }).click();
  await claim(ada);
  await expect(log(ada)).toContainText("You claim Suncheon–Yeosu");
  await expect(player(ada, "Ada")).toContainText("Trains 44");
});

test("a tunnel turns up cards in the strip, and what is due is paid there", async ({ person }) => {
  const ada = await turn(person, { board: "nordic", seed: 67, settings: { hints: true } });
  await point(ada, "Östersund–Trondheim");
  await paid(ada, "black", "black");
  const hint = ada.locator(".guide");
  await expect(hint).toContainText("A tunnel.");
  await hint.getByRole("button", { name: "Got it" }).click();
  await expect(hint).toHaveCount(0);
  await expect(strip(ada)).toContainText(
    "three cards are turned up; each match costs one more card",
  );
  await claim(ada);
  await expect(strip(ada)).toContainText("The tunnel turned up");
  await paid(ada, "locomotive");
  await strip(ada).getByRole("button", { name: "Pay" }).click();
  await expect(log(ada)).toContainText("You claim Östersund–Trondheim");
  await expect(hand(ada, 1)).toContainText("1 red");
});

/** From the middle of a card of the hand to the middle of a route. */
async function wayOfCard(page: Page, colour: string, name: string): Promise<Record<End, Spot>> {
  const box = await card(page, colour).boundingBox();
  const to = await onBoard(page, name).evaluate((path: SVGPathElement) => {
    const at = path.getPointAtLength(path.getTotalLength() / 2);
    const { x, y } = at.matrixTransform(path.getScreenCTM() ?? undefined);
    return { x, y };
  });
  if (!box) throw new Error(`no ${colour} card`);
  return { from: { x: box.x + box.width / 2, y: box.y + box.height / 2 }, to };
}
type End = "from" | "to";
interface Spot {
  x: number;
  y: number;
}

// Upright the board is above the hand, else beside it: a browser must not take the finger for its own.
for (const [width, height] of [
  [390, 844],
  [844, 390],
] as const)
  test(`a finger drags a card onto a route, ${width}×${height}`, async ({ person }) => {
    const ada = await turn(person, { board: "iberia", seed: 1 }, FIRST_CARDS, { width, height });
    const { from, to } = await wayOfCard(ada, "green", "Valladolid–Madrid");
    const hands = await ada.context().newCDPSession(ada);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: Spot): Promise<unknown> =>
      hands.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [{ ...at, id: 0 }] : [] });
    await touch("touchStart", from);
    for (let k = 1; k <= 8; k++)
      await touch("touchMove", {
        x: from.x + ((to.x - from.x) * k) / 8,
        y: from.y + ((to.y - from.y) * k) / 8,
      });
    await expect(ada.locator(".ghost")).toBeVisible();
    await touch("touchEnd");
    await expect(ada.locator(".ghost")).toHaveCount(0);
    await paid(ada, "green", "green");
    await expect(strip(ada)).toContainText("Valladolid–Madrid");
  });

test("a card that is dragged onto a route begins a claim with it", async ({ person }) => {
  const ada = await turn(person, { board: "iberia", seed: 1 }, FIRST_CARDS);
  const { from, to } = await wayOfCard(ada, "green", "Valladolid–Madrid");
  await ada.mouse.move(from.x, from.y);
  await ada.mouse.down();
  await ada.mouse.move(to.x + 40, to.y + 40, { steps: 4 });
  await expect(ada.locator(".ghost")).toBeVisible();
  await ada.mouse.move(to.x, to.y, { steps: 4 });
  await ada.mouse.up();
  await expect(ada.locator(".ghost")).toHaveCount(0);
  await paid(ada, "green", "green");
  await expect(strip(ada)).toContainText("Valladolid–Madrid");
  await claim(ada);
  await expect(log(ada)).toContainText("You claim Valladolid–Madrid");
});

test("a touched card lights only what it pays for", async ({ person }) => {
  const ada = await turn(person, { board: "iberia", seed: 1 }, FIRST_CARDS);
  const open_ = ada.locator(".can-touch");
  const all = await open_.count();
  await card(ada, "green").click();
  await expect(strip(ada)).toContainText("can be paid with green");
  await expect.poll(() => open_.count()).toBeLessThan(all);
  await ada.keyboard.press("Escape");
  await expect(open_).toHaveCount(all);
});

test("by keys alone: a route, a slot, another card, the claim", async ({ person }) => {
  const ada = await turn(person, { board: "nordic", seed: 2 }, FIRST_CARDS);
  const key = (name: string): Promise<void> => ada.keyboard.press(name);
  await onBoard(ada, "Ålborg–Kristiansand").focus();
  await key("Enter");
  await expect(strip(ada).getByRole("button", { name: "Claim" })).toBeFocused();
  await paid(ada, "red", "locomotive");
  await slot(ada, 0).focus();
  await key("ArrowRight");
  await expect(slot(ada, 1)).toBeFocused();
  await key("Space");
  await paid(ada, "red", "blue", "orange", "green");
  await card(ada, "red").focus();
  await key("Space");
  await paid(ada, "red", "orange", "green", "red");
  await slot(ada, 1).focus();
  await key("Enter");
  await expect(log(ada)).toContainText("You claim Ålborg–Kristiansand for 2 points.");
  await expect(ada.locator(".touch:focus")).toHaveCount(1);
});

test("what is missing is hollow, out of turn as well", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "nordic", seed: 2 });
  await begin([ada, ben]);
  await open(ben, table);
  await onBoard(ben, /Murmansk–Lieksa|Lieksa–Murmansk/).click({ force: true });
  await expect(strip(ben).locator(".hollow").first()).toBeVisible();
  await expect(strip(ben)).toContainText(/You need \d more cards/);
  await expect(strip(ben).getByRole("button", { name: "Claim" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
});
