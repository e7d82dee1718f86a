/** Reading an event of the log: its values are whole numbers or lists of them. */

import type { EventInfo } from "$lib/api/messages";

export const values = (event: EventInfo, name: string): number[] => {
  const value = event.values?.[name];
  return typeof value === "number" ? [value] : Array.isArray(value) ? (value as number[]) : [];
};

export const value = (event: EventInfo, name: string): number | undefined => values(event, name)[0];
