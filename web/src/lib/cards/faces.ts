/**
 * What is drawn on the cards: a wagon for each colour, or a vehicle on boards whose pieces are taxis.
 * A drawing is a list of strokes about the middle, 48 wide, that stands on the line y = 10.
 */

/** Filling, line, path: `fill`, `edge`, `light`, `dark` and `glass` are the card's own shades. */
export type Stroke = [fill: Shade | "", line: Shade | "", path: string];
export type Shade = "fill" | "edge" | "light" | "dark" | "glass";

/** A circle by its middle. */
const circle = (x: number, y: number, r: number): string => `M${x} ${y - r}a${r} ${r} 0 1 0 .01 0z`;

/** Wheels of that radius at these places. */
const wheels = (r: number, ...at: number[]): Stroke[] => [
  ["dark", "", at.map((x) => circle(x, 10 - r, r)).join("")],
  ["light", "", at.map((x) => circle(x, 10 - r, r * 0.4)).join("")],
];
const BOGIES = wheels(3.4, -17, -9.5, 9.5, 17);
const FRAME: Stroke = ["dark", "", "M-24 3h48v2.6h-48z"];
const on = (...strokes: Stroke[]): Stroke[] => [...BOGIES, FRAME, ...strokes];

const TRAINS: Record<string, Stroke[]> = {
  pink: on(
    ["fill", "edge", "M-22-11q0-3 3-3h38q3 0 3 3V3h-44z"],
    ["edge", "", "M-20-14q20-5 40 0z"],
    ["light", "edge", "M-18-9.5h6v6h-6zM-9-9.5h6v6h-6zM0-9.5h6v6H0zM9-9.5h6v6H9z"],
    ["", "light", "M-21-.5h42"],
  ),
  blue: on(
    ["fill", "edge", "M-16-13h32q6 0 6 7.5T16 2h-32q-6 0-6-7.5t6-7.5z"],
    ["light", "edge", "M-4-17h8v4h-8z"],
    ["", "light", "M-17-10h34"],
    ["", "edge", "M-11-13V2M11-13V2"],
  ),
  orange: on(
    ["light", "edge", "M-19-10q6-6 10-3 4-5 9-2 5-4 9 0 5-3 10 5z"],
    ["fill", "edge", "M-23-10h46l-5 13h-36z"],
    ["", "edge", "M-13-10l2 13M0-10V3M13-10l-2 13"],
  ),
  white: on(
    ["fill", "edge", "M-22-14h44V3h-44z"],
    ["edge", "", "M-23-16h46v2.6h-46zM-20-18.5h6v3h-6zM14-18.5h6v3h-6z"],
    ["light", "edge", "M-7-12h7V2h-7zM0-12h7V2H0z"],
    ["", "edge", "M-15-9v8M-18.5-5h7M-17.5-7.8l5 5.6M-12.5-7.8l-5 5.6"],
  ),
  green: on(
    [
      "light",
      "edge",
      "M-16-4.2a3.6 3.6 0 1 0 .01 0zM-8.6-4.2a3.6 3.6 0 1 0 .01 0zM-1.2-4.2a3.6 3.6 0 1 0 .01 0zM6.2-4.2a3.6 3.6 0 1 0 .01 0zM13.6-4.2a3.6 3.6 0 1 0 .01 0z",
    ],
    [
      "fill",
      "edge",
      "M-12.3-10.8a3.6 3.6 0 1 0 .01 0zM-4.9-10.8a3.6 3.6 0 1 0 .01 0zM2.5-10.8a3.6 3.6 0 1 0 .01 0zM9.9-10.8a3.6 3.6 0 1 0 .01 0z",
    ],
    [
      "fill",
      "edge",
      "M-8.6-17.4a3.6 3.6 0 1 0 .01 0zM-1.2-17.4a3.6 3.6 0 1 0 .01 0zM6.2-17.4a3.6 3.6 0 1 0 .01 0z",
    ],
    ["dark", "", "M-22-13h2.4V4H-22zM18-13h2.4V4H18z"],
  ),
  yellow: on(
    ["fill", "edge", "M-22-14h44V3h-44z"],
    ["edge", "", "M-23.5-16.5h47v2.7h-47z"],
    ["light", "edge", "M-8-12.5H8V3H-8z"],
    ["", "edge", "M-8-12.5 8 3M8-12.5-8 3M-15-14V3M15-14V3"],
  ),
  black: on(
    ["dark", "edge", "M-20-11q3-6 7-4 3-5 7-2 4-4 8 0 4-3 8 1 5-3 9 5z"],
    ["fill", "edge", "M-22-11h44V0l-5 3h-34l-5-3z"],
    ["", "light", "M-14-9V1M-5-9V1M5-9V1M14-9V1"],
  ),
  red: on(
    ["fill", "edge", "M-18-10h36V3h-36z"],
    ["fill", "edge", "M-7-17H7v7H-7z"],
    ["edge", "", "M-9-19H9v2.4H-9zM-22-12.4h44v2.6h-44z"],
    [
      "light",
      "edge",
      "M-4.5-15h3.5v3.4h-3.5zM1-15h3.5v3.4H1zM-14-7h6v5h-6zM8-7h6v5H8zM-3-7.5h6V3h-6z",
    ],
    ["", "dark", "M-22-10V3M22-10V3M-23-4h4M19-4h4"],
  ),
  locomotive: [
    ...wheels(4.6, -13, -3),
    ...wheels(3, 7, 14.5),
    ["dark", "", "M-23 3h46l2 3h-6l-1-1.5h-41z"],
    ["edge", "dark", "M-23-15h14V3h-14z"],
    ["edge", "dark", "M-9-9h24q5 0 5 6t-5 6H-9z"],
    ["fill", "dark", "M-25-18h18v3h-18zM-4-12h6v3h-6zM10-17h6l1-3h-8zM11-17h4.5v8H11z"],
    ["glass", "", "M-20-12h7v6h-7z"],
    ["", "fill", "M-2-9V3M6-9V3M-8-5.5h26"],
    ["fill", "dark", "M20-5a2 2 0 1 0 .01 0z"],
    ["", "dark", "M-14 5.5h13"],
  ],
};

