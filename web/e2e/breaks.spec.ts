/** Someone reloads, the network fails, the server dies: the game is where it was. */

import { start } from "./player";
import { deck, hand, log, offered, prompt, tapped } from "./parts";
import { begin, open, play, seat, test } from "./seats";
import { OwnServer } from "./server";
import { expect } from "./test";

test("a reload between two cards, or while tickets are chosen, changes nothing", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "usa", seed: 1 });
  await begin([ada, ben]);
  await open(ada, table);
  await deck(ada).click();
  await expect(prompt(ada)).toContainText("Your next card");
  const before = await hand(ada, 5).innerText();
  const story = await log(ada).innerText();
  await ada.reload();
  await expect(prompt(ada)).toContainText("Your next card");
  await expect(hand(ada, 5)).toHaveText(before, { useInnerText: true });
  await expect(log(ada)).toHaveText(story, { useInnerText: true });

  // Cards have no names before the facts of the board have come.
  let come = (): void => undefined;
  const facts = new Promise<void>((done) => (come = done));
  await ada.route(/\/api\/boards\/usa(\?|$)/, async (route) => {
    await facts;
    await route.continue();
  });
  await ada.reload();
  await expect(prompt(ada)).toContainText("Your next card");
  expect(await hand(ada, 5).innerText()).toBe("");
  come();
  await expect(hand(ada, 5)).toHaveText(before, { useInnerText: true });
  await deck(ada).click();
  await expect(hand(ada, 6)).toBeVisible();

  await play([ada, ben], "1 draw", "1 draw");
  await ada.getByRole("button", { name: "Draw tickets" }).click();
  const listed = await offered(ada).locator(".choices").innerText();
  await offered(ada).locator(".choices button").first().click();
  await ada.reload();
  await expect(offered(ada).locator(".choices")).toHaveText(listed, { useInnerText: true });
  await expect(offered(ada).getByRole("button", { pressed: true })).toHaveCount(0);
  await offered(ada).locator(".choices button").nth(1).click();
  await offered(ada).getByRole("button", { name: "Keep 1 ticket" }).click();
  await expect(offered(ada)).toHaveCount(0);
  await expect(log(ada)).toContainText("You keep 1 of 3 tickets.");
  await expect(prompt(ada)).toContainText("Ben is thinking.");
});

test("a lost connection is told, and the game goes on after it", async ({ page }) => {
  const wire = await tapped(page);
  await start(page, { board: "new_york" });
  await expect(offered(page)).toBeVisible();
  wire.cut();
  await expect(page.getByText("Connection lost.")).toBeVisible({ timeout: 10_000 });
  await offered(page).locator(".choices button").first().click();
  await offered(page).getByRole("button", { name: "Keep" }).click();
  wire.mend();
  await expect(page.getByText("Connection lost.")).toHaveCount(0, { timeout: 20_000 });
  await expect(offered(page)).toHaveCount(0);
  await expect(log(page)).toContainText("You keep");
});

test("a move whose answer is lost is made once", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "new_york", seed: 24 });
  await begin([ada, ben]);
  let deaf = false;
  let cut: (() => void) | undefined;
  await ada.routeWebSocket(/\/socket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!deaf) socket.send(message);
    });
    cut = () => {
      void server.close();
      void socket.close({ code: 1012 });
    };
  });
  await Promise.all([open(ada, table), open(ben, table)]);
  const drawn = log(ben).locator(".moved", { hasText: "draws a card" });
  deaf = true;
  await deck(ada).click();
  await expect(drawn).toHaveCount(1);
  await expect(hand(ada, 2)).toBeVisible();
  deaf = false;
  cut?.();
  await expect(hand(ada, 3)).toBeVisible();
  await expect(prompt(ada)).toContainText("Your next card");
  await deck(ada).click();
  await expect(hand(ada, 4)).toBeVisible();
  await expect(prompt(ben)).toContainText("Your turn.");
  await expect(drawn).toHaveCount(2);
});

test("the server dies under a move, and nothing is lost", async ({ person, allow }) => {
  allow(/^WebSocket connection to .* failed/);
  allow(/\(\/icon\.svg\)$/); // the browser fetches it when it has time
  const server = new OwnServer(Number(process.env["E2E_PORT"] ?? 8971) + 100);
  await server.start();
  try {
    const [ada, ben] = [await person(server.address), await person(server.address)];
    const table = await seat([ada, ben], { board: "new_york", seed: 24 });
    await begin([ada, ben]);
    await Promise.all([open(ada, table), open(ben, table)]);
    await deck(ada).click();
    await expect(hand(ada, 3)).toBeVisible();

    server.freeze();
    await deck(ada).click();
    await expect(prompt(ada)).toContainText("One moment");
    server.kill();
    for (const page of [ada, ben])
      await expect(page.getByText("Connection lost.")).toBeVisible({ timeout: 10_000 });
    await expect(hand(ada, 3)).toBeVisible();

    await server.start();
    for (const page of [ada, ben])
      await expect(page.getByText("Connection lost.")).toHaveCount(0, { timeout: 20_000 });
    await expect(hand(ada, 4)).toBeVisible();
    await expect(prompt(ben)).toContainText("Your turn.");
    await expect(log(ben).locator(".moved", { hasText: "draws a card" })).toHaveCount(2);
    await deck(ben).click();
    await deck(ben).click();
    await expect(hand(ben, 4)).toBeVisible();
    await expect(prompt(ada)).toContainText("Your turn.");
  } finally {
    server.kill();
  }
});
