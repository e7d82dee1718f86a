/** What is heard when an entry of the log is shown, and when. Pure. */

import type { EntryInfo } from "$lib/api/messages";
import { eventDisplay } from "$lib/rules/registry";
import type { SoundScene } from "$lib/rules/rule";
import type { Sound } from "./sound";

export interface Moment {
  sound: Sound;
  /** In milliseconds at normal speed after the entry appeared. */
  at: number;
}

/** More sounds than these of one entry would be a rattle. */
const MOST = 12;

/** The sounds of an entry; each event's begin when the events before it have been shown. */
export function momentsOf(entry: EntryInfo, scene: SoundScene): Moment[] {
  let begun = 0;
  const found: Moment[] = [];
  for (const event of entry.events ?? []) {
    const { sounds, beat = 0 } = eventDisplay(event.event);
    for (const [sound, wait] of sounds?.(event, scene) ?? [])
      found.push({ sound, at: begun + wait });
    begun += beat;
  }
  return found.slice(0, MOST);
}
