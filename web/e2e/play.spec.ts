/** Playing on the board: what is paid, what is told, what moves. */

import { hand, log, onBoard, point, prompt, slots, strip } from "./parts";
import { prefer } from "./player";
import { begin, open, play, seat, test } from "./seats";
import { expect, type Page } from "./test";

const deck = (page: Page): Promise<void> => page.locator('[data-at="deck"]').dblclick();

/** Counts what flies over the table from now on. */
async function watch(page: Page): Promise<() => Promise<number>> {
  await page.locator(".flights").evaluate((layer) => {
    new MutationObserver((changes) => {
      const n = changes.reduce((sum, { addedNodes }) => {
        const cards = [...addedNodes].filter((node) => node instanceof HTMLElement);
        return sum + cards.length;
      }, 0);
      (layer as HTMLElement).dataset["flown"] = String(
        Number((layer as HTMLElement).dataset["flown"] ?? 0) + n,
      );
    }).observe(layer, { childList: true });
  });
  return async () => Number((await page.locator(".flights").getAttribute("data-flown")) ?? 0);
}

test("two clicks, however fast, draw two cards", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "usa", seed: 3 });
  await begin([ada, ben]);
  await open(ada, table);
  await deck(ada);
  await expect(hand(ada, 6)).toBeVisible();
  await expect(prompt(ada)).toContainText("Ben is thinking");
});

for (const [speed, motion] of [
  ["normal", "no-preference"],
  ["normal", "reduce"],
  ["instant", "no-preference"],
] as const)
  test(`cards fly at ${speed} speed, motion ${motion}`, async ({ person }) => {
    const [ada, ben] = [await person(), await person()];
    await ada.emulateMedia({ reducedMotion: motion });
    await prefer(ada, { speed, welcomed: true, name: "Ada" });
    const table = await seat([ada, ben], { board: "usa", seed: 3 });
    await begin([ada, ben]);
    await open(ada, table);
    const flown = await watch(ada);
    await deck(ada);
    await expect(hand(ada, 6)).toBeVisible();
    await play([ada, ben], "1 draw", "1 draw");
    await expect(prompt(ada)).toContainText("Your turn.");
    if (speed === "normal" && motion === "no-preference") expect(await flown()).toBeGreaterThan(2);
    else expect(await flown()).toBe(0);
    await expect(ada.locator(".flights .one")).toHaveCount(0);
  });

test("a display with too many locomotives is swept away before everyone’s eyes", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  await prefer(ben, { speed: "normal", welcomed: true, name: "Ben" });
  const table = await seat([ada, ben], { board: "usa", seed: 61 });
  await begin([ada, ben]);
  await open(ben, table);
  const flown = await watch(ben);
  await play([ada, ben], "0 take pink");
  await expect(log(ben)).toContainText("the whole display is replaced");
  await expect.poll(flown).toBe(6);
  await expect(ben.locator(".flights .one")).toHaveCount(0);
});

test("calling off a claim sends nothing", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "south_korea", seed: 108 });
  await begin([ada, ben]);
  await open(ada, table);
  await point(ada, "Suncheon–Yeosu");
  await expect.poll(() => slots(ada)).toEqual(["red"]);
  await strip(ada).getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => slots(ada)).toEqual([]);
  await expect(log(ada)).not.toContainText("taken back a move");
  await point(ada, "Suncheon–Yeosu");
  await expect.poll(() => slots(ada)).toEqual(["red"]);
  await ada.keyboard.press("Escape");
  await ada.mouse.move(0, 0);
  await expect.poll(() => slots(ada)).toEqual([]);
  await expect(prompt(ada)).toContainText("Your turn.");
});

test("who wants to claims with one click", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  await prefer(ada, { speed: "instant", welcomed: true, name: "Ada", thrifty: true });
  const table = await seat([ada, ben], { board: "south_korea", seed: 108 });
  await begin([ada, ben]);
  await open(ada, table);
  await point(ada, "Suncheon–Yeosu");
  await expect(log(ada)).toContainText("You claim Suncheon–Yeosu");
});

test("what can't be done says why, with the rule", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "europe", seed: 128 });
  await begin([ada, ben]);
  await open(ben, table);
  const note = ben.locator(".note");
  for (const place of ["deck", "slot-0", "tickets"]) {
    await ben.locator(`[data-at="${place}"]`).click({ force: true });
    await expect(note.getByRole("link")).toHaveAttribute("href", "/rules/europe#BASE-2");
  }
  await ben.getByRole("button", { name: "Build a station" }).click({ force: true });
  await expect(note).toContainText("someone else’s turn");
  await onBoard(ben, "München–Venezia").click({ force: true });
  const info = strip(ben);
  await expect(info.locator(".why a")).toHaveAttribute("href", /#BASE-2$/);
  await expect(info).not.toContainText("on your turn");
  const gray = onBoard(ben, "Venezia–Zagrab");
  await gray.focus();
  await ben.keyboard.press("Enter");
  await expect(gray).toHaveAccessibleName(/you can pay for it on your turn/);
  await expect(info).toContainText("You can claim it on your next turn.");
  await expect(info.locator(".why")).toContainText("someone else’s turn");
});

test("attractions and festivals explain themselves", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const city = await seat([ada, ben], { board: "new_york", seed: 1 });
  await begin([ada, ben]);
  await open(ada, city);
  await ada.getByRole("button", { name: "Chinatown is a tourist attraction" }).focus();
  await ada.keyboard.press("Enter");
  await expect(ada.locator(".note")).toContainText("a point at the end");
  await expect(ada.locator(".note a")).toHaveAttribute("href", /#NY-5$/);

  const land = await seat([ada, ben], { board: "iberia", seed: 1 });
  await begin([ada, ben]);
  await open(ada, land);
  await ada.getByRole("button", { name: /^Sevilla(:| is)/ }).click();
  await expect(ada.locator(".note")).toContainText(/festival/);
});

test("in text mode a ferry is paid with chosen cards, and everything says why", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  for (const page of [ada, ben]) await prefer(page, { welcomed: true, name: "Ada", text: true });
  const table = await seat([ada, ben], { board: "nordic", seed: 2 });
  await begin([ada, ben]);
  await play([ada, ben], "0 draw", "0 draw", "1 draw", "1 draw");
  await Promise.all([ada.goto(`/t/${table}`), ben.goto(`/t/${table}`)]);
  await ben.getByRole("button", { name: "Why can’t I draw cards?" }).click();
  await expect(ben.getByRole("alert").getByRole("link")).toHaveText("BASE-2, Your turn");

  const route = "Ålborg–Kristiansand: 1 red and 3 cards of any kind";
  const way = ada.getByRole("button", { name: route });
  if (!(await way.isVisible())) await ada.getByLabel(/^Ålborg–Kristiansand: \d+ other way/).click();
  await way.click();
  const form = ada.getByRole("group", { name: "Ålborg–Kristiansand" });
  await form.getByLabel("blue").fill("0");
  await form.getByLabel("blue").press("Tab");
  await expect(form).toContainText("1 card is missing.");
  await form.getByLabel("red").fill("1");
  await form.getByLabel("red").press("Tab");
  await form.getByRole("button", { name: "Pay and claim" }).click();
  await expect(ben.getByText("plays 1 orange, 1 green and 2 red.").first()).toBeVisible();
});
