/** A visitor's own page, and a table that plays one game after the other. */

import { look } from "./look";
import { finish, open, seat, sit, test } from "./seats";
import { expect } from "./test";

test("friends play again with a running score, see their games, and one deletes hers", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  const first = await seat([ada, ben], { board: "new_york", seed: 24 });
  await finish([ada, ben]);
  await open(ada, first);
  await ada.getByRole("button", { name: "Play again" }).click();
  await expect(ada).not.toHaveURL(new RegExp(first));
  const second = new URL(ada.url()).pathname.split("/").at(-1) ?? "";
  for (const page of [ada, ben]) await sit(page, second);
  await finish([ada, ben]);
  await open(ben, second);
  const score = ben.getByRole("region", { name: "Score over all games" });
  await expect(score).toContainText("After 2 games:");
  await expect(score).toContainText("Ada #24");
  await look(ben, "the end of a series", ".series");

  await ben.goto("/me");
  await expect(ben.getByRole("heading", { name: "Your games" })).toBeVisible();
  const boards = ben.getByRole("region", { name: "By board" });
  await expect(boards.getByRole("row", { name: /New York/ })).toContainText("2");
  const opponents = ben.getByRole("region", { name: "By opponent" });
  await expect(opponents.getByRole("row", { name: /Ada/ })).toContainText("2");
  await expect(ben.getByText(/Place [12] of 2/)).toHaveCount(2);
  await ben.getByLabel("Your name").fill("Benjamin");
  await ben.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ben.getByText("Saved.")).toBeVisible();
  const file = ben.waitForEvent("download");
  await ben.getByRole("link", { name: "Save all of it" }).click();
  expect((await file).suggestedFilename()).toBe("branchline-games.json");
  await ben.getByRole("button", { name: "Delete my data" }).click();
  await look(ben, "a visitor's own page");
  await ben.getByRole("button", { name: "Delete everything" }).click();
  await expect(ben.getByText("Your data has been deleted.")).toBeVisible();
  await expect(ben.getByText("You have not finished a game")).toBeVisible();

  await ada.goto("/me");
  await expect(ada.getByRole("region", { name: "By opponent" })).toContainText("Player 2");
});
