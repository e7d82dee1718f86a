// Writes the page's types from the published schema of all that leaves the server:
// src/lib/api/messages.ts (the table socket) and src/lib/api/answers.ts (HTTP).
// Reads the schema from the Python package: `npm run types`, with PYTHON naming an interpreter.
// With --check it only tells whether the files are fresh.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "../src/lib/api");
const PROGRAM =
  "import json; from branchline.service.schema import schema; print(json.dumps(schema()))";

/** The interpreter that has the package's needs: PYTHON, else that of `make`. */
export const python = process.env.PYTHON ?? join(here, "../../.venv/bin/python");

export function readSchema() {
  const src = join(here, "../../src");
  const env = { ...process.env, PYTHONPATH: src, BRANCHLINE_PURE: "1" };
  return JSON.parse(execFileSync(python, ["-c", PROGRAM], { env, encoding: "utf8" }));
}

/** TypeScript has a type of its own with this name. */
const RENAMED = { Record: "GameRecord" };
const named = (name) => RENAMED[name] ?? name;
const nameIn = (ref) => ref.split("/").pop();

function typeOf(part) {
  if (part.$ref) return named(nameIn(part.$ref));
  if (part.enum) return part.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (part.anyOf) return part.anyOf.map(typeOf).join(" | ");
  if (part.prefixItems) return `[${part.prefixItems.map(typeOf).join(", ")}]`;
  if (part.type === "array") return part.items ? `(${typeOf(part.items)})[]` : "unknown[]";
  if (part.type === "integer" || part.type === "number") return "number";
  if (part.type === "object") {
    const values = part.additionalProperties;
    return `Record<string, ${values && typeof values === "object" ? typeOf(values) : "unknown"}>`;
  }
  return part.type ?? "unknown";
}

function comment(text) {
  if (!text) return "";
  return `/** ${text.split("\n\n")[0].replaceAll(/\s+/g, " ").trim()} */\n`;
}

function declaration(name, part) {
  if (part.type !== "object") return `export type ${name} = ${typeOf(part)};\n`;
  const required = new Set(part.required ?? []);
  const lines = Object.entries(part.properties ?? {}).map(
    ([key, value]) =>
      `${comment(value.description)}${key}${required.has(key) ? "" : "?"}: ${typeOf(value)};`,
  );
  const head = comment(part.description);
  if (part.additionalProperties === true)
    return `${head}export type ${name} = { ${lines.join(" ")} } & Record<string, unknown>;\n`;
  return `${head}export interface ${name} {\n${lines.join("\n")}\n}\n`;
}

/** The names of all types that a part of the schema leads to. */
function reached(defs, names, found = new Set()) {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const refs = JSON.stringify(defs[name]).matchAll(/"\$ref":"([^"]+)"/g);
    reached(
      defs,
      [...refs].map((match) => nameIn(match[1])),
      found,
    );
  }
  return found;
}

const HEAD = "// Made by scripts/types.mjs from the published schema; don't change it here.\n";

/** The text of each file by its name. */
export async function typesFrom(schema) {
  const defs = schema.$defs;
  const ofMessages = reached(defs, ["ClientMessage", "ServerMessage"]);
  const all = Object.entries(defs);
  const messages = all.filter(([name]) => ofMessages.has(name));
  const answers = all.filter(([name]) => !ofMessages.has(name));
  const used = new Set();
  for (const [, part] of answers)
    for (const match of JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g))
      if (ofMessages.has(nameIn(match[1]))) used.add(nameIn(match[1]));
  const declare = (parts) => parts.map(([name, part]) => declaration(named(name), part));
  const imports = `import type { ${[...used].sort().join(", ")} } from "./messages";\n`;
  const files = {
    "messages.ts": [HEAD, `export const PROTOCOL = ${schema.protocol};\n`, ...declare(messages)],
    "answers.ts": [HEAD, imports, ...declare(answers)],
  };
  const options = { parser: "typescript", printWidth: 100 };
  const texts = Object.entries(files).map(async ([name, parts]) => [
    name,
    await format(parts.join("\n"), options),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(await typesFrom(readSchema()))) {
    const target = join(folder, name);
    if (!process.argv.includes("--check")) writeFileSync(target, text);
    else if (readFileSync(target, "utf8") !== text) {
      console.error(`src/lib/api/${name} is stale: npm run types`);
      process.exit(1);
    }
  }
}
