/** What the rules of a board keep on the table, as lists of sentences. */

import { paramsOf, type BoardFacts } from "$lib/api/facts";
import type { SeatInfo } from "$lib/api/messages";
import { field, ofSeat, type View } from "$lib/game/view";
import { lang, t } from "$lib/words/words.svelte";

export interface Special {
  title: string;
  items: string[];
}

export function specials(board: BoardFacts, view: View, seats: SeatInfo[], me: number): Special[] {
  return [
    ...festivals(board, view, seats.length, me),
    ...stations(board, view, seats),
    ...express(board, view, seats),
    ...mat(board, view, seats),
    ...attractions(board),
  ];
}

const cityName = (board: BoardFacts, id: string): string =>
  board.city_list.find((city) => city.id === id)?.name ?? id;

function festivals(board: BoardFacts, view: View, seats: number, me: number): Special[] {
  const sets = paramsOf(board, "festivals")?.["sets"] as { cities: string[] }[] | undefined;
  if (!sets) return [];
  const name = (k: number): string =>
    (sets[k]?.cities ?? []).map((id) => cityName(board, id)).join("/");
  const list = (counts: number[]): string[] =>
    counts.flatMap((n, k) => (n > 0 ? [`${name(k)}: ${n}`] : []));
  const own = me < 0 ? [] : list(ofSeat(view, "festival_cards", me, seats));
  return [
    { title: t("text.piles"), items: list(field(view, "festival_piles")) },
    ...(me < 0 ? [] : [{ title: t("festivals.title"), items: own }]),
  ];
}

function stations(board: BoardFacts, view: View, seats: SeatInfo[]): Special[] {
  if (!paramsOf(board, "stations")) return [];
  const items = field(view, "stations").flatMap((owner, city) =>
    owner > 0 ? [`${board.city_list[city]?.name}: ${seats[owner - 1]?.name}`] : [],
  );
  return [{ title: t("seats.stations"), items }];
}

function express(board: BoardFacts, view: View, seats: SeatInfo[]): Special[] {
  const values = paramsOf(board, "express_cards")?.["values"] as number[] | undefined;
  if (!values) return [];
  const items = seats.map((seat, k) => {
    const left = ofSeat(view, "express", k, seats.length);
    const cards = values.flatMap((value, j) => (left[j] ? [`+${value}`] : []));
    return `${seat.name}: ${cards.join(" ") || "–"}`;
  });
  return [{ title: t("seats.express"), items }];
}

function mat(board: BoardFacts, view: View, seats: SeatInfo[]): Special[] {
  const lines = paramsOf(board, "province_mat")?.["lines"] as
    { colour: string; spots: number[]; en: string; fr?: string }[] | undefined;
  if (!lines) return [];
  const spots = field(view, "mat");
  const width = spots.length / lines.length;
  const items = lines.map((line, k) => {
    const name = (lang() === "fr" && line.fr) || line.en;
    const taken = line.spots.flatMap((worth, j) => {
      const owner = spots[k * width + j] ?? 0;
      return owner > 0 ? [`${worth} ${seats[owner - 1]?.name}`] : [];
    });
    return `${name} (${t(`colour.${line.colour}`)}): ${taken.join(", ") || "–"}`;
  });
  return [{ title: t("mat.title"), items }];
}

function attractions(board: BoardFacts): Special[] {
  const cities = paramsOf(board, "attractions")?.["cities"] as string[] | undefined;
  if (!cities) return [];
  return [{ title: t("special.attractions"), items: cities.map((id) => cityName(board, id)) }];
}
