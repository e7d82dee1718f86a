/** Small things of the table that nobody should have to think about. */

import { claim, log, offered, player, point, strip } from "./parts";
import { prefer } from "./player";
import { begin, open, play, seat, test } from "./seats";
import { expect } from "./test";

test("tickets: how many are to be chosen, what one costs, and the focus goes on", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "usa", seed: 3 });
  await open(ada, table);
  await expect(offered(ada)).toContainText("Choose at least 2 more.");
  const rows = offered(ada).locator("[data-ticket]");
  await rows.nth(0).click();
  await expect(offered(ada)).toContainText("Choose at least 1 more.");
  await rows.nth(1).click();
  await offered(ada).getByRole("button", { name: "Keep 2 tickets" }).focus();
  await ada.keyboard.press("Enter");
  await expect(offered(ada)).toHaveCount(0);
  await expect(ada.locator(".frame")).toBeFocused();
  await expect(ada.locator("section.tickets")).toContainText(
    "Your tickets appear once everyone has chosen.",
  );
  await begin([ben]);
  await ada.locator(".tickets [data-ticket]").first().hover();
  await expect(ada.locator(".way").first()).toBeAttached();
  await expect(ada.locator(".call")).toHaveCount(2);
  await expect(ada.getByRole("region", { name: "How you stand" })).toContainText(
    /Needs \d+ .+; you have \d+ .+ and \d locomotives?\./,
  );
});

test("a claim: nothing covers the train, the seat tells it, its network stands alone", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  const settings = { speed: "normal" };
  const table = await seat([ada, ben], { board: "nordic", seed: 2, settings });
  await begin([ada, ben]);
  await play([ada, ben], "0 draw", "0 draw", "1 draw", "1 draw");
  await open(ada, table);
  await point(ada, "Ålborg–Kristiansand");
  await claim(ada);
  await ada.locator(".moving .laid").first().waitFor();
  const covered = await ada.locator(".moving .laid").evaluateAll((wagons) =>
    wagons.filter((wagon) => {
      const { x, y, width, height } = wagon.getBoundingClientRect();
      return !document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".frame");
    }),
  );
  expect(covered).toEqual([]);
  await expect(log(ada)).toContainText("You claim Ålborg–Kristiansand for 2 points.");
  await expect(player(ada, "Ada")).toContainText("You claim Ålborg–Kristiansand");
  await player(ada, "Ada").hover();
  await expect(ada.locator(".route.dim").first()).toBeAttached();
  await expect(ada.locator(".route:not(.dim) .mark")).toHaveCount(1);
  await expect(ada.locator(".halo")).toHaveCount(0);
});

test("in text mode a route has its price out of turn as well", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "nordic", seed: 2, settings: { text: true } });
  await begin([ada, ben]);
  await ben.goto(`/t/${table}`);
  await ben.getByLabel("City:").fill("Murmansk");
  const route = ben.getByRole("listitem").filter({ hasText: /Murmansk–Lieksa|Lieksa–Murmansk/ });
  await expect(route).toContainText(/You need \d more cards/);
});

test("a long name is cut on a phone, and nothing beside it", async ({ person }) => {
  const ada = await person();
  await ada.setViewportSize({ width: 390, height: 844 });
  const name = "Maximiliana Wilhelmina von Hohe"; // as long as a name may be
  await prefer(ada, { speed: "instant", welcomed: true, name });
  const made = await ada.request.post("/api/tables", {
    data: { board: "south_korea", seats: 2, name, bots: ["easy"], first: 0 },
  });
  expect(made.ok(), await made.text()).toBe(true);
  await open(ada, ((await made.json()) as { table: string }).table);
  const line = player(ada, "Maximiliana");
  await expect(line.locator(".points")).toBeInViewport({ ratio: 1 });
  await expect(line.locator("dl")).toBeInViewport({ ratio: 1 });
  const cut = await line
    .locator(".name")
    .evaluate((text) => [text.scrollWidth > text.clientWidth, text.clientWidth > 60]);
  expect(cut).toEqual([true, true]);
});

test("a small window has all offered tickets in sight, and bots by their whole names", async ({
  person,
}) => {
  const ada = await person();
  await ada.setViewportSize({ width: 1024, height: 768 });
  await prefer(ada, { speed: "instant", welcomed: true, name: "Ada" });
  for (const board of ["nordic", "iberia"]) {
    const made = await ada.request.post("/api/tables", {
      data: { board, seats: 3, name: "Ada", bots: ["normal", "normal"] },
    });
    expect(made.ok(), await made.text()).toBe(true);
    await open(ada, ((await made.json()) as { table: string }).table);
    const rows = offered(ada).locator("[data-ticket]");
    await expect(rows.nth(4)).toBeVisible();
    const last = await rows.last().boundingBox();
    const button = await offered(ada).locator("footer").boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
    await expect(offered(ada).locator("footer button")).toBeInViewport({ ratio: 1 });
    const cut = await ada
      .locator(".seats .name")
      .evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth));
    expect(cut).toEqual([]);
  }
});

test("the strip names routes within reach, and a touch chooses one", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "nordic", seed: 2 });
  await begin([ada, ben]);
  await open(ada, table);
  const first = strip(ada).getByRole("listitem").first().getByRole("button");
  await first.hover();
  await expect(ada.locator(".lit").first()).toBeAttached();
  const name = await first.locator(".name").innerText();
  await first.click();
  await expect(strip(ada).locator("[data-do]")).toBeEnabled();
  await expect(strip(ada)).toContainText(name.replace(/ \(.*/, ""));
  await expect(strip(ada).getByRole("listitem")).toHaveCount(0);
});

test("an unfinished game is given up on the start page", async ({ person }) => {
  const [ada, ben] = [await person(), await person()];
  await seat([ada, ben], { board: "new_york", seed: 24 });
  await ada.goto("/");
  const games = ada.locator("section").filter({ hasText: "Your games" });
  await games.getByRole("button", { name: /^Give up/ }).click();
  await games.getByRole("button", { name: "Give up the game" }).click();
  await expect(games).toHaveCount(0);
});
