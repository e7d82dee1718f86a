/** What the rules of a board keep on the table, as lists of sentences. */

import { paramsOf, type BoardFacts } from "$lib/api/facts";
import type { SeatInfo } from "$lib/api/messages";
import { field, ofSeat, type View } from "$lib/game/view";
import { festivals as worths, matLines, rankPoints, spotOwners, standings } from "$lib/game/worth";
import { inLanguage, t } from "$lib/words/words.svelte";

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
  if (!paramsOf(board, "festivals")) return [];
  const all = worths(board, view, me, seats);
  const lie = all.filter(({ lying }) => lying > 0);
  const own = all.filter(({ mine }) => mine > 0);
  return [
    {
      title: t("text.piles"),
      items: lie.map(
        ({ name, lying, then, now }) =>
          `${name}: ${lying}${me < 0 ? "" : ` (${t("festivals.adds", { n: then - now })})`}`,
      ),
    },
    ...(me < 0
      ? []
      : [
          {
            title: t("festivals.title"),
            items: own.map(({ name, mine, now, scores }) =>
              t("festivals.held", { name, n: mine, size: scores.length, points: now }),
            ),
          },
        ]),
    {
      title: t("festivals.charts"),
      items: all.map(({ name, scores }) => `${name}: ${scores.join(", ")}`),
    },
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
  if (!paramsOf(board, "province_mat")) return [];
  const who = (seat: number): string => seats[seat]?.name ?? "";
  const items = matLines(board).map((line, k) => {
    const name = inLanguage(line);
    const owners = spotOwners(board, view, k);
    const taken = line.spots.flatMap((worth, j) =>
      (owners[j] ?? 0) > 0 ? [`${worth} ${who((owners[j] ?? 0) - 1)}`] : [],
    );
    const free = line.spots.filter((_, j) => (owners[j] ?? 0) === 0);
    const ranked = standings(board, view, k).map(({ seat, rank, sum, points }) =>
      t("mat.ranked", { name: who(seat), rank, sum, points }),
    );
    return [
      `${name} (${t(`colour.${line.colour}`)}): ${taken.join(", ") || "–"}`,
      t("mat.free", { spots: free.join(", ") || "–" }),
      ...ranked,
    ].join("; ");
  });
  const points = rankPoints(board, seats.length).join(", ");
  return [{ title: t("mat.title"), items: [...items, t("mat.ranks", { points })] }];
}

function attractions(board: BoardFacts): Special[] {
  const cities = paramsOf(board, "attractions")?.["cities"] as string[] | undefined;
  if (!cities) return [];
  return [{ title: t("special.attractions"), items: cities.map((id) => cityName(board, id)) }];
}
