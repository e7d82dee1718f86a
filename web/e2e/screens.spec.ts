import { expect, test } from "./test";
import { look } from "./look";
import { offered, tapped } from "./parts";
import { prefer, start } from "./player";

test("start, new game, settings and lobby hold to WCAG", async ({ page }) => {
  await prefer(page, { speed: "instant" });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Start the guided game" })).toBeVisible();
  await look(page, "first visit");
  await page.getByRole("button", { name: "No, thanks" }).click();
  await page.getByRole("heading", { name: "Iberia" }).click();
  await page.locator("summary").first().click();
  await page.getByRole("combobox", { name: "Player 2", exact: true }).selectOption("friend");
  await look(page, "new game with a friend");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.locator("dialog summary").click();
  await look(page, "settings");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Open the table and invite" }).click();
  await expect(page.getByLabel("Link to this table")).toBeVisible();
  await look(page, "lobby");
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Your games" })).toBeVisible();
  await look(page, "own tables");
});

test("the rules of each board hold to WCAG", async ({ page }) => {
  await page.goto("/rules");
  for (const board of ["usa", "europe", "iberia", "south_korea", "new_york", "nordic"]) {
    await page.getByLabel("Board").selectOption(board);
    await expect(page).toHaveURL(`/rules/${board}`);
    await expect(page.getByRole("heading", { name: "In the box" })).toBeVisible();
    await look(page, `rules of ${board}`);
  }
  await page.getByLabel("Board").selectOption("new_york");
  await expect(page.locator("#BASE-5")).toContainText("Three taxi cards face up");
  await page.getByLabel("Board").selectOption("usa");
  await expect(page.locator("#BASE-5")).toContainText("Three locomotives face up");
  await page.getByLabel("Board").selectOption("iberia");
  await expect(page.getByText("Valencia: 2, 4, 6, 9, 13, 17, 22")).toBeVisible();
  await page.getByLabel("Board").selectOption("south_korea");
  const line = page.locator(".mat .line").filter({ hasText: "North Jeolla" });
  await expect(line.locator(".spot")).toHaveText(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  for (const address of ["/rules/nordic#NO-5", "/rules?board=nordic#NO-5"]) {
    await page.goto(address);
    await expect(page.locator(".called")).toBeInViewport();
    await expect(page.getByLabel("Board")).toHaveValue("nordic");
  }
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(page.getByLabel("Board")).toHaveValue("");
  await page.goto("/rules/nowhere");
  await expect(page.getByLabel("Board")).toHaveValue("");
});

test("the guided game holds to WCAG", async ({ page }) => {
  await prefer(page, { speed: "instant" });
  await page.goto("/");
  await page.getByRole("button", { name: "Start the guided game" }).click();
  await expect(page.locator(".guide")).toContainText("Tickets are your goals.");
  await look(page, "guided game");
});

test("what is not there is told so, and holds to WCAG", async ({ page, allow }) => {
  allow(/404 .*\/nowhere\)$/);
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await look(page, "no such page");
  allow(/422 .*\/api\/tables\/nosuchtable\)$/);
  allow(/^WebSocket connection to .*\/nosuchtable\/socket.* code: 404 /);
  const data = { board: "usa", seats: 2, name: "Ada", bots: ["easy"] };
  await page.request.post("/api/tables", { data });
  await page.goto("/t/nosuchtable");
  await expect(page.getByRole("alert")).toContainText("There is no table here");
  await expect(page.getByRole("link", { name: "USA" })).toHaveAttribute("href", /^\/t\/\w+/);
  await expect(page.getByRole("link", { name: "Back to the start page" })).toBeVisible();
  await look(page, "no such table");
  allow(/422 .*\/api\/tables\/nosuchtable\/replay\)$/);
  await page.goto("/replay?t=nosuchtable");
  await expect(page.getByRole("alert")).toBeVisible();
  await look(page, "no such record");
});

test("a lost connection is told, and the page holds to WCAG", async ({ page }) => {
  const wire = await tapped(page);
  await start(page, { board: "new_york" });
  await expect(offered(page)).toBeVisible();
  wire.cut();
  await expect(page.getByText("Connection lost.")).toBeVisible();
  await look(page, "no connection");
});
