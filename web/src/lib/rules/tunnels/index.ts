/** Tunnels: the deck decides what they cost. */

import { value, values } from "$lib/game/events";
import type { Example } from "$lib/rulebook/example";
import { cardsTo } from "../basic/events";
import type { RuleDisplay } from "../rule";
import { GIVEN_UP, PICK } from "./sounds";
import TunnelNews from "./TunnelNews.svelte";
import TunnelScene from "./TunnelScene.svelte";

const EXAMPLE: Example = {
  name: "tunnel",
  tracks: [{ from: [40, 40], to: [160, 40], n: 2, colour: "red", tunnel: true }],
  cards: ["red", "red", "→", "red", "green", "locomotive"],
};

export default {
  rule: "tunnels",
  parts: [
    {
      kinds: ["tunnel", "back_off"],
      scene: TunnelScene,
      short: { back_off: "pay.take_back" },
    },
  ],
  hints: [
    {
      name: "tunnel",
      fits: ({ claim, table }) => table.board?.route_list[claim.chosen ?? -1]?.tunnel === true,
      at: ({ claim }) => `[data-route="${claim.chosen}"]`,
    },
  ],
  phases: { tunnel: { laid: true, route: true } },
  events: {
    TunnelTried: {
      beat: 700,
      route: true,
      detail: TunnelNews,
      flights: (event, { home }) =>
        cardsTo(`route-${value(event, "route")}`, values(event, "cards"), (kind) =>
          home(event.seat, kind),
        ),
    },
    TunnelCardTurnedUp: {
      beat: 650,
      surprise: true,
      minor: true,
      sounds: () => [[PICK, 0]],
    },
    TunnelCardsDiscarded: { minor: true },
    TunnelGivenUp: { beat: 900, sounds: () => [[GIVEN_UP, 0]] },
  },
  /** Who drove the most tunnels through. */
  award: ({ board, replay, result }) => {
    const driven = result.scores.map(() => 0);
    for (const { event, seat, values } of replay.steps.flatMap(({ events }) => events))
      if (event === "RouteClaimed" && board.route_list[Number(values["route"])]?.tunnel)
        driven[seat] = (driven[seat] ?? 0) + 1;
    const n = Math.max(...driven);
    const seat = driven.indexOf(n);
    return n > 0 && driven.lastIndexOf(n) === seat ? { name: "tunnels", seat, n } : null;
  },
  examples: { "EU-1": [EXAMPLE], "NO-5": [EXAMPLE] },
} satisfies RuleDisplay;
