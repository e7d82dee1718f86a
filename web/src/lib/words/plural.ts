/** Filling in a message: `{name}` takes a value, `{train.other}` a form of a noun of the board, and
 * `n` chooses between singular and plural. */

export type Values = Record<string, string | number>;
export type Catalogue = Record<string, string>;

export function isSingular(n: number, lang: string): boolean {
  return lang === "fr" ? n > -2 && n < 2 : n === 1;
}

export function fill(words: Catalogue, lang: string, key: string, values: Values = {}): string {
  let template = words[key];
  if (template === undefined && "n" in values) {
    template = words[`${key}.${isSingular(Number(values["n"]), lang) ? "one" : "other"}`];
  }
  if (template === undefined) return key;
  return template.replaceAll(/\{([\w.]+)\}/g, (whole, name: string) =>
    name in values ? String(values[name]) : (words[`words.${name}`] ?? whole),
  );
}

/** A word at the beginning of a line. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Several things in one phrase: "a, b and c". */
export function listed(words: Catalogue, lang: string, items: string[]): string {
  const [first = "", ...rest] = items;
  return rest.reduce(
    (phrase, item, k) =>
      fill(words, lang, k === rest.length - 1 ? "list.two" : "list.more", { a: phrase, b: item }),
    first,
  );
}
