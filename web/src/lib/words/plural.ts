/** Filling in a message: `{name}` takes a value, `{train.other}` a form of a noun of the board, and
 * `n` chooses among the forms of a plural. */

import { LANGUAGES } from "$generated/languages";

export type Values = Record<string, string | number>;
export type Catalogue = Record<string, string>;

const RELATION = /^([ni])(?: % (\d+))? (=|!=) ([\d.,-]+)$/;

/** Whether a relation such as `i % 10 = 2..4` holds; `i` is the whole part without its sign. */
function holds(relation: string, n: number): boolean {
  const [, operand, modulus, sign, ranges = ""] = RELATION.exec(relation.trim()) ?? [];
  let value = operand === "n" ? n : Math.trunc(Math.abs(n));
  if (modulus) value %= Number(modulus);
  const inside = ranges.split(",").some((range) => {
    const [low = "", high = low] = range.split("..");
    return Number.isInteger(value) && Number(low) <= value && value <= Number(high);
  });
  return inside === (sign === "=");
}

/** The form that a number takes by plural rules in the notation of CLDR, as in core/plurals.py. */
export function formOf(rules: Record<string, string>, n: number): string {
  const found = Object.entries(rules).find(([, condition]) =>
    condition.split(" or ").some((part) => part.split(" and ").every((one) => holds(one, n))),
  );
  return found?.[0] ?? "other";
}

export function pluralForm(n: number, lang: string): string {
  return formOf(LANGUAGES.find(({ id }) => id === lang)?.plural ?? {}, n);
}

export function fill(words: Catalogue, lang: string, key: string, values: Values = {}): string {
  let template = words[key];
  if (template === undefined && "n" in values) {
    template = words[`${key}.${pluralForm(Number(values["n"]), lang)}`];
  }
  if (template === undefined) return key;
  return template.replaceAll(/\{([\w.]+)\}/g, (whole, name: string) =>
    name in values ? String(values[name]) : (words[`words.${name}`] ?? whole),
  );
}

/** A word at the beginning of a line. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A label within a line. */
export const small = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Several things in one phrase: "a, b and c". */
export function listed(words: Catalogue, lang: string, items: string[]): string {
  const [first = "", ...rest] = items;
  return rest.reduce(
    (phrase, item, k) =>
      fill(words, lang, k === rest.length - 1 ? "list.two" : "list.more", { a: phrase, b: item }),
    first,
  );
}
