import { expect, test } from "./test";
import { move, prefer, start } from "./player";

test("two friends meet by a link and both play", async ({ browser }) => {
  const [one, two] = await Promise.all([browser.newContext(), browser.newContext()]);
  const [host, guest] = await Promise.all([one.newPage(), two.newPage()]);
  await prefer(host, {
    speed: "instant",
    welcomed: true,
    board: "new_york",
    seats: 2,
    name: "Ada",
  });
  await prefer(guest, { speed: "instant", welcomed: true, name: "Ben" });
  await host.goto("/");
  await host.locator("select").first().selectOption("friend");
  await host.locator("button.play").click();
  const link = await host.getByLabel("Link to this table").inputValue();
  await guest.goto(link);
  await guest.getByRole("button", { name: "Take a seat" }).click();
  await expect(host.locator(".sheet")).toBeVisible();
  await expect(guest.locator(".sheet")).toBeVisible();
  for (let k = 0; k < 40; k++) {
    if (!(await move(host)) && !(await move(guest))) await host.waitForTimeout(50);
  }
  await expect(guest.locator(".log")).toContainText("Ada");
  await host.getByLabel("Say something").fill("Good game!");
  await host.keyboard.press("Enter");
  await expect(guest.locator(".log .said")).toContainText("Good game!");
  await Promise.all([one.close(), two.close()]);
});

test("a lost connection is told, and the game goes on after it", async ({ page }) => {
  let cut: (() => void) | undefined;
  let blocked = false;
  await page.routeWebSocket(/\/socket/, async (socket) => {
    if (blocked) {
      await socket.close({ code: 1012 });
      return;
    }
    socket.connectToServer();
    cut = () => void socket.close({ code: 1012 });
  });
  await start(page, { board: "new_york" });
  await expect(page.locator(".sheet")).toBeVisible();
  blocked = true;
  cut?.();
  await expect(page.getByText("The connection is gone.")).toBeVisible({ timeout: 10_000 });
  const keep = page.locator(".sheet footer button.main");
  await page.locator(".sheet .cards button").first().click();
  await keep.click();
  blocked = false;
  await expect(page.getByText("The connection is gone.")).toHaveCount(0, { timeout: 20_000 });
  await expect(page.locator(".sheet")).toHaveCount(0);
  await expect(page.locator(".log")).toContainText("You keep");
});
