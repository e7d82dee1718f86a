// Turns the message catalogues of the page into modules, one for each language.
// A key is the file's and the table's names with dots between; a plural keeps its two forms.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";

const here = dirname(fileURLToPath(import.meta.url));
const from = join(here, "../../src/branchline/lang");
const to = join(here, "../src/generated");

/** The tables of other catalogues that the page needs too. */
const SHARED = ["colour", "cards", "list", "a_card"];

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
  const actions = read("actions");
  const shared = Object.fromEntries(SHARED.map((name) => [name, actions[name]]));
  const words = flatten("", { ...read("page"), ...shared }, {});
  writeFileSync(join(to, `${lang}.json`), JSON.stringify(words, null, 1) + "\n");
}
