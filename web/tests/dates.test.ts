import { expect, test } from "vitest";
import { settings } from "../src/lib/settings.svelte";
import { day } from "../src/lib/words/words.svelte";

test("a day is written as in the reader’s language, in British English", () => {
  const at = new Date(2026, 10, 18).getTime();
  settings.lang = "en";
  expect(day(at)).toBe("18 Nov 2026");
  settings.lang = "fr";
  expect(day(at)).toBe("18 nov. 2026");
});
