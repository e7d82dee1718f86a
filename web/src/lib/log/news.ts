/** What an entry of the log brings, for showing it: how long it takes, and what it says. */

import type { EntryInfo, EventInfo } from "$lib/api/messages";
import { value, values } from "$lib/game/events";
import { eventDisplay } from "$lib/rules/registry";
import { labelled } from "$lib/words/words.svelte";

const LONGEST = 4200;

/** How long an entry should be on show, in milliseconds at normal speed. */
export function beat(entry: EntryInfo): number {
  const times = (entry.events ?? []).map(({ event }) => eventDisplay(event).beat ?? 0);
  return Math.min(
    LONGEST,
    times.reduce((sum, time) => sum + time, 0),
  );
}

const BEHIND = 2000;

/** What is shown goes faster when more than this waits: all of it takes at most twice this time. */
export const haste = (waiting: number): number => (waiting > BEHIND ? (BEHIND / waiting) ** 2 : 1);

/** The routes that an entry lights up, each once: a tunnel is tried and then claimed. */
export const freshRoutes = (entry: EntryInfo | null): number[] => [
  ...new Set(
    (entry?.events ?? []).flatMap((event) =>
      eventDisplay(event.event).route ? values(event, "route") : [],
    ),
  ),
];

/** The events that a person wants to read; the rest only moves cards about. */
const QUIET = new Set(["TurnBegan", "DisplayFilled", "DeckShuffled", "TicketsShuffled"]);
export const loud = (event: EventInfo): boolean =>
  !QUIET.has(event.event) && !(event.event === "TurnsLeft" && value(event, "turns") === 0);

/** Events, those that say the same in a row as one, with how often. */
export function folded(events: readonly EventInfo[]): [EventInfo, number][] {
  const out: [EventInfo, number][] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (last && last[0].text === event.text) last[1]++;
    else out.push([event, 1]);
  }
  return out;
}

/** An entry in sentences, with how often each stands in a row. */
export const told = (entry: EntryInfo): [string, number][] =>
  folded((entry.events ?? []).filter(loud)).map(([{ text }, n]) => [text, n]);

/** An entry as sentences to be read aloud. */
export function spoken(entry: EntryInfo): string[] {
  const said =
    entry.kind === "said" ? labelled(entry.name ?? "", entry.text ?? "") : (entry.text ?? "");
  const events = told(entry).map(([words, n]) => (n > 1 ? `${words} ×${n}` : words));
  return [said, ...events].filter(Boolean);
}

/** Others' moves are shown; of one's own, only what one could not know before. */
export function worthShowing(entry: EntryInfo | null, me: number): boolean {
  if (!entry) return false;
  if (entry.seat !== me) return true;
  return (entry.events ?? []).some(({ event }) => eventDisplay(event).surprise);
}

/** How much an event tells of a turn: a claim more than the cards it was paid with. */
const weight = (event: EventInfo): number => {
  const { route = false, beat = 0 } = eventDisplay(event.event);
  return route ? LONGEST : beat;
};

/** What a seat did in its last turn, in words, without its name in front; empty: nothing yet. */
export function lastMove(entries: readonly EntryInfo[], seat: number, name: string): string {
  const last = entries.findLastIndex((one) => one.kind === "moved" && one.seat === seat);
  let first = last;
  while (entries[first - 1]?.kind === "moved" && entries[first - 1]?.seat === seat) first--;
  const events = entries
    .slice(Math.max(0, first), last + 1)
    .flatMap(({ events = [] }) => events)
    .filter((event) => event.seat === seat && loud(event) && event.text);
  const most = events.reduce<EventInfo | null>(
    (best, event) => (best && weight(best) > weight(event) ? best : event),
    null,
  );
  const words = most?.text ?? "";
  const rest = words.startsWith(`${name} `) ? words.slice(name.length + 1) : words;
  return rest.charAt(0).toLocaleUpperCase() + rest.slice(1);
}
