import { expect, test } from "vitest";
import { screenOf } from "../src/lib/router.svelte";

test("the address names the screen", () => {
  expect(screenOf("/")).toEqual({ name: "start" });
  expect(screenOf("/t/abc")).toEqual({ name: "table", id: "abc", token: "" });
  expect(screenOf("/t/abc", "", "#move=xyz")).toEqual({ name: "table", id: "abc", token: "xyz" });
  expect(screenOf("/replay", "?t=abc")).toEqual({ name: "replay", table: "abc", record: "" });
  expect(screenOf("/replay", "?r=xyz")).toEqual({ name: "replay", table: "", record: "xyz" });
  expect(screenOf("/rules", "?board=usa")).toEqual({ name: "rules", board: "usa" });
  expect(screenOf("/nowhere")).toEqual({ name: "lost" });
  expect(screenOf("/t")).toEqual({ name: "lost" });
});
