/** Where each offer is shown. Pure: whatever has no place of its own becomes a plain button. */

import type { Offer } from "$lib/api/messages";
import { IN_CITIES, PLACED, SHEETS } from "$lib/rules/registry";
import type { DecisionSheet } from "$lib/rules/rule";

export interface Places {
  /** The sheet for the decision, with its offers. */
  sheet: { component: DecisionSheet["component"]; offers: Offer[] } | null;
  /** Offers that are chosen by a city of the board. */
  cities: Map<number, Offer>;
  /** Offers without a place of their own. */
  plain: Offer[];
}

export function placeOf(offers: Offer[]): Places {
  const of = (kinds: readonly string[]): Offer[] => offers.filter((o) => kinds.includes(o.do));
  const found = SHEETS.find(({ kinds }) => of(kinds).length > 0);
  const sheet = found ? { component: found.component, offers: of(found.kinds) } : null;
  const cities = new Map(
    offers.flatMap((o): [number, Offer][] =>
      IN_CITIES.has(o.do) && o.city !== undefined ? [[o.city, o]] : [],
    ),
  );
  const shown = new Set([...(sheet?.offers ?? []), ...cities.values()]);
  const onSheets = new Set(SHEETS.flatMap(({ kinds }) => kinds));
  const plain = offers.filter(
    (o) => !shown.has(o) && (!PLACED.has(o.do) || onSheets.has(o.do) || IN_CITIES.has(o.do)),
  );
  return { sheet, cities, plain };
}
