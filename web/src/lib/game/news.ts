/** What an entry of the log brings, for showing it: how long it takes, and what to light up. */

import type { EntryInfo, Told } from "$lib/api/messages";

const BEATS: Record<string, number> = {
  RouteClaimed: 1100,
  TunnelTried: 700,
  TunnelCardTurnedUp: 650,
  TunnelGivenUp: 900,
  CardTaken: 500,
  CardDrawn: 400,
  DisplayReset: 1100,
  FestivalCardPlaced: 700,
  FestivalTaken: 900,
  TrainPlacedOnMat: 800,
  ExpressSpent: 700,
  StationBuilt: 1000,
  DraftCardDrawn: 1200,
  LastRoundBegan: 1600,
  TicketsKept: 500,
};

const LONGEST = 4200;

const numbers = (event: Told, name: string): number[] => {
  const value = event.values?.[name];
  return typeof value === "number" ? [value] : Array.isArray(value) ? (value as number[]) : [];
};

export const value = (event: Told, name: string): number | undefined => numbers(event, name)[0];
export const values = numbers;

/** How long an entry should be on show, in milliseconds at normal speed. */
export function beat(entry: EntryInfo): number {
  const sum = (entry.events ?? []).reduce((time, event) => time + (BEATS[event.event] ?? 0), 0);
  return Math.min(LONGEST, sum);
}

const BEHIND = 2000;

/** What is shown goes faster when more than this waits: all of it takes at most twice this time. */
export const haste = (waiting: number): number => (waiting > BEHIND ? (BEHIND / waiting) ** 2 : 1);

/** What is new on the board: routes, cities, festivals, spots of the mat. */
export interface Fresh {
  routes: number[];
  cities: number[];
  festivals: number[];
  spots: [number, number][];
}

export function fresh(entry: EntryInfo | null): Fresh {
  const out: Fresh = { routes: [], cities: [], festivals: [], spots: [] };
  for (const event of entry?.events ?? []) {
    if (event.event === "RouteClaimed" || event.event === "TunnelTried")
      out.routes.push(...numbers(event, "route"));
    if (event.event === "StationBuilt") out.cities.push(...numbers(event, "city"));
    if (event.event.startsWith("Festival")) out.festivals.push(...numbers(event, "festival"));
    if (event.event === "TrainPlacedOnMat")
      out.spots.push([value(event, "line") ?? -1, value(event, "spot") ?? -1]);
  }
  return out;
}

/** The cards that a tunnel turned up, which of them cost one more, and how many that are. */
export function tunnelOf(
  entry: EntryInfo,
  locomotive: number,
): { cards: { kind: number; hit: boolean }[]; due: number } {
  const events = entry.events ?? [];
  const tried = events.find((event) => event.event === "TunnelTried");
  const colour = tried
    ? numbers(tried, "cards").findIndex((n, kind) => n > 0 && kind !== locomotive)
    : -1;
  const cards = events
    .filter((event) => event.event === "TunnelCardTurnedUp")
    .map((event) => value(event, "card") ?? -1)
    .map((kind) => ({ kind, hit: kind === locomotive || kind === colour }));
  return { cards, due: cards.filter(({ hit }) => hit).length };
}

/** The events that a person wants to read; the rest only moves cards about. */
const QUIET = new Set(["TurnBegan", "DisplayFilled", "DeckShuffled", "TicketsShuffled"]);
export const loud = (event: Told): boolean =>
  !QUIET.has(event.event) && !(event.event === "TurnsLeft" && value(event, "turns") === 0);

/** An entry in sentences, with how often each stands in a row. */
export function told(entry: EntryInfo): [string, number][] {
  const out: [string, number][] = [];
  for (const event of entry.events ?? []) {
    if (!loud(event)) continue;
    const last = out.at(-1);
    if (last && last[0] === event.text) last[1]++;
    else out.push([event.text, 1]);
  }
  return out;
}

/** An entry as sentences to be read aloud. */
export function spoken(entry: EntryInfo): string[] {
  const said = entry.kind === "said" ? `${entry.name}: ${entry.text}` : (entry.text ?? "");
  const events = told(entry).map(([words, n]) => (n > 1 ? `${words} ×${n}` : words));
  return [said, ...events].filter(Boolean);
}

const SURPRISES = new Set([
  "CardDrawn",
  "DisplayReset",
  "DraftCardDrawn",
  "FestivalCardPlaced",
  "FestivalTaken",
  "LastRoundBegan",
  "TunnelCardTurnedUp",
]);

/** Others' moves are shown; of one's own, only what one could not know before. */
export function worthShowing(entry: EntryInfo | null, me: number): boolean {
  if (!entry) return false;
  if (entry.seat !== me) return true;
  return (entry.events ?? []).some((event) => SURPRISES.has(event.event));
}
