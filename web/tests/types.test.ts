import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { python, readSchema, typesFrom } from "../scripts/types.mjs";

test.skipIf(!existsSync(python))("the types of the messages are those of the schema", async () => {
  const path = join(import.meta.dirname, "../src/lib/api/messages.ts");
  expect(readFileSync(path, "utf8")).toBe(await typesFrom(readSchema()));
});
