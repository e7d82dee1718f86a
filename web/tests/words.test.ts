import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, type AST } from "svelte/compiler";
import { expect, test } from "vitest";
import en from "../src/generated/en.json";
import fr from "../src/generated/fr.json";
import { catalogues, LANGUAGES } from "../src/generated/languages";
import { fill, formOf, listed, pluralForm } from "../src/lib/words/plural";

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = join(folder, item.name);
    if (item.isDirectory()) return item.name === "generated" ? [] : sources(path);
    return /\.(svelte|ts)$/.test(item.name) ? [path] : [];
  });
}

const stem = (key: string): string => key.replace(/\.(zero|one|two|few|many|other)$/, "");
const known = new Set(Object.keys(en).map(stem));
const paths = sources(join(import.meta.dirname, "../src"));
const code = paths.map((path) => readFileSync(path, "utf8"));

test("all languages have the same keys", () => {
  for (const { id } of LANGUAGES)
    expect(new Set(Object.keys(catalogues[id] ?? {}).map(stem)), id).toEqual(known);
});

test("a new folder of messages is a new language", () => {
  const folder = mkdtempSync(join(tmpdir(), "branchline-words-"));
  const web = join(import.meta.dirname, "..");
  try {
    cpSync(join(web, "../src/branchline/lang/en"), join(folder, "xx"), { recursive: true });
    const env = { ...process.env, BRANCHLINE_LANGUAGES: folder };
    execFileSync(process.execPath, [join(web, "scripts/words.mjs"), join(folder, "out")], { env });
    expect(JSON.parse(readFileSync(join(folder, "out/xx.json"), "utf8"))).toEqual(en);
    const listed = readFileSync(join(folder, "out/languages.ts"), "utf8");
    expect(listed).toContain('{"id":"xx","name":"English","plural":{"one":"n = 1"}}');
    expect(listed).toContain("= { en, fr, xx };");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** What a component shows as it stands: text between tags, and labels that are read out. */
function literals(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(literals);
  if (typeof node !== "object" || node === null) return [];
  const { type, name } = node as { type?: string; name?: string };
  if (type === "Text") return [(node as AST.Text).data];
  const spoken = ["alt", "aria-label", "aria-description", "placeholder", "title", "label"];
  if (type === "Attribute" && !spoken.includes(name ?? "")) return [];
  if (type === "StyleDirective") return [];
  return Object.values(node).flatMap(literals);
}

test("components show no text that is not in the catalogues", () => {
  const found = paths
    .filter((path) => path.endsWith(".svelte"))
    .flatMap((path) => literals(parse(readFileSync(path, "utf8"), { modern: true }).fragment))
    .filter((text) => /\p{L}{2,}/u.test(text))
    .map((text) => text.trim());
  const same = ["Branchline", "branchline verify", "https://…"]; // in every language
  expect(found.filter((text) => !same.includes(text) && !/^[A-Z]+-\d+$/.test(text))).toEqual([]);
  expect(found).toContain("Branchline");
});

test("every word that the page asks for is there", () => {
  const asked = code.flatMap((text) =>
    [...text.matchAll(/\bt\(\s*"([\w.]+)"/g)].map((match) => match[1] ?? ""),
  );
  expect(asked.length).toBeGreaterThan(100);
  expect([...new Set(asked)].filter((key) => !known.has(key))).toEqual([]);
});

test("every word of the page is asked for, directly or by the beginning of its key", () => {
  const all = code.join("\n");
  const beginnings = [...all.matchAll(/`([\w.]+)\$\{/g)].map((match) => match[1] ?? "");
  const unused = [...known].filter(
    (key) =>
      !all.includes(`"${key}"`) && !beginnings.some((start) => start && key.startsWith(start)),
  );
  expect(unused.filter((key) => !/^(colour|cards|list|a_card|words)\./.test(key))).toEqual([]);
});

test("French has its own spaces and apostrophes", () => {
  for (const [key, text] of Object.entries(fr)) {
    expect(text, key).not.toMatch(/ [:;!?»]|« |'/);
  }
});

test("the plural follows the language", () => {
  expect([0, 1, -1, 1.5, 2].map((n) => pluralForm(n, "en"))).toEqual([
    "other",
    "one",
    "other",
    "other",
    "other",
  ]);
  expect([0, 1, -1, 1.5, 2].map((n) => pluralForm(n, "fr"))).toEqual([
    "one",
    "one",
    "one",
    "one",
    "other",
  ]);
  const polish = { one: "n = 1", few: "i % 10 = 2..4 and i % 100 != 12..14" };
  expect([1, 23, 12].map((n) => formOf(polish, n))).toEqual(["one", "few", "other"]);
  expect(fill(catalogues["en"] ?? {}, "en", "tickets.left", { n: 1 })).toBe("1\u00a0train to go");
  expect(fill(catalogues["fr"] ?? {}, "fr", "tickets.left", { n: 2 })).toBe("encore 2\u00a0wagons");
});

test("a board's own words stand in every sentence", () => {
  const taxis = { ...en, "words.train.one": "taxi", "words.train.other": "taxis" };
  expect(fill(taxis, "en", "tickets.left", { n: 2 })).toBe("2\u00a0taxis to go");
  expect(fill(en, "en", "cards.locomotive", { n: 1 })).toBe("1 locomotive");
  expect(fill(fr, "fr", "cards.blue", { n: 2 })).toBe("2\u00a0cartes bleues");
  for (const words of [en, fr] as Record<string, string>[]) {
    for (const [key, text] of Object.entries(words)) {
      for (const [, form] of text.matchAll(/\{(\w+\.\w+)\}/g)) {
        expect(words[`words.${form}`], key).toBeDefined();
      }
    }
  }
});

test("lists read as in the language", () => {
  expect(listed(en, "en", ["a", "b", "c"])).toBe("a, b and c");
  expect(listed(fr, "fr", ["a", "b"])).toBe("a et b");
  expect(listed(en, "en", [])).toBe("");
});
