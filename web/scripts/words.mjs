// Turns the message catalogues of the page into modules, one for each language.
// A key is the file's and the table's names with dots between; a plural keeps its two forms.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";

const here = dirname(fileURLToPath(import.meta.url));
const from = join(here, "../../src/branchline/lang");
const to = join(here, "../src/generated");

function flatten(prefix, table, into) {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix ? `${prefix}.${name}` : name;
    if (typeof value === "string") into[key] = value;
    else flatten(key, value, into);
  }
  return into;
}

mkdirSync(to, { recursive: true });
for (const lang of ["en", "fr"]) {
  const read = (name) => parse(readFileSync(join(from, lang, `${name}.toml`), "utf8"));
  const { list, locomotives } = read("actions");
  const { colour: colours, coloured, ...nouns } = read("words");
  const filled = (template, values) =>
    template.replaceAll(/\{([\w.]+)\}/g, (whole, name) => values[name] ?? whole);
  const { one, other, a } = nouns.locomotive;
  const wild = { "locomotive.one": one, "locomotive.other": other };
  const colour = { locomotive: one };
  const a_card = { locomotive: a };
  const cards = {
    locomotive: { one: filled(locomotives.one, wild), other: filled(locomotives.other, wild) },
  };
  for (const [name, forms] of Object.entries(colours)) {
    colour[name] = forms.name;
    if (name === "gray") continue;
    a_card[name] = forms.a_card;
    cards[name] = {
      one: filled(coloured.cards.one, forms),
      other: filled(coloured.cards.other, forms),
    };
  }
  const shared = { list, colour, a_card, cards, words: nouns };
  const words = flatten("", { ...read("page"), ...shared }, {});
  writeFileSync(join(to, `${lang}.json`), JSON.stringify(words, null, 1) + "\n");
}
