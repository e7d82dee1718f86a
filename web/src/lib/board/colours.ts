/**
 * Colours of cards and seats: every colour has a symbol as well, every seat a shape and a number. They
 * are those of the drawn boards, the same in both themes.
 */

export interface Paint {
  fill: string;
  edge: string;
  ink: string;
  /** Path data in a box of 20 by 20; holes by the even-odd rule. */
  symbol: string;
}

const PAINTS: Record<string, Paint> = {
  pink: {
    fill: "#dc86d8", // between pink and violet: boards call it one or the other
    edge: "#7a2f82",
    ink: "#501757",
    symbol:
      "M10 17.5C3.5 12 2 9 2 6.6A4.3 4.3 0 0 1 10 4.6 4.3 4.3 0 0 1 18 6.6C18 9 16.5 12 10 17.5z",
  },
  blue: {
    fill: "#3f82d6",
    edge: "#173f7a",
    ink: "#ffffff",
    symbol: "M10 1.5C14.2 7.4 16.3 10.3 16.3 12.8a6.3 6.3 0 0 1-12.6 0C3.7 10.3 5.8 7.4 10 1.5z",
  },
  orange: { fill: "#f08c2e", edge: "#87440a", ink: "#4d2400", symbol: "M10 2 19 17.5H1z" },
  white: {
    fill: "#f7f5ef",
    edge: "#7c776a",
    ink: "#6a6558",
    symbol:
      "M10 1.8a8.2 8.2 0 1 0 0 16.4 8.2 8.2 0 0 0 0-16.4zM10 6.4a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2z",
  },
  green: {
    fill: "#4f9d4a",
    edge: "#1f5220",
    ink: "#ffffff",
    symbol: "M2.5 17.5C1.5 8 7 2 17.5 2.5 18 13 12 18.5 2.5 17.5z",
  },
  yellow: {
    fill: "#f5cf3d",
    edge: "#8a6a06",
    ink: "#6b4e00",
    symbol: "M10 1.2l2.6 5.7 6.2.7-4.6 4.2 1.3 6.1L10 14.8l-5.5 3.1 1.3-6.1L1.2 7.6l6.2-.7z",
  },
  black: { fill: "#3b3b42", edge: "#111114", ink: "#e9e9ee", symbol: "M3.2 3.2h13.6v13.6H3.2z" },
  red: {
    fill: "#cf3f36",
    edge: "#6f1511",
    ink: "#ffffff",
    symbol: "M7.2 1.8h5.6v5.4h5.4v5.6h-5.4v5.4H7.2v-5.4H1.8V7.2h5.4z",
  },
  locomotive: {
    fill: "#4a3f70",
    edge: "#241c40",
    ink: "#ffd97a",
    symbol:
      "M2 3.5h7v2H8v3.5h4.6V5.5h-1v-2h4.2v2h-1V9h1.8l1.4 2.2v3.3H2zM3.5 5.5v3h3v-3zM5.2 13a2.6 2.6 0 1 0 .01 0zM12.4 14a2.1 2.1 0 1 0 .01 0zM16.8 14a2.1 2.1 0 1 0 .01 0z",
  },
};

const GRAY: Paint = { fill: "#98958d", edge: "#5c5a54", ink: "#4c4a45", symbol: "" };

export const paintOf = (name: string): Paint => PAINTS[name] ?? GRAY;

/** The name of a kind of card: a colour of the board, or the locomotive after the last. */
export function kindName(colours: string[], kind: number): string {
  if (kind === colours.length) return "locomotive";
  return colours[kind] ?? "gray";
}

/** A colour between two others: `part` of the second. */
export function mix(one: string, two: string, part: number): string {
  const at = (colour: string, k: number): number =>
    parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
  const hex = (k: number): string =>
    Math.round(at(one, k) * (1 - part) + at(two, k) * part)
      .toString(16)
      .padStart(2, "0");
  return `#${hex(0)}${hex(1)}${hex(2)}`;
}

/** A free space: a band of its colour around a hollow, which holds the symbol. */
export interface SlotPaint {
  band: string;
  hollow: string;
  edge: string;
  ink: string;
}

export function slotPaint(name: string, dark: boolean): SlotPaint {
  const { fill, edge } = paintOf(name);
  if (!dark) return { band: fill, hollow: mix(fill, "#fffdf6", 0.8), edge, ink: edge };
  // Black is seen by its light rim.
  if (name === "black")
    return { band: "#0c0d10", hollow: "#24262d", edge: "#b9bbc6", ink: "#e9e9ee" };
  return {
    band: fill,
    hollow: mix(fill, "#14171b", 0.72),
    edge: "#0b0d10",
    ink: mix(fill, "#ffffff", 0.6),
  };
}

/** The colours of a seat's pieces, which no route has, and the shape that they carry. */
export interface SeatPaint {
  fill: string;
  /** Where light falls, where it does not. */
  light: string;
  shade: string;
  /** Of letters and shapes upon the fill. */
  ink: string;
  edge: string;
  /** Stripes of the lighter colour. */
  striped?: boolean;
  /** Path data in a box of 20 by 20. */
  shape: string;
}

const SEATS: [SeatPaint, ...SeatPaint[]] = [
  {
    ...{ fill: "#0c8581", light: "#6fd3cb", shade: "#064f4d", ink: "#ffffff", edge: "#fffdf6" },
    shape: "M10 1.4a8.6 8.6 0 1 0 .01 0z",
  },
  {
    ...{ fill: "#8d1b3d", light: "#d7708d", shade: "#4e0b20", ink: "#ffffff", edge: "#fffdf6" },
    shape: "M10 .2 19.8 10 10 19.8.2 10z",
  },
  {
    ...{ fill: "#6a3ec6", light: "#b39cf0", shade: "#3b1f7c", ink: "#ffffff", edge: "#fffdf6" },
    shape:
      "M4.6 2h10.8A2.6 2.6 0 0 1 18 4.6v10.8a2.6 2.6 0 0 1-2.6 2.6H4.6A2.6 2.6 0 0 1 2 15.4V4.6A2.6 2.6 0 0 1 4.6 2z",
  },
  {
    ...{ fill: "#1c2f63", light: "#7d95d6", shade: "#0b1530", ink: "#ffffff", edge: "#fffdf6" },
    shape: "M1.8 2h16.4v8.4c0 4.4-3.4 7.6-8.2 9.2-4.8-1.6-8.2-4.8-8.2-9.2z",
  },
  {
    ...{ fill: "#e79a12", light: "#fff4d8", shade: "#8b5400", ink: "#3a2100", edge: "#3a2100" },
    striped: true,
    shape: "M5.2 1.4h9.6L19.8 10l-5 8.6H5.2L.2 10z",
  },
];

export const seatPaint = (seat: number): SeatPaint =>
  SEATS[Math.max(0, seat) % SEATS.length] ?? SEATS[0];
