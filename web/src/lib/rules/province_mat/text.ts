/** The Province mat in sentences. */

import { inLanguage, labelled, t } from "$lib/words/words.svelte";
import type { Situation, TextSection } from "../rule";
import { matLines, rankPoints, spotOwners, standings } from "./lines";

export function text({ board, view, seats }: Situation): TextSection[] {
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
      labelled(`${name} (${t(`colour.${line.colour}`)})`, taken.join(", ") || "–"),
      t("mat.free", { spots: free.join(", ") || "–" }),
      ...ranked,
    ].join("; ");
  });
  const points = rankPoints(board, seats.length).join(", ");
  return [{ title: t("mat.title"), items: [...items, t("mat.ranks", { points })] }];
}
