/** People at one table, each in a browser of their own. */

import { claim, deck, fromMenu, hand, log, offered, player, point, prompt } from "./parts";
import { playToTheEnd, prefer } from "./player";
import { begin, finish, open, play, seat, test } from "./seats";
import { expect } from "./test";

test("two friends meet by a link and play a whole game", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const settings = { speed: "instant", welcomed: true };
  await prefer(ada, { ...settings, name: "Ada #24", board: "new_york", seats: 2 });
  await prefer(ben, { ...settings, name: "Ben" });
  await ada.goto("/");
  await ada.getByLabel("Player 2").first().selectOption("friend");
  await ada.locator("button.play").click();
  await ben.goto(await ada.getByLabel("Link to this table").inputValue());
  await ben.getByRole("button", { name: "Take a seat" }).click();
  await expect(offered(ada)).toBeVisible();
  await expect(offered(ben)).toBeVisible();
  await Promise.all([playToTheEnd(ada), playToTheEnd(ben)]);
  const totals = ada.locator("td.total");
  await expect(totals).toHaveCount(2);
  await expect(ben.locator("td.total")).toHaveText(await totals.allTextContents());
  for (const name of ["Ada #24", "Ben"]) {
    const owned = ada.getByRole("button", { name: `belongs to ${name}` });
    expect(await owned.count()).toBeGreaterThan(0);
    await expect(ben.getByRole("button", { name: `belongs to ${name}` })).toHaveCount(
      await owned.count(),
    );
  }
  await ada.getByRole("tab", { name: "Log and chat" }).click();
  await ada.getByLabel("Say something").fill("Good game!");
  await ada.keyboard.press("Enter");
  await expect(log(ben).locator(".said")).toContainText("Good game!");
});

test("a spectator follows the game, sees nobody’s cards, and speaks after the end", async ({
  person,
}) => {
  const [ada, ben, cleo] = [await person(), await person(), await person()];
  const table = await seat([ada, ben], { board: "new_york", seed: 24 });
  await prefer(cleo, { speed: "instant", welcomed: true });
  const views: Record<string, number[]>[] = [];
  cleo.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const { view, changes } = JSON.parse(String(payload)) as Record<string, object>;
      views.push({ ...view, ...changes });
    }),
  );
  await open(cleo, table);
  await expect(cleo.getByText("This table is full. You can watch.")).toBeVisible();
  await expect(cleo.getByText("You are watching")).toBeVisible();
  await expect(prompt(cleo)).toContainText("Ada #24 and Ben are thinking.");
  await begin([ada, ben]);
  await expect(prompt(cleo)).toContainText("Ada #24 is thinking.");
  await play([ada, ben], "0 draw", "0 take red");
  await expect(prompt(cleo)).toContainText("Ben is thinking.");
  await expect(player(cleo, "Ada")).toContainText("Cards 4");
  await expect(log(cleo)).toContainText("Ada #24 draws a card from the deck.");
  await expect(log(cleo)).toContainText("Ada #24 takes a red card from the display.");

  await expect(cleo.locator(".hand")).toHaveCount(0);
  await expect(cleo.getByText("Your tickets")).toHaveCount(0);
  await expect(cleo.getByLabel("Say something")).toHaveCount(0);
  await expect(cleo.locator(".can-touch, .market .can")).toHaveCount(0);
  await deck(cleo).click({ force: true });
  await expect(cleo.locator(".note")).toContainText("You are watching");
  const secrets = views.flatMap(({ hand = [], tickets = [] }) => [...hand, ...tickets]);
  expect(new Set(secrets)).toEqual(new Set([0]));

  await finish([ada, ben]);
  await expect(cleo.locator(".end")).toBeVisible();
  await cleo.getByRole("tab", { name: "Log and chat" }).click();
  await cleo.getByLabel("Say something").fill("Well played!");
  await cleo.keyboard.press("Enter");
  await expect(log(cleo).locator(".said")).toContainText("A spectator Well played!");
});

