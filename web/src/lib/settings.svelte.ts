/** What the reader prefers. Kept in this browser. */

import { LANGUAGES } from "$generated/languages";

export type Theme = "auto" | "light" | "dark";
export type Speed = "slow" | "normal" | "fast" | "instant";

export interface Settings {
  lang: string;
  /** City names in the reader's language instead of as printed on the board. */
  local: boolean;
  theme: Theme;
  speed: Speed;
  /** Claim with one click, with the fewest locomotives. */
  thrifty: boolean;
  /** Show the cards that others are known to hold. */
  memory: boolean;
  text: boolean;
  /** What happens is heard, so loud from 0 to 1, and felt on a phone. */
  sound: boolean;
  volume: number;
  haptics: boolean;
  /** How to be told of one's turn. */
  push: boolean;
  webhook: string;
  name: string;
  /** The first visit is over. */
  welcomed: boolean;
  /** What is new at a table is explained, once. */
  hints: boolean;
  /** The table of the guided game; empty: none. */
  guided: string;
  /** Hints that have been read. */
  hinted: string[];
  board: string;
  seats: number;
  level: string;
}

const KEY = "branchline";

/** The language of this id, if the page speaks it. */
const known = (lang = ""): string | undefined => LANGUAGES.find(({ id }) => id === lang)?.id;

function preferred(): Settings {
  const browser = typeof navigator === "undefined" ? "en" : navigator.language;
  return {
    lang: known(browser.toLowerCase().split("-")[0]) ?? "en",
    local: false,
    theme: "auto",
    speed: "normal",
    thrifty: false,
    memory: false,
    text: false,
    sound: true,
    volume: 0.5,
    haptics: true,
    push: false,
    webhook: "",
    name: "",
    welcomed: false,
    hints: true,
    guided: "",
    hinted: [],
    board: "usa",
    seats: 2,
    level: "normal",
  };
}

function stored(): Partial<Settings> {
  try {
    const { lang, ...rest } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
    return known(lang) ? { ...rest, lang } : rest;
  } catch {
    return {};
  }
}

export const settings = $state<Settings>({ ...preferred(), ...stored() });

/** Keeps the settings whenever one changes. Called once, by the page. */
export function keepSettings(): void {
  $effect(() => {
    const text = JSON.stringify(settings);
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // Without storage they last as long as the page.
    }
  });
}

const SPEEDS: Record<Speed, number> = { slow: 1.8, normal: 1, fast: 0.45, instant: 0 };

/** By what the length of an animation is multiplied. */
export const pace = (): number => SPEEDS[settings.speed];

const still =
  typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

/** Nothing should move. */
export const calm = (): boolean => still?.matches ?? false;

const darkScheme =
  typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
let systemDark = $state(darkScheme?.matches ?? false);
darkScheme?.addEventListener("change", (event) => (systemDark = event.matches));

export const isDark = (): boolean =>
  settings.theme === "dark" || (settings.theme === "auto" && systemDark);
