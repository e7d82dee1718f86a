/** Several people at one device: a curtain between turns, and nobody's cards before it opens. */

import { move, prefer } from "./player";
import { expect, test, type Locator, type Page } from "./test";

const curtain = (page: Page): Locator => page.getByRole("dialog", { name: /^Pass the device to/ });
const passOn = (page: Page, name: string): Locator =>
  page.getByRole("button", { name: `Pass the device to ${name}` });

/** A table of two people who share the device; Ada begins. */
async function sitDown(page: Page, board: string): Promise<void> {
  await prefer(page, { speed: "instant", welcomed: true, name: "Ada", board, seats: 2 });
  await page.goto("/");
  await page.getByRole("combobox", { name: "Player 2" }).selectOption("here");
  await page.getByRole("textbox", { name: "Name of player 2" }).fill("Ben");
  await page.getByText("More options").click();
  await page.getByRole("combobox", { name: "First player" }).selectOption("0");
  await page.getByRole("button", { name: "Play", exact: true }).click();
}

interface Welcome {
  type: string;
  seat: number;
  decision: unknown;
  view: Record<string, number[]>;
}

/** The greetings that the socket brings, as they come. */
function greetings(page: Page): Welcome[] {
  const heard: Welcome[] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const message = JSON.parse(String(payload)) as Welcome;
      if (message.type === "welcome") heard.push(message);
    }),
  );
  return heard;
}

/** Opens the curtain as someone, decides what is asked, and passes the device on. */
async function takeTurn(page: Page, name: string, other: string): Promise<void> {
  const dialog = curtain(page);
  await expect(dialog).toContainText(`Pass the device to ${name}`);
  await dialog.getByRole("button", { name: `I am ${name}` }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("region", { name: /^Your hand/ })).toBeVisible();
  await expect(async () => {
    if (await passOn(page, other).isVisible()) return;
    await move(page);
    throw new Error(`${name} still decides`);
  }).toPass({ intervals: [100], timeout: 60_000 });
  await passOn(page, other).click();
}

for (const board of ["usa", "nordic"])
  test(`two people play several turns of ${board} at one device`, async ({ page }) => {
    const greeted = greetings(page);
    await sitDown(page, board);
    await expect(curtain(page)).toBeVisible();
    const seats = [-1];
    for (let turn = 0; turn < 3; turn++) {
      await takeTurn(page, "Ada", "Ben");
      await takeTurn(page, "Ben", "Ada");
      seats.push(0, -1, 1, -1);
    }
    await expect(curtain(page).getByRole("button")).toBeEnabled();
    // Until the button is pressed the server has sent nobody's cards and no decision.
    expect(greeted.map(({ seat }) => seat)).toEqual(seats);
    for (const { seat, decision, view } of greeted) {
      if (seat >= 0) continue;
      expect(decision).toBeNull();
      expect([...(view?.["hand"] ?? []), ...(view?.["tickets"] ?? [])].filter(Boolean)).toEqual([]);
    }
  });

test("the curtain holds against Escape and a reload", async ({ page }) => {
  await sitDown(page, "new_york");
  await expect(curtain(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(curtain(page)).toBeVisible();
  await curtain(page).getByRole("button").click();
  await expect(curtain(page)).toBeHidden();
  await page.reload();
  await expect(curtain(page)).toBeVisible();
});
