/** Where each offer is shown. Pure: whatever has no place of its own becomes a plain button. */

import type { Offer } from "$lib/api/messages";
import { IN_CITIES, PARTS, PLACED, SHEETS } from "$lib/rules/registry";
import type { DecisionSheet, StripPart } from "$lib/rules/rule";

export interface Places {
  /** The sheet for a choice of tickets, with its offers. */
  sheet: { component: DecisionSheet["component"]; tab: string; offers: Offer[] } | null;
  /** The part of the claim strip for the decision, with its offers. */
  part: (StripPart & { offers: Offer[] }) | null;
  /** Offers that are chosen by a city of the board. */
  cities: Map<number, Offer>;
  /** Offers without a place of their own. */
  plain: Offer[];
}

const of = (offers: Offer[], kinds: readonly string[]): Offer[] =>
  offers.filter((o) => kinds.includes(o.do));

/** The part of the claim strip for some of these offers. */
export function partOf(offers: Offer[]): Places["part"] {
  const found = PARTS.find(({ kinds }) => of(offers, kinds).length > 0);
  return found ? { ...found, offers: of(offers, found.kinds) } : null;
}

export function placeOf(offers: Offer[]): Places {
  const found = SHEETS.find(({ kinds }) => of(offers, kinds).length > 0);
  const sheet = found
    ? { component: found.component, tab: found.tab, offers: of(offers, found.kinds) }
    : null;
  const part = sheet ? null : partOf(offers);
  const cities = new Map(
    offers.flatMap((o): [number, Offer][] =>
      IN_CITIES.has(o.do) && o.city !== undefined ? [[o.city, o]] : [],
    ),
  );
  const shown = new Set([...(sheet?.offers ?? []), ...(part?.offers ?? []), ...cities.values()]);
  const plain = offers.filter((o) => !shown.has(o) && !PLACED.has(o.do));
  return { sheet, part, cities, plain };
}
