import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import en from "../src/generated/en.json";
import fr from "../src/generated/fr.json";
import { fill, isSingular, listed } from "../src/lib/words/plural";

const catalogues: Record<string, Record<string, string>> = { en, fr };

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = join(folder, item.name);
    if (item.isDirectory()) return item.name === "generated" ? [] : sources(path);
    return /\.(svelte|ts)$/.test(item.name) ? [path] : [];
  });
}

const stem = (key: string): string => key.replace(/\.(one|other)$/, "");
const known = new Set(Object.keys(en).map(stem));
const code = sources(join(import.meta.dirname, "../src")).map((path) => readFileSync(path, "utf8"));

test("both languages have the same keys", () => {
  expect(Object.keys(fr).toSorted()).toEqual(Object.keys(en).toSorted());
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
  expect(isSingular(0, "en")).toBe(false);
  expect(isSingular(0, "fr")).toBe(true);
  expect(fill(catalogues["en"] ?? {}, "en", "tickets.left", { n: 1 })).toBe("1 train to go");
  expect(fill(catalogues["fr"] ?? {}, "fr", "tickets.left", { n: 2 })).toBe("encore 2 wagons");
});

test("a board's own words stand in every sentence", () => {
  const taxis = { ...en, "words.train.one": "taxi", "words.train.other": "taxis" };
  expect(fill(taxis, "en", "tickets.left", { n: 2 })).toBe("2 taxis to go");
  expect(fill(en, "en", "cards.locomotive", { n: 1 })).toBe("1 locomotive");
  expect(fill(fr, "fr", "cards.blue", { n: 2 })).toBe("2 cartes bleues");
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
