/** What only some boards have, each to its end by clicks. */

import {
  card,
  claim,
  hand,
  log,
  offered,
  pick,
  player,
  point,
  prompt,
  slots,
  strip,
} from "./parts";
import { begin, finish, open, play, seat, sit, test } from "./seats";
import { expect, type Page } from "./test";

test("three people draft at the same time and see nothing of each other’s picks", async ({
  person,
}) => {
  const people = [await person(), await person(), await person()];
  const [ada, ben] = people as [Page, Page];
  const heard: string[] = [];
  ben.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => heard.push(String(payload))),
  );
  const table = await seat(people, { board: "south_korea", seed: 1 });
  await Promise.all(people.map((page) => open(page, table)));
  for (const page of people) await expect(offered(page).locator(".choices button")).toHaveCount(6);

  const first = offered(ada).locator(".choices button").first();
  const name = await first.locator(".name").innerText();
  await first.click(); // marks it only: the board shows it, and it can still be another
  await expect(first).toHaveAttribute("aria-pressed", "true");
  await pick(ada).click();
  await expect(prompt(ada)).toContainText("Ben and Cleo are thinking.");
  await expect(log(ben)).toContainText("has chosen.");
  await expect(offered(ben).locator(".choices button")).toHaveCount(6);
  for (const page of people.slice(1)) {
    await offered(page).locator(".choices button").first().click();
    await pick(page).click();
  }

  const draft = async (page: Page): Promise<void> => {
    const cards = offered(page).locator(".choices button");
    for (let left = 5; left > 1; left--) {
      await expect(cards).toHaveCount(left);
      await cards.first().click();
      await pick(page).click();
    }
    await expect(cards).toHaveCount(6);
    for (let k = 0; k < 4; k++) await cards.nth(k).click();
  };
  await Promise.all(people.map(draft));
  for (const page of people.toReversed()) {
    await expect(offered(page).getByRole("button", { pressed: true })).toHaveCount(4);
    await page.getByRole("button", { name: "Keep 4 tickets" }).click();
    await expect(offered(page)).toHaveCount(0);
  }
  await expect(prompt(ada)).toContainText("Your turn.");
  await expect(prompt(ben)).toContainText("Ada #1 is thinking.");
  await expect(ada.locator(".tickets li")).toHaveCount(4);
  expect(heard.length).toBeGreaterThan(10);
  expect(heard.join("\n")).not.toContain(name);
});

test("three cards stand in for the locomotive of a ferry", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "nordic", seed: 2 });
  await begin([ada, ben]);
  await play([ada, ben], "0 draw", "0 draw", "1 draw", "1 draw");
  await Promise.all([open(ada, table), open(ben, table)]);
  await point(ada, "Ålborg–Kristiansand");
  await expect.poll(() => slots(ada)).toEqual(["red", "locomotive"]);
  await strip(ada).getByRole("button", { name: "locomotive" }).click();
  await expect.poll(() => slots(ada)).toEqual(["red", "blue", "orange", "green"]);
  await card(ada, "red").click();
  await expect.poll(() => slots(ada)).toEqual(["red", "orange", "green", "red"]);
  await claim(ada);
  await expect(log(ada)).toContainText("You claim Ålborg–Kristiansand for 2 points.");
  await expect(hand(ada, 2)).toContainText("1 blue");
  await expect(hand(ada, 2)).toContainText("1 locomotive");
  await expect(log(ben)).toContainText("plays 1 orange, 1 green and 2 red.");
  await expect(prompt(ben)).toContainText("Your turn.");
});

test("a tunnel can be backed out of", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "europe", seed: 128 });
  await begin([ada, ben]);
  await Promise.all([open(ada, table), open(ben, table)]);
  await point(ada, "München–Venezia");
  await expect.poll(() => slots(ada)).toEqual(["blue", "blue"]);
  await expect(strip(ada)).toContainText(
    "three cards are turned up; each match costs one more card",
  );
  await claim(ada);
  await expect(strip(ada)).toContainText("The tunnel turned up");
  await ada.reload();
  await expect(strip(ada)).toContainText("The tunnel turned up");
  await expect.poll(() => slots(ada)).toEqual(["locomotive"]);
  await strip(ada).getByRole("button", { name: "take the cards back" }).click();
  await expect(log(ada)).toContainText("You give up the tunnel München–Venezia.");
  await expect(hand(ada, 4)).toContainText("2 blue");
  await expect(player(ada, "Ada")).toContainText("Trains 45");
  await expect(prompt(ben)).toContainText("Your turn.");
});

