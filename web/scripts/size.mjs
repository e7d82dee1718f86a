// The page's own script and style must stay small: under 200 KB compressed.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LIMIT = 200 * 1024;
const assets = join(
  dirname(fileURLToPath(import.meta.url)),
  "../../src/branchline/service/page/assets",
);
const sizes = readdirSync(assets)
  .filter((name) => /\.(js|css)$/.test(name))
  .map((name) => gzipSync(readFileSync(join(assets, name))).length);
const total = sizes.reduce((sum, size) => sum + size, 0);
console.log(`script and style: ${(total / 1024).toFixed(1)} KB compressed`);
if (total > LIMIT) {
  console.error(`more than ${LIMIT / 1024} KB`);
  process.exit(1);
}
