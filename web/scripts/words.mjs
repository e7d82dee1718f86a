// Turns the message catalogues of the page into JSON files, one for each language, and lists the
// languages in languages.ts. A key is the file's and the table's names with dots between; a plural
// keeps its forms. Every folder of the catalogues with a language.toml is a language, and so are
// those in the folders that BRANCHLINE_LANGUAGES names. An argument names another folder to write to.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";

const here = dirname(fileURLToPath(import.meta.url));
const from = join(here, "../../src/branchline/lang");
const to = process.argv[2] ?? join(here, "../src/generated");

/** The folder of each language by its id, English first. */
function languageFolders() {
  const more = (process.env.BRANCHLINE_LANGUAGES ?? "").split(delimiter).filter(Boolean);
  const found = new Map();
  for (const parent of [from, ...more])
    for (const name of readdirSync(parent))
      if (/^[a-z]{2,3}$/.test(name) && existsSync(join(parent, name, "language.toml")))
        found.set(name, join(parent, name));
  const rank = (id) => (id === "en" ? "" : id);
  return [...found].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
}

function flatten(prefix, table, into) {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix ? `${prefix}.${name}` : name;
    if (typeof value === "string") into[key] = value;
    else flatten(key, value, into);
  }
  return into;
}

/** Replaces a file as a whole, since builds, checks and tests may read it at the same time. */
function write(name, text) {
  const made = join(to, `.${name}.${process.pid}`);
  writeFileSync(made, text);
  renameSync(made, join(to, name));
}

mkdirSync(to, { recursive: true });
const languages = [];
for (const [lang, folder] of languageFolders()) {
  const read = (name) => parse(readFileSync(join(folder, `${name}.toml`), "utf8"));
  languages.push({ id: lang, ...read("language") });
  const { list, locomotives } = read("actions");
  const { colour: colours, coloured, ...nouns } = read("words");
  const filled = (template, values) =>
    template.replaceAll(/\{([\w.]+)\}/g, (whole, name) => values[name] ?? whole);
  const { one, other, a } = nouns.locomotive;
  const wild = { "locomotive.one": one, "locomotive.other": other };
  const colour = { locomotive: one };
  const a_card = { locomotive: a };
  const forms = (message, values) =>
    Object.fromEntries(Object.entries(message).map(([form, text]) => [form, filled(text, values)]));
  const cards = { locomotive: forms(locomotives, wild) };
  for (const [name, words] of Object.entries(colours)) {
    colour[name] = words.name;
    if (name === "gray") continue;
    a_card[name] = words.a_card;
    cards[name] = forms(coloured.cards, words);
  }
  const shared = { list, colour, a_card, cards, words: nouns };
  const words = flatten("", { ...read("page"), ...shared }, {});
  write(`${lang}.json`, JSON.stringify(words, null, 1) + "\n");
}
const ids = languages.map(({ id }) => id);
const lines = [
  "// Made by scripts/words.mjs from the message catalogues; don't change it here.",
  ...ids.map((id) => `import ${id} from "./${id}.json";`),
  "export interface Language { id: string; name: string; plural: Record<string, string> }",
  `export const LANGUAGES: Language[] = ${JSON.stringify(languages)};`,
  `export const catalogues: Record<string, Record<string, string>> = { ${ids.join(", ")} };`,
];
write("languages.ts", lines.join("\n") + "\n");
