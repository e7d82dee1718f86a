/**
 * Spaces and pieces as lists of painted paths, drawn about the middle and headed to the right. They are
 * stamped along a route: all its wagons are one picture. Pure.
 */

import type { RoutePlace } from "$lib/api/drawing";
import type { RouteFacts } from "$lib/api/facts";
import { paintOf, seatPaint, slotPaint, type SeatPaint } from "./colours";
import { box, circle, stamped, type Stamp } from "./paths";

/** A path and how it is painted; nothing is filled or drawn that is not named. */
export interface Part {
  d: string;
  /** The class of the element. */
  name?: string;
  fill?: string;
  stroke?: string;
  width?: number;
  /** Of the fill and of the line. */
  opacity?: number;
  dash?: string;
  /** The ends of the line are round, or its corners as well. */
  round?: "ends" | "all";
  /** What is drawn twice is a hole. */
  holes?: boolean;
}

export interface Pieces {
  slot: (colour: string) => readonly Part[];
  tunnel: readonly Part[];
  engine: readonly Part[];
  wagon: (seat: number) => readonly Part[];
  head: (seat: number) => readonly Part[];
}

/** The same picture at several places, part by part: what lies below lies below everywhere. */
export const stampedParts = (parts: readonly Part[], places: readonly Stamp[]): Part[] =>
  places.length === 0
    ? []
    : parts.map((part) => ({
        ...part,
        d: places.map((place) => stamped(part.d, place)).join(""),
      }));

/** Whether a picture turned by that angle would stand on its head. */
const turned = (angle: number): boolean => angle > 90 || angle <= -90;

/** Where the spaces of a route are: symbols stand upright. */
export const spacesOf = ({ spaces }: RoutePlace): Stamp[] =>
  spaces.map(([x, y, angle]) => ({ x, y, turn: turned(angle) ? angle + 180 : angle }));

/** Where its pieces are: light comes from above, whichever way the train is headed. */
export const trainOf = ({ spaces }: RoutePlace): Stamp[] =>
  spaces.map(([x, y, turn]) => ({ x, y, turn, mirror: turned(turn) }));

/** The free spaces of a route. */
export const spaceParts = (
  pieces: Pieces,
  place: RoutePlace,
  { tunnel, locomotives }: Pick<RouteFacts, "tunnel" | "locomotives">,
  colour: string,
): Part[] => {
  const spaces = spacesOf(place);
  return [
    ...(tunnel ? stampedParts(pieces.tunnel, spaces) : []),
    ...stampedParts(pieces.slot(colour), spaces),
    ...stampedParts(pieces.engine, spaces.slice(0, locomotives)),
  ];
};

/** The train of a seat on a route, and the bed below it. */
export const trainParts = (pieces: Pieces, place: RoutePlace, seat: number): Part[] => {
  const { shade, fill } = seatPaint(seat);
  const train = trainOf(place);
  return [
    { d: place.path, stroke: shade, width: 8.4, round: "ends" },
    { d: place.path, stroke: fill, width: 5.4, round: "ends" },
    ...stampedParts(pieces.wagon(seat), train.slice(0, -1)),
    ...stampedParts(pieces.head(seat), train.slice(-1)),
  ];
};

/** What is made once for each name. */
function kept<Key>(make: (key: Key) => readonly Part[]): (key: Key) => readonly Part[] {
  const made = new Map<Key, readonly Part[]>();
  return (key) => {
    const found = made.get(key) ?? make(key);
    made.set(key, found);
    return found;
  };
}

