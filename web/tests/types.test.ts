import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { python, readSchema, typesFrom } from "../scripts/types.mjs";

test.skipIf(!existsSync(python))("the page's types are those of the server's schema", async () => {
  const files = await typesFrom(readSchema());
  expect(Object.keys(files)).toEqual(["messages.ts", "answers.ts"]);
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(join(import.meta.dirname, "../src/lib/api", name), "utf8")).toBe(text);
});