const VEHICLES: Record<string, Stroke[]> = {
  pink: [
    ["fill", "edge", "M-22-14H6v19h-28zM6-9h9l6 8v6H6z"],
    ["glass", "edge", "M9-7h5l4 6H9z"],
    ["light", "edge", "M-17-9H1v6h-18z"],
    ["light", "", "M-14-15q3-4 6 0 3-4 6 0z"],
    ...wheels(4, -14, 13),
  ],
  blue: [
    ["fill", "edge", "M-23-14q0-3 3-3h40q3 0 3 3V5h-46z"],
    [
      "glass",
      "edge",
      "M-20-13h7v7h-7zM-10.5-13h7v7h-7zM-1-13h7v7h-7zM8.5-13h5v15h-5zM16-13h7v8h-7z",
    ],
    ["", "light", "M-22-2h29"],
    ...wheels(4, -14, 5),
  ],
  orange: [
    ["", "edge", "M-13 5-5-8H8M-5-8l6 13 7-13 5 13M1 5h-14M-8-8h6M8-8l-2-5h6"],
    ["fill", "edge", "M-12-9q3-3 8 0l-4 2zM10-14h6v3h-6z"],
    ["", "dark", "M-13-2.5a6.3 6.3 0 1 0 .01 0zM13-2.5a6.3 6.3 0 1 0 .01 0z"],
    ["fill", "edge", "M1 3a2 2 0 1 0 .01 0z"],
  ],
  green: [
    ["light", "edge", "M-22-12H4v13h-26z"],
    ["fill", "edge", "M-22-9q8-7 17-5 6 1 9 5V3h-26zM5-10h8l7 8v7H5z"],
    ["glass", "edge", "M8-8h4l5 6H8z"],
    ["dark", "", "M-23 3h44v2.5h-44z"],
    ...wheels(4, -15, -5, 13),
  ],
  black: [
    ["fill", "edge", "M-24-1q0-5 5-5l4-6q1-2 3-2H8q3 0 5 3l3 5q7 0 8 5v5h-48z"],
    ["glass", "light", "M-14-6.5l3.5-5H-4v5zM-1-11.5h6v5h-6zM8-11.5q2 0 3 2l2 3H8z"],
    ["", "light", "M-23-2h46"],
    ...wheels(4, -15, 15),
  ],
  red: [
    ["fill", "edge", "M-23-8h29v13h-29zM6-14h11l5 7V5H6z"],
    ["glass", "edge", "M9-11.5h6l3 5H9z"],
    ["light", "edge", "M-23-12.5H6v2.6h-29z"],
    ["", "edge", "M-19-12.5v2.6M-13-12.5v2.6M-7-12.5v2.6M-1-12.5v2.6M-16-8V3M-8-8V3M0-8V3"],
    ["light", "edge", "M9-17h5v3H9z"],
    ...wheels(4, -15, 14),
  ],
  white: [
    ["fill", "edge", "M-22-14H8v19h-30zM8-10h7l7 8v7H8z"],
    ["glass", "edge", "M10-8h4l5 6h-9z"],
    ["edge", "", "M-9-11h4v3.5h3.5v4h-3.5V0h-4v-3.5h-3.5v-4H-9z"],
    ...wheels(4, -14, 14),
  ],
  yellow: [
    ["fill", "edge", "M-22-15H9q3 0 3 3v4h7q4 0 4 5v8h-45z"],
    ["glass", "edge", "M-19-12h6v6h-6zM-10-12h6v6h-6zM-1-12h6v6h-6z"],
    ["", "edge", "M-22-2.5h34"],
    ...wheels(4, -14, 15),
  ],
  locomotive: [
    ["fill", "dark", "M-24-1q0-4 5-5l5-6q1-2 3-2H5q3 0 5 2l5 6q8 0 9 5v6h-48z"],
    ["glass", "dark", "M-13-6.5l4-5h6v5zM0-11.5h5q1.5 0 2.5 1.5l3 3.5H0z"],
    ["light", "dark", "M-5-18h9v4h-9z"],
    [
      "dark",
      "",
      "M-22-3h4v2.5h-4zM-14-3h4v2.5h-4zM-6-3h4v2.5h-4zM2-3h4v2.5H2zM10-3h4v2.5h-4zM-18-.5h4V2h-4zM-10-.5h4V2h-4zM-2-.5h4V2h-4zM6-.5h4V2H6zM14-.5h4V2h-4z",
    ],
    ...wheels(4.2, -14, 14),
  ],
};

const SETS: Record<string, Record<string, Stroke[]>> = { taxi: VEHICLES };

/** The drawing of a kind of card on a board that calls its pieces by that word. */
export const faceOf = (name: string, piece: string): Stroke[] =>
  (SETS[piece] ?? TRAINS)[name] ?? TRAINS["yellow"] ?? [];