export function piecesFor(
  car: { length: number; width: number },
  dark: boolean,
  taxis: boolean,
): Pieces {
  const [l, w] = [car.length, car.width];
  const outline = dark ? "#f6efdf" : "#14110d";
  // A piece is half as wide again as a space, and a little longer.
  const [a, b] = [(l + 1) / 2, (w * 1.46) / 2];

  const slot = (colour: string): Part[] => {
    const { band, hollow, edge, ink } = slotPaint(colour, dark);
    const { symbol } = paintOf(colour);
    const sign: Part[] = [
      { d: circle(0, 0, w / 2 - 1.1), fill: hollow },
      { d: stamped(symbol, { x: -4.1, y: -4.1, size: 0.41 }), fill: ink, holes: true },
    ];
    return [
      { name: "car", d: box(-l / 2, -w / 2, l, w, 3), fill: band, stroke: edge, width: 1 },
      { d: box(-l / 2 + 2.9, -w / 2 + 2.7, l - 5.8, w - 5.4, 1.6), fill: hollow },
      ...(symbol ? sign : []),
    ];
  };
  const roof = (paint: SeatPaint, x: number, size: number): Part => ({
    d: stamped(paint.shape, { x: x - size / 2, y: -size / 2, size: size / 20 }),
    fill: paint.striped ? paint.ink : "#fff8e6",
  });
  const body = (paint: SeatPaint, d: string): Part[] => {
    const [tall, foot] = [2 * b - 2, b - 1];
    const stripe = (x: number): string => `M${x} ${foot}l5 ${-tall}h4l-5 ${tall}z`;
    return [
      { d: stamped(d, { x: 1, y: 2.4 }), fill: "#000", opacity: 0.32 },
      { d, fill: paint.fill, stroke: outline, width: 1.7, round: "all" },
      ...(paint.striped ? [{ d: stripe(-13) + stripe(3), fill: "#fff4d8" }] : []),
    ];
  };
  const line = (d: string, stroke: string, width: number, opacity: number): Part => ({
    ...{ d, stroke, width, opacity, round: "all" },
  });
  /** Lines across, at these places. */
  const across = (inset: number, ...at: number[]): string =>
    at.map((x) => `M${x} ${-b + inset}v${2 * (b - inset)}`).join("");

  const taxi = (paint: SeatPaint): Part[] => [
    ...body(
      paint,
      `M${-a + 4} ${-b}H${a - 7}q7 .6 7 ${b - 1}v2q0 ${b - 1.6} -7 ${b - 1}H${-a + 4}` +
        `q-4 0 -4 -4V${-b + 4}q0 -4 4 -4z`,
    ),
    line(`M${-a + 4} ${-b + 2}h${2 * a - 12}`, paint.light, 1.5, 0.8),
    {
      d:
        `M6.5 ${-b + 2.6}q4.4 ${b - 2.6} 0 ${2 * b - 5.2}l-3.6 -1.8q1.6 ${-(b - 4.4)} 0 ${-(2 * b - 8.8)}z` +
        `M-11.5 ${-b + 3}q-2.4 ${b - 3} 0 ${2 * b - 6}l2.6 -1.6q-1.2 ${-(b - 4.6)} 0 ${-(2 * b - 9.2)}z`,
      fill: "#16202b",
      opacity: 0.85,
    },
    line(`M${a - 1.2} ${-b + 4.2}v2.6M${a - 1.2} ${b - 4.2}v-2.6`, "#fff3b8", 1.6, 1),
    roof(paint, -3, 9),
  ];
  const wagon = (paint: SeatPaint): Part[] => [
    { d: `M${-a - 1.8} 0H${a + 1.8}`, stroke: outline, width: 3.2 },
    ...body(paint, box(-a, -b, 2 * a, 2 * b, 2.6)),
    line(`M${-a + 2.6} ${-b + 2.5}H${a - 2.6}`, paint.light, 2.2, 0.75),
    line(`M${-a + 2.6} ${b - 2.3}H${a - 2.6}`, paint.shade, 2.6, 0.75),
    line(across(1.2, -9, 9), paint.shade, 1, 0.65),
    roof(paint, 0, 9),
  ];
  const head = (paint: SeatPaint): Part[] => [
    { d: `M${-a - 1.8} 0H0`, stroke: outline, width: 3.2 },
    ...body(
      paint,
      `M${-a + 2.4} ${-b}H${a - 9}q9 1.4 10 ${b}q-1 ${b - 1.4} -10 ${b}H${-a + 2.4}` +
        `q-2.4 0 -2.4 -2.4V${-b + 2.4}q0 -2.4 2.4 -2.4z`,
    ),
    line(`M-3 ${-b + 3}H${a - 8.4}`, paint.light, 2.6, 0.8),
    line(`M-3 ${b - 2.6}H${a - 8}`, paint.shade, 2.8, 0.8),
    { d: across(1, -4.4), stroke: paint.shade, width: 1.4 },
    { d: circle(a - 7.6, 0, 3.3), fill: "#0f0d0b", stroke: paint.light, width: 1.1 },
    { d: circle(1.4, 0, 2), fill: paint.light, stroke: paint.shade, width: 0.8 },
    { d: circle(a, 0, 1.5), fill: "#ffe9a8", stroke: outline, width: 0.7 },
    roof(paint, -10.4, 8.4),
  ];

  const ink = "#3a3226";
  const around = box(-l / 2 - 2, -w / 2 - 2.2, l + 4, w + 4.4, 4);
  return {
    slot: kept(slot),
    tunnel: [
      // Light dashes need a dark ground where the route is lit.
      ...(dark ? [{ d: around, stroke: "#1d1913", width: 3.4 }] : []),
      { d: around, stroke: dark ? "#e8ddc4" : "#4c4438", width: 2.2, dash: "4.4 2.4" },
    ],
    engine: [
      { d: circle(0, 0, 7), fill: "#fffdf6", stroke: ink, width: 1 },
      {
        d: stamped(paintOf("locomotive").symbol, { x: -5.1, y: -5.1, size: 0.51 }),
        ...{ fill: ink, holes: true },
      },
    ],
    wagon: kept((seat: number) => (taxis ? taxi : wagon)(seatPaint(seat))),
    head: kept((seat: number) => (taxis ? taxi : head)(seatPaint(seat))),
  };
}