test("a move is taken back, freely or if the other agrees", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "new_york", seed: 24 });
  await begin([ada, ben]);
  await Promise.all([open(ada, table), open(ben, table)]);
  const back = ada.getByRole("button", { name: "Take back" });

  await point(ada, "Chelsea–Midtown West");
  await claim(ada);
  await expect(prompt(ben)).toContainText("Your turn.");
  await back.click();
  await expect(prompt(ada)).toContainText("Your turn.");
  await expect(prompt(ben)).toContainText("is thinking.");
  await expect(hand(ada, 2)).toBeVisible();
  await expect(log(ben)).not.toContainText("Chelsea");
  await expect(log(ben)).toContainText("has taken back a move.");
  await expect(log(ada)).toContainText("You have taken back a move.");

  await deck(ada).click();
  await expect(hand(ada, 3)).toBeVisible();
  await back.click();
  await expect(ada.getByText("Waiting for the others")).toBeVisible();
  await ben.getByRole("button", { name: "Decline" }).click();
  await expect(ada.getByText("Waiting for the others")).toHaveCount(0);
  await expect(log(ada)).toContainText("Ben does not agree.");
  await expect(hand(ada, 3)).toBeVisible();

  await back.click();
  await ben.getByRole("button", { name: "Agree" }).click();
  await expect(hand(ada, 2)).toBeVisible();
  await expect(prompt(ada)).toContainText("Your turn.");
  await expect(ben.getByRole("button", { name: "Agree" })).toHaveCount(0);
});

test("someone leaves, a bot plays on, and the seat is taken again", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "new_york", seed: 24 });
  await begin([ada, ben]);
  await Promise.all([open(ada, table), open(ben, table)]);
  await fromMenu(ben, "Leave the table");
  await ben.getByRole("dialog").getByRole("button", { name: "Leave the table" }).click();
  await expect(ben).toHaveURL(/\/$/);
  await expect(log(ada)).toContainText("Ben leaves.");
  await expect(player(ada, "Ben")).toContainText("bot");

  await deck(ada).click();
  await deck(ada).click();
  await expect(prompt(ada)).toContainText("Your turn.", { timeout: 20_000 });

  await open(ben, table);
  await expect(ben.getByText("Ben’s seat is free.")).toBeVisible();
  await ben.getByRole("button", { name: "Sit here" }).click();
  await expect(ben.getByText("Ben’s seat is free.")).toHaveCount(0);
  await expect(ben.getByRole("tab", { name: "Tickets" })).toBeVisible();
  await expect(player(ada, "Ben")).not.toContainText("bot");

  await fromMenu(ben, "Let a bot play for me");
  await expect(player(ada, "Ben")).toContainText("bot");
  await ben.locator("#main").getByRole("button", { name: "Take over again" }).click();
  await expect(player(ada, "Ben")).not.toContainText("bot");
});

test("a seat goes on with another device, and its link works once", async ({ person, allow }) => {
  const [ada, ben, phone, thief] = [await person(), await person(), await person(), await person()];
  const table = await seat([ada, ben], { board: "new_york", seed: 24 });
  await begin([ada, ben]);
  await open(ada, table);
  await fromMenu(ada, "Continue on another device");
  const link = await ada.getByLabel("Continue on another device").last().inputValue();
  await phone.goto(link);
  await expect(hand(phone, 2)).toBeVisible();
  await expect(phone).toHaveURL(new RegExp(`/t/${table}$`));
  await expect(ada.getByText("You are watching")).toBeVisible();
  await expect(ada.locator(".hand")).toHaveCount(0);
  await deck(phone).click();
  await expect(hand(phone, 3)).toBeVisible();

  allow(/410/);
  await thief.goto(link);
  await expect(thief.getByText("You are watching")).toBeVisible();
  await expect(thief.getByRole("alert")).toContainText("This link has been used");
});

test("after the end both go on to the same next game", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "new_york", seed: 24 });
  await finish([ada, ben]);
  await Promise.all([open(ada, table), open(ben, table)]);
  await ada.getByRole("button", { name: "Play again" }).click();
  await expect(ada).not.toHaveURL(new RegExp(table));
  await expect(offered(ada)).toBeVisible();
  await ben.getByRole("link", { name: "To the next game" }).click();
  await expect(ben).toHaveURL(ada.url());
  await expect(offered(ben)).toBeVisible();
  await expect(player(ben, "Ada")).toBeVisible();
});
