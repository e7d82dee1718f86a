/** Where the things lie that rules keep near cities. */

import type { Drawing } from "$lib/api/drawing";
import { paramsOf, type BoardFacts } from "$lib/api/facts";

export interface FestivalSet {
  id: string;
  cities: string[];
  scores: number[];
}

export const festivalSets = (board: BoardFacts): FestivalSet[] =>
  (paramsOf(board, "festivals")?.["sets"] ?? []) as FestivalSet[];

/** The place of a festival's pile: as drawn, or beside its cities. */
export function pilePlace(drawing: Drawing, set: FestivalSet): { x: number; y: number } {
  const place = drawing.places?.find((p) => p.rule === "festivals" && p.id === set.id);
  if (place) return { x: place.x, y: place.y };
  const at = set.cities.map((id) => drawing.cities[id]).filter((c) => c !== undefined);
  const n = Math.max(1, at.length);
  return {
    x: at.reduce((sum, c) => sum + c.x, 0) / n + 18,
    y: at.reduce((sum, c) => sum + c.y, 0) / n - 20,
  };
}

/** Something on the board that explains itself. */
export interface Thing {
  id: string;
  x: number;
  y: number;
  r: number;
  text: string;
  rule: string;
}
