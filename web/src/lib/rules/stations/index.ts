/** Stations: each lends its owner a route of another player at the end. */

import { paramsOf } from "$lib/api/facts";
import { field, ofSeat } from "$lib/game/view";
import { labelled, t } from "$lib/words/words.svelte";
import { cite } from "../lookup";
import type { Landmark, RuleDisplay } from "../rule";
import Station from "./Station.svelte";
import StationButton from "./StationButton.svelte";
import StationExample from "./StationExample.svelte";
import { ICON } from "./icon";

export default {
  rule: "stations",
  city: Station,
  landmarks: ({ board, view, seats }, drawing) =>
    field(view, "stations").flatMap((owner, k): Landmark[] => {
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
    }),
  figures: ({ view, seats }, seat) =>
    field(view, "stations_left").length === 0
      ? []
      : [
          {
            field: "stations_left",
            label: t("seats.stations"),
            icon: ICON,
            values: [String(ofSeat(view, "stations_left", seat, seats.length)[0] ?? 0)],
          },
        ],
  held: ({ board, view, me, seats }) =>
    Number(paramsOf(board, "stations")?.["unused"] ?? 0) *
    (ofSeat(view, "stations_left", me, seats.length)[0] ?? 0),
  ticketNote: () => t("tickets.stations"),
  actions: [
    {
      kinds: ["station"],
      words: "prompt.way_station",
      notation: () => "station",
      button: StationButton,
      city: true,
    },
  ],
  inCities: ["station_at"],
  phases: { station_city: { callOff: true }, station_pay: { callOff: true, verb: "strip.build" } },
  events: { StationBuilt: { beat: 1000 } },
  scores: {
    station: {
      order: 1,
      column: "stations",
      explains: true,
      shows: (_, { ref, values }) => ({
        routes: typeof values?.["route"] === "number" ? [values["route"]] : [],
        cities: [ref],
      }),
    },
    stations: {
      shows: ({ view, seat }) => ({
        cities: field(view, "stations").flatMap((o, k) => (o === seat + 1 ? [k] : [])),
        counter: "stations_left",
      }),
    },
  },
  text: ({ board, view, seats }) => [
    {
      title: t("seats.stations"),
      items: field(view, "stations").flatMap((owner, city) =>
        owner > 0
          ? [labelled(board.city_list[city]?.name ?? "", seats[owner - 1]?.name ?? "")]
          : [],
      ),
    },
  ],
  examples: {
    "EU-1": [
      {
        name: "station",
        tracks: [
          { from: [20, 40], to: [95, 40], n: 1, colour: "red", owner: 0 },
          { from: [95, 40], to: [180, 40], n: 1, colour: "red", owner: 1 },
        ],
        picture: StationExample,
      },
    ],
  },
} satisfies RuleDisplay;
