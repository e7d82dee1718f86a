/** Parts of the table as someone finds them on the page. */

import type { Locator, Page } from "@playwright/test";

export const log = (page: Page): Locator => page.locator(".log");
export const sheet = (page: Page): Locator => page.locator(".sheet");
/** Tickets to choose from. */
export const offered = (page: Page): Locator => page.locator(".offered");
/** Picks the ticket that is marked in a draft. */
export const pick = (page: Page): Locator =>
  offered(page).getByRole("button", { name: "Pick this ticket" });
export const prompt = (page: Page): Locator => page.locator(".prompt");
export const deck = (page: Page): Locator =>
  page.getByRole("button", { name: "Draw from the deck" });

/** One's own cards, if there are just so many. */
export const hand = (page: Page, n: number): Locator =>
  page.getByRole("region", { name: `Your hand (${n} card${n === 1 ? "" : "s"})` });

/** What everyone sees of a player. */
export const player = (page: Page, name: string): Locator =>
  page.locator(".seats li").filter({ hasText: name });

/** A route of the board; the claim strip may name it, too. */
export const onBoard = (page: Page, route: string | RegExp): Locator =>
  page.getByRole("main").getByRole("button", { name: route });

/** Clicks on a route of the board. */
export const point = (page: Page, route: string): Promise<void> => onBoard(page, route).click();

/** Where a route is paid for, and all else but tickets is decided. */
export const strip = (page: Page): Locator => page.getByRole("region", { name: "Claim and pay" });

/** The cards in the slots of a payment, from left to right. */
export const slots = (page: Page): Promise<string[]> =>
  strip(page)
    .locator("[data-slot]")
    .evaluateAll((all) => all.map((slot) => (slot as HTMLElement).dataset["slot"] ?? ""));

/** A card of one's own, by its colour. */
export const card = (page: Page, colour: string): Locator =>
  page.locator(`.hand [data-card="${colour}"]`);

/** Sends what the strip shows. */
export const claim = (page: Page): Promise<void> => strip(page).locator("[data-do]").click();

/** Clicks on something in the table's menu. */
export async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("dialog").getByRole("button", { name }).click();
}

/** The page's connection to its table, which can be cut and mended. */
export async function tapped(page: Page): Promise<{ cut(): void; mend(): void }> {
  let close: (() => void) | undefined;
  let gone = false;
  await page.routeWebSocket(/\/socket/, async (socket) => {
    if (gone) {
      await socket.close({ code: 1012 });
      return;
    }
    socket.connectToServer();
    close = () => void socket.close({ code: 1012 });
  });
  return {
    cut() {
      gone = true;
      close?.();
    },
    mend() {
      gone = false;
    },
  };
}
