import { expect, test, vi } from "vitest";
import * as http from "../src/lib/api/http";
import { askForBots, botName, known, ownBots } from "../src/lib/parts/bots.svelte";

const limits = { name: 30, chat: 500 };
const about = {
  docs: "",
  version: "1",
  languages: [],
  levels: [],
  limits,
  push: "",
  webhooks: false,
  ratings: false,
  address: "",
};

test("the host's own bots are offered by their names", async () => {
  const mine = { level: "my_bot:Mine", name: "Mine" };
  vi.spyOn(http, "about").mockResolvedValue({ ...about, bots: [mine] });
  await askForBots();
  expect(ownBots()).toEqual([mine]);
  expect(botName("my_bot:Mine")).toBe("Mine");
  expect(botName("hard")).not.toBe("hard");
  expect(known("my_bot:Mine")).toBe("my_bot:Mine");
});

test("a bot that is no longer offered gives way to the normal level", async () => {
  vi.spyOn(http, "about").mockRejectedValue(new Error("offline"));
  await askForBots();
  expect(ownBots()).toEqual([]);
  expect(known("my_bot:Mine")).toBe("normal");
  expect(known("easy")).toBe("easy");
  expect(known("friend")).toBe("friend");
});
