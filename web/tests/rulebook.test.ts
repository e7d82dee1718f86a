import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import type { RuleText } from "../src/lib/api/facts";
import { EXAMPLES } from "../src/lib/rulebook/examples";
import { findRules } from "../src/lib/rulebook/find";
import { boxOf, citiesOf, placeOf } from "../src/lib/rulebook/picture";

type Texts = Record<string, Record<string, string>>;
const toml = (path: string) =>
  parse(readFileSync(new URL(`../../src/branchline/lang/${path}`, import.meta.url), "utf8"));
const facts = toml("rules.toml") as Record<string, { boards: string[]; book: string }>;
const ids = Object.keys(facts);
const boards = [...new Set(Object.values(facts).flatMap((rule) => rule.boards))];

for (const lang of ["en", "fr"]) {
  const texts = toml(`${lang}/rules.toml`) as Texts;
  const words = (toml(`${lang}/page.toml`) as Texts)["rules"] ?? {};
  const rules = ids.map((id) => ({ ...facts[id], ...texts[id], id }) as RuleText);

  for (const board of boards)
    test(`the page of ${board} has each of its rules, in ${lang}`, () => {
      const shown = findRules(rules, board, "");
      expect(shown.map(({ id }) => id)).toEqual(
        ids.filter((id) => facts[id]?.boards.includes(board)),
      );
      for (const { title, text, book } of shown) {
        expect(title).toBeTruthy();
        expect(text).toBeTruthy();
        expect(words[`book_${book}`]).toBeTruthy();
      }
      expect(shown.filter(({ id }) => id in EXAMPLES).length).toBeGreaterThan(4);
    });

  test(`all rules together, and every example has its words, in ${lang}`, () => {
    expect(findRules(rules, "", "")).toEqual(rules);
    for (const [id, examples] of Object.entries(EXAMPLES)) {
      expect(ids).toContain(id);
      for (const { name } of examples) expect(words[`example_${name}`]).toBeTruthy();
    }
  });

  test(`rules are found by id and by words without accents, in ${lang}`, () => {
    const rule = rules.find(({ title }) => /[éèê]/.test(title)) ?? rules[0];
    for (const words of [
      rule?.id.toLowerCase(),
      rule?.title.normalize("NFD").replaceAll(/\p{M}/gu, ""),
    ])
      expect(findRules(rules, "", ` ${words} `)).toContain(rule);
  });

  test(`numbers are found with a plain space, in ${lang}`, () => {
    const [rule, counted = ""] = rules.flatMap((rule) => {
      const found = /\d+[ \u00a0]\p{L}+/u.exec(rule.text);
      return found ? [rule, found[0]] : [];
    }) as [RuleText, string];
    expect(findRules(rules, "", counted.replace("\u00a0", " "))).toContain(rule);
  });
}

const drawn = Object.values(EXAMPLES)
  .flat()
  .filter(({ tracks }) => tracks);

test("the picture of an example holds its spaces and little else", () => {
  expect(drawn.length).toBeGreaterThan(10);
  for (const example of drawn) {
    const [left, top, width, height] = boxOf(example);
    for (const [x, y] of example.tracks?.flatMap((track) => placeOf(track).spaces) ?? []) {
      expect(x).toBeGreaterThan(left);
      expect(x).toBeLessThan(left + width);
      expect(y).toBeGreaterThan(top);
      expect(y).toBeLessThan(top + height);
    }
  }
  const straight = drawn.find(({ name }) => name === "claim");
  expect(straight && boxOf(straight)).toEqual([12, 28, 176, 24]);
});

test("the routes of a double route lie beside each other between the same two cities", () => {
  const tracks = drawn.find(({ name }) => name === "double")?.tracks ?? [];
  expect(citiesOf(tracks)).toHaveLength(2);
  const [first, second] = tracks.map((track) => placeOf(track));
  expect(second?.spaces.map(([x]) => x)).toEqual(first?.spaces.map(([x]) => x));
  expect(first?.spaces.map(([, y]) => y)).toEqual([30, 30, 30]);
  expect(second?.spaces.map(([, y]) => y)).toEqual([50, 50, 50]);
  expect(second?.path).toBe("M20 40L28 50L172 50L180 40");
});
