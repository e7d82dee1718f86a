// Writes src/lib/api/messages.ts from the published schema of the socket's messages.
// Reads the schema from the Python package: `npm run types`, with PYTHON naming an interpreter.
// With --check it only tells whether the file is fresh.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/lib/api/messages.ts");
const PROGRAM =
  "import json; from branchline.service.messages import schema; print(json.dumps(schema()))";

/** The interpreter that has the package's needs: PYTHON, else that of `make`. */
export const python = process.env.PYTHON ?? join(here, "../../.venv/bin/python");

export function readSchema() {
  const src = join(here, "../../src");
  const env = { ...process.env, PYTHONPATH: src, BRANCHLINE_PURE: "1" };
  return JSON.parse(execFileSync(python, ["-c", PROGRAM], { env, encoding: "utf8" }));
}

function typeOf(part) {
  if (part.$ref) return part.$ref.split("/").pop();
  if (part.enum) return part.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (part.anyOf) return part.anyOf.map(typeOf).join(" | ");
  if (part.type === "array") return part.items ? `(${typeOf(part.items)})[]` : "unknown[]";
  if (part.type === "integer" || part.type === "number") return "number";
  if (part.type === "object") return "Record<string, unknown>";
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
    ([key, value]) => `${key}${required.has(key) ? "" : "?"}: ${typeOf(value)};`,
  );
  return `${comment(part.description)}export interface ${name} {\n${lines.join("\n")}\n}\n`;
}

export async function typesFrom(schema) {
  const head =
    "// Made by scripts/types.mjs from the schema of the messages; don't change it here.\n";
  const version = `export const PROTOCOL = ${schema.protocol};\n`;
  const parts = Object.entries(schema.$defs).map(([name, part]) => declaration(name, part));
  return format([head, version, ...parts].join("\n"), { parser: "typescript", printWidth: 100 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await typesFrom(readSchema());
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error("src/lib/api/messages.ts is stale: npm run types");
    process.exit(1);
  }
}
