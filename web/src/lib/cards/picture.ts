/**
 * The picture of a train-car card: colour, symbol, a drawing. Each is made once, as the address of an
 * image: some dozen cards lie on the table, and drawn as elements each would be thirty of them.
 */

import { mix, paintOf } from "$lib/board/colours";
import { stamped } from "$lib/board/paths";
import { faceOf, type Shade } from "./faces";

const GOLD = "#d9c48a";
/** The locomotive's card has all colours of its board, in this order. */
const RAINBOW = ["pink", "blue", "orange", "white", "green", "yellow", "black", "red"];
/** What stands for the locomotive where the pieces are taxis, in a box of 20 by 20. */
const TAXI =
  "M8 3h4v2h2l2 4.5 2.5 1V15h-2a2 2 0 0 1-4 0h-5a2 2 0 0 1-4 0h-2v-4.5l2.5-1L6 5h2zM7 6.5 5.8 9.5h3.7v-3zM10.7 6.5v3h3.5L13 6.5z";

const path = (d: string, looks: string): string => `<path d="${d}" ${looks}/>`;
const box = (x: number, y: number, width: number, height: number, looks: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${looks}/>`;
const card = (fill: string, edge: string): string =>
  box(1, 1, 58, 82, `rx="8" fill="${fill}" stroke="${edge}" stroke-width="2"`);

const back = (): string =>
  card("#1f3c44", "#0f2227") +
  box(5.5, 5.5, 49, 73, `rx="5" fill="none" stroke="${GOLD}" stroke-width="1.2"`) +
  path(
    "M30 14 47 42 30 70 13 42zM30 22l12 20-12 20-12-20zM8 12q6 0 8-5M52 12q-6 0-8-5M8 72q6 0 8 5M52 72q-6 0-8 5",
    'fill="none" stroke="#345c64" stroke-width="1.4"',
  ) +
  path(
    "M30 62V50c0-9-8-9-8-18v-7M30 50c0-9 8-9 8-18v-7",
    `fill="none" stroke="${GOLD}" stroke-width="3.4" stroke-linecap="round"`,
  ) +
  `<circle cx="22" cy="24" r="3.8" fill="${GOLD}"/><circle cx="38" cy="24" r="3.8" fill="${GOLD}"/>`;

function face(name: string, piece: string, colours: readonly string[]): string {
  const { fill, edge, ink, symbol: own } = paintOf(name);
  const loco = name === "locomotive";
  const symbol = loco && piece === "taxi" ? TAXI : own;
  const stripes = RAINBOW.filter((colour) => colours.includes(colour));
  const stripe = 48 / stripes.length;
  const shades: Record<Shade, string> = {
    fill: loco ? "#e8b53a" : fill,
    edge,
    light: mix(fill, "#fffdf6", 0.72),
    dark: mix(edge, "#17130e", 0.65),
    glass: "#d7ecf2",
  };
  const colour = (shade: Shade | ""): string => (shade ? shades[shade] : "none");
  const sign = (x: number, y: number, size: number): string =>
    path(
      stamped(symbol, { x: x - size / 2, y: y - size / 2, size: size / 20 }),
      `fill="${ink}" fill-rule="evenodd"`,
    );
  const lines = (d: string): string =>
    path(d, `stroke="${ink}" stroke-width="1.4" stroke-linecap="round" opacity=".35"`);
  return [
    card(fill, edge),
    // A window on a landscape, with the wagon on its rail.
    box(4.5, 25, 51, 44, `rx="5" fill="${loco ? "#efe4c8" : mix(fill, "#fffdf6", 0.84)}"`),
    path(
      "M4.5 52c8-9 13-9 20-3 6-9 14-10 20-3 4-3 7-3 11 0v11H4.5z",
      `fill="${loco ? "#d9c99c" : mix(fill, "#fffdf6", 0.62)}"`,
    ),
    path(
      "M4.5 57h51v7a5 5 0 0 1-5 5h-41a5 5 0 0 1-5-5z",
      `fill="${mix(shades.light, edge, 0.28)}"`,
    ),
    path("M4.5 59.6h51", `stroke="${shades.dark}" stroke-width="1.6"`),
    '<g transform="translate(30 49.2) scale(.98)" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round">',
    ...faceOf(name, piece).map(([inner, line, d]) =>
      path(d, `fill="${colour(inner)}" stroke="${colour(line)}"`),
    ),
    "</g>",
    box(4.5, 25, 51, 44, `rx="5" fill="none" stroke="${edge}" stroke-width="1.2"`),
    sign(14.5, 14, 16),
    ...(loco
      ? stripes.map((name, k) =>
          box(6 + k * stripe, 73, stripe, 5.5, `fill="${paintOf(name).fill}"`),
        )
      : [lines("M27 11h26M27 17h26M8 76h34"), sign(50, 76, 9)]),
  ].join("");
}

const made = new Map<string, string>();

/** The address of the picture of a kind of card of these colours; without a kind it lies face down. */
export function cardPicture(kind: string, piece: string, colours: readonly string[]): string {
  const key = `${kind} ${piece} ${colours.join()}`;
  const known = made.get(key);
  if (known) return known;
  const drawn = kind ? face(kind, piece, colours) : back();
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 84" width="60" height="84">${drawn}</svg>`;
  const address = `data:image/svg+xml,${encodeURIComponent(text)}`;
  made.set(key, address);
  return address;
}

const held = new Map<string, HTMLImageElement>();

/** Keeps pictures at hand: one that is nowhere on the page would be read anew in the middle of a move. */
export function holdPictures(
  kinds: readonly string[],
  piece: string,
  colours: readonly string[],
): void {
  for (const kind of kinds) {
    const address = cardPicture(kind, piece, colours);
    if (!held.has(address)) held.set(address, Object.assign(new Image(), { src: address }));
  }
}
