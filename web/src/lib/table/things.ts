/** What lies on the board beside routes, in words: festival cards, attractions, stations. */

import type { Drawing } from "$lib/api/drawing";
import { paramsOf, type BoardFacts } from "$lib/api/facts";
import type { SeatInfo } from "$lib/api/messages";
import { festivalSets, pilePlace, type Thing } from "$lib/board/places";
import { field, type View } from "$lib/game/view";
import { t } from "$lib/words/words.svelte";

/** The rule of a board, as it is cited. */
const cite = (board: BoardFacts, rule: string, usual: string): string =>
  (paramsOf(board, rule)?.["cite"] as string | undefined) ?? usual;

const cityName = (board: BoardFacts, id: string): string =>
  board.city_list.find((city) => city.id === id)?.name ?? id;

export function thingsOf(
  board: BoardFacts,
  drawing: Drawing,
  view: View,
  seats: SeatInfo[],
): Thing[] {
  const piles = field(view, "festival_piles");
  const festivals = festivalSets(board).map((set, k): Thing => {
    const n = piles[k] ?? 0;
    const place = set.cities.map((id) => cityName(board, id)).join("/");
    return {
      id: `festival-${set.id}`,
      ...pilePlace(drawing, set),
      r: 15,
      text: t(n > 0 ? "thing.festival" : "thing.no_festival", { n, place }),
      rule: cite(board, "festivals", "IB-6"),
    };
  });
  const attractions = (drawing.places ?? [])
    .filter((place) => place.rule === "attractions")
    .map((place): Thing => ({
      id: `attraction-${place.id}`,
      x: place.x,
      y: place.y,
      r: place.width / 2,
      text: t("thing.attraction", { place: cityName(board, place.id) }),
      rule: cite(board, "attractions", "NY-5"),
    }));
  const stations = field(view, "stations").flatMap((owner, k): Thing[] => {
    const city = board.city_list[k];
    const place = city ? drawing.cities[city.id] : undefined;
    if (owner === 0 || !city || !place) return [];
    const name = seats[owner - 1]?.name ?? "";
    return [
      {
        id: `station-${city.id}`,
        x: place.x,
        y: place.y,
        r: 14,
        text: t("thing.station", { name, place: city.name }),
        rule: cite(board, "stations", "EU-1"),
      },
    ];
  });
  return [...festivals, ...attractions, ...stations];
}