test("a claim with cards to spare puts a train on the Province mat, higher by Express", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "south_korea", seed: 108 });
  await begin([ada, ben]);
  await Promise.all([open(ada, table), open(ben, table)]);
  await point(ada, "Suncheon–Yeosu");
  await card(ada, "red").click();
  await card(ada, "red").click();
  await expect.poll(() => slots(ada)).toEqual(["red", "red", "red"]);
  await expect(strip(ada)).toContainText("South Jeolla: you take the lead, +10");
  await strip(ada).getByRole("button", { name: "spot 5, with Express +2" }).click();
  await claim(ada);
  await expect(log(ada)).toContainText("You spend Express +2.");
  await expect(log(ben)).toContainText("places a train on the red line (South Jeolla), spot 5.");
  await expect(player(ben, "Ada")).toContainText("Trains 43");
  await expect(player(ben, "Ada").getByTitle("Express cards")).toHaveText(/\+1\s\+3$/);
  await ben.getByRole("tab", { name: "Provinces" }).click();
  await expect(ben.getByTitle("5: 1")).toBeVisible();

  await ben.getByRole("button", { name: "Express cards" }).click();
  await ben.getByRole("button", { name: "Spend Express +3: draw 3 from the deck" }).click();
  await expect(log(ben)).toContainText("You spend Express +3.");
  await expect(hand(ben, 7)).toBeVisible();
  await expect(prompt(ben)).toContainText("Your next card");
  await expect(player(ben, "Ben").getByTitle("Express cards")).toHaveText(/\+1\s\+2$/);
});

test("a route between two festivals lets one choose", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "iberia", seed: 1 });
  await begin([ada, ben]);
  await play([ada, ben], "0 draw", "0 draw", "1 draw", "1 draw");
  await Promise.all([open(ada, table), open(ben, table)]);
  await point(ada, "Valladolid–Madrid");
  await expect.poll(() => slots(ada)).toEqual(["blue", "blue"]);
  await card(ada, "green").click();
  await expect.poll(() => slots(ada)).toEqual(["green", "green"]);
  await expect(strip(ada).getByRole("button", { name: "Valladolid" })).toBeVisible();
  await strip(ada).getByRole("button", { name: "Madrid" }).click();
  await claim(ada);
  await expect(ada.getByText(/^Madrid: 1 of \d+ cards/)).toHaveCount(1);
  await expect(ada.getByText(/^Valladolid: 0 of \d+ cards/)).toHaveCount(1);
  await expect(log(ben)).toContainText("takes 1 festival card at Madrid.");
  await expect(prompt(ben)).toContainText("Your turn.");
});

test("a station is built in a city of the board, and lends a route at the end", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "europe", seed: 30 });
  await begin([ada, ben]);
  await Promise.all([open(ada, table), open(ben, table)]);
  const build = ada.getByRole("button", { name: "Build a station" });
  await build.click();
  await ada.getByRole("button", { name: "Cancel" }).click();
  await expect(prompt(ada)).toContainText("Your turn.");
  await build.click();
  await ada.getByRole("button", { name: "Wien", exact: true }).click();
  await expect(prompt(ada)).toContainText("station in Wien");
  await ada.locator("[data-city=paris]").click({ force: true }); // it moves there
  await expect(prompt(ada)).toContainText("station in Paris");
  await expect(ada.locator(".city.called")).toContainText("Paris");
  await strip(ada).getByRole("button", { name: "Cancel" }).click();
  await expect(prompt(ada)).toContainText("Your turn.");
  await ada.locator("[data-city=paris]").click({ force: true }); // without the button as well
  await expect(prompt(ada)).toContainText("station in Paris");
  await strip(ada).getByRole("button", { name: "Build" }).click();
  await expect(log(ada)).toContainText("station in Paris");
  await expect(player(ada, "Ada")).toContainText("Stations 2");
  await expect(hand(ada, 3)).toContainText("2 yellow");
  await expect(log(ben)).toContainText("station in Paris");
  await expect(log(ben)).not.toContainText("taken back a move");
  await expect(prompt(ben)).toContainText("Your turn.");

  await Promise.all([sit(ada, table), sit(ben, table)]);
  await finish([ada, ben]);
  await open(ada, table);
  await ada.getByText("Line by line").click();
  const lines = ada.locator(".result li");
  await expect(lines.filter({ hasText: "Ticket Paris–Wien (8)" })).toContainText("+8");
  await expect(lines.filter({ hasText: "2 stations not built" })).toContainText("+8");
  await expect(ada.locator("td.total")).toHaveText(["56", "46"]);
  await ada.getByRole("tab", { name: "Tickets" }).click();
  await expect(ada.getByText("Completed by a station")).toBeVisible();

  await ada.getByRole("button", { name: "Show the scoring again" }).click();
  const counted = ada.locator(".step .line");
  while (!(await counted.innerText()).includes("Paris–Wien"))
    await ada.getByRole("button", { name: "Next" }).click();
  const borrowed = ada.locator(".route.lit .mark").filter({ hasText: "2" });
  await expect(borrowed).toHaveCount(1);
  await expect(ada.locator(".called")).toHaveCount(2);
});
