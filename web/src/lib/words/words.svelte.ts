/** The words of the page in the reader's language. */

import { catalogues } from "$generated/languages";
import { speak } from "$lib/api/http";
import { settings } from "$lib/settings.svelte";
import { fill, listed, type Catalogue, type Values } from "./plural";

export const lang = (): string => settings.lang;

/** A day, as the reader's language writes it; the English of the page is British. */
export const day = (at: number): string => new Date(at).toLocaleDateString(region(), DAY);

/** A day and the time, to the minute. */
export const moment = (at: number): string =>
  new Date(at).toLocaleString(region(), { ...DAY, hour: "2-digit", minute: "2-digit" });

const DAY = { day: "numeric", month: "short", year: "numeric" } as const;
const region = (): string => (settings.lang === "en" ? "en-GB" : settings.lang);

/** A text of a board's file: in the reader's language if it has it, else in English. */
export const inLanguage = (texts: { en: string }): string =>
  (texts as Record<string, string>)[settings.lang] || texts.en;

/** The words of the board on the table, by language. */
let own = $state.raw<Record<string, Catalogue>>({});
const words = $derived({ ...catalogues[settings.lang], ...own[settings.lang] });

/** Speaks of things by the board's own words from now on; without any, by the usual ones. */
export function useWords(of: Record<string, Catalogue> = {}): void {
  own = of;
}

/** What the board on the table calls a train, in English; empty: a train. Pictures go by it. */
export const pieceWord = (): string => String(own["en"]?.["words.train.one"] ?? "");

export function t(key: string, values?: Values): string {
  return fill(words, settings.lang, key, values);
}

/** The keys of a part of the catalogue, in its order. */
export const keysOf = (part: string): string[] =>
  Object.keys(words).flatMap((key) =>
    key.startsWith(`${part}.`) ? [key.slice(part.length + 1)] : [],
  );

/** Whether there are words for a key. */
export const hasWords = (key: string): boolean => key in words;

/** Why something has failed, in words. */
export const reason = (error: unknown): string =>
  (error instanceof Error && error.message) || t("link.failed");

export const join = (items: string[]): string => listed(words, settings.lang, items);

/** One of several things: "a, b or c". */
export const either = (items: string[]): string =>
  items.length < 2
    ? (items[0] ?? "")
    : t("prompt.or", { a: items.slice(0, -1).join(", "), b: items.at(-1) ?? "" });

/** What something is, and what there is to say of it: "Ada: 12". */
export const labelled = (label: string, value: string): string =>
  t("prompt.labelled", { label, value });

/** Under which name the board's labels have the names of cities. */
export const cityNames = (): string => (settings.local ? settings.lang : "printed");

export function useLanguage(wanted: string): void {
  settings.lang = wanted;
  speak(wanted, settings.local);
  document.documentElement.lang = wanted;
}

export function useCityNames(local: boolean): void {
  settings.local = local;
  speak(settings.lang, local);
}
