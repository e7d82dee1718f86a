import { expect, test } from "vitest";
import { rulesAt, screenOf } from "../src/lib/router.svelte";

test("the address names the screen", () => {
  expect(screenOf("/")).toEqual({ name: "start" });
  expect(screenOf("/t/abc")).toEqual({ name: "table", id: "abc", token: "" });
  expect(screenOf("/t/abc", "", "#move=xyz")).toEqual({ name: "table", id: "abc", token: "xyz" });
  expect(screenOf("/replay", "?t=abc")).toEqual({ name: "replay", table: "abc", record: "" });
  expect(screenOf("/replay", "?r=xyz")).toEqual({ name: "replay", table: "", record: "xyz" });
  expect(screenOf("/rules/usa")).toEqual({ name: "rules", board: "usa" });
  expect(screenOf("/rules")).toEqual({ name: "rules", board: "" });
  expect(screenOf("/rules/usa/more")).toEqual({ name: "lost" });
  expect(screenOf("/nowhere")).toEqual({ name: "lost" });
  expect(screenOf("/t")).toEqual({ name: "lost" });
});

test("the rules have an address, and their older one still leads there", () => {
  expect(rulesAt()).toBe("/rules");
  expect(rulesAt("usa")).toBe("/rules/usa");
  expect(rulesAt("usa", "BASE-2")).toBe("/rules/usa#BASE-2");
  expect(screenOf("/rules", "?board=usa")).toEqual(screenOf(rulesAt("usa")));
});
