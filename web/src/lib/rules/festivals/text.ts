/** The festivals in sentences. */

import { labelled, t } from "$lib/words/words.svelte";
import type { Situation, TextSection } from "../rule";
import { festivalWorths } from "./sets";

export function text({ board, view, me, seats }: Situation): TextSection[] {
  const all = festivalWorths(board, view, me, seats.length);
  const lie = all.filter(({ lying }) => lying > 0);
  const own = all.filter(({ mine }) => mine > 0);
  return [
    {
      title: t("text.piles"),
      items: lie.map(({ name, lying, then, now }) => {
        const adds = me < 0 ? "" : ` (${t("festivals.adds", { n: then - now })})`;
        return labelled(name, `${lying}${adds}`);
      }),
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
      items: all.map(({ name, scores }) => labelled(name, scores.join(", "))),
    },
  ];
}
