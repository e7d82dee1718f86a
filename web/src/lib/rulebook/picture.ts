/** Where the tracks of an example lie in its picture. Pure. */

import type { RoutePlace } from "$lib/api/drawing";
import type { Example, Point, Track } from "./example";

/** Around a city. */
const RIM = 8;
/** From the cities and spaces to the edges of the picture. */
const MARGIN: Point = [8, 12];

/** Where a track lies: its spaces stand between the rims of its cities. */
export function placeOf({ from, to, n, beside = 0 }: Track): RoutePlace {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(dx, dy);
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  const at = (way: number): Point => [
    from[0] + (dx * way - dy * beside) / far,
    from[1] + (dy * way + dx * beside) / far,
  ];
  const spaces = Array.from({ length: n }, (_, j): [number, number, number] => [
    ...at(RIM + (far - 2 * RIM) * ((j + 0.5) / n)),
    angle,
  ]);
  const path = `M${[from, at(RIM), at(far - RIM), to].map((point) => point.join(" ")).join("L")}`;
  return { between: ["", ""], path, spaces };
}

/** The cities of the tracks, each once. */
export const citiesOf = (tracks: readonly Track[]): Point[] => [
  ...new Map(tracks.flatMap(({ from, to }) => [from, to]).map((p) => [p.join(), p])).values(),
];

/** The part of the plane that the picture shows: left, top, width and height. */
export function boxOf({ tracks = [], reach = [] }: Example): [number, number, number, number] {
  const spaces = tracks.flatMap((track) => placeOf(track).spaces);
  const points = [...citiesOf(tracks), ...spaces, ...reach];
  const ends = ([0, 1] as const).map((k) => {
    const along = points.map((point) => point[k]);
    return [Math.min(...along) - MARGIN[k], Math.max(...along) + MARGIN[k]] as const;
  });
  const [[left, right], [top, bottom]] = ends as [Point, Point];
  return [left, top, right - left, bottom - top];
}
