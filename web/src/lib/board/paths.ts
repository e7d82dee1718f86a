/**
 * Path data put in its place: moved, turned, made larger. A picture that is stamped this way many
 * times is one path; as an element with a `transform` each stamp would be a layer that the browser
 * has to put together again at every change. Pure.
 */

export interface Stamp {
  x: number;
  y: number;
  /** In degrees, clockwise. */
  turn?: number;
  size?: number;
  /** Upside down, before it is turned. */
  mirror?: boolean;
}

type Segment = [letter: string, numbers: number[]];

/** How many numbers a command takes. */
const TAKES: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7, Z: 0 };

const parsed = new Map<string, Segment[]>();

function parse(d: string): Segment[] {
  const known = parsed.get(d);
  if (known) return known;
  const found: Segment[] = [];
  for (const [, letter = "", rest = ""] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const takes = TAKES[letter.toUpperCase()] ?? 0;
    const next = letter === "M" ? "L" : letter === "m" ? "l" : letter;
    for (let k = 0; k === 0 || k < numbers.length; k += takes || 1)
      found.push([k === 0 ? letter : next, numbers.slice(k, k + takes)]);
  }
  parsed.set(d, found);
  return found;
}

const HUNDREDTH = 100;
const short = (value: number): number => Math.round(value * HUNDREDTH) / HUNDREDTH;
/** The two ends of a circle drawn as one arc are so near that hundredths would turn it. */
const FINE = 1e5;
const fine = (value: number): number => Math.round(value * FINE) / FINE;

/** The path as it is there. Arcs must be parts of circles. */
export function stamped(d: string, { x, y, turn = 0, size = 1, mirror = false }: Stamp): string {
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) * size, Math.sin(angle) * size];
  const up = mirror ? -1 : 1;
  const moved = (u: number, v: number): [number, number] => [
    cos * u - sin * v * up,
    sin * u + cos * v * up,
  ];
  const at = (u: number, v: number): string => {
    const [dx, dy] = moved(u, v);
    return `${short(x + dx)} ${short(y + dy)}`;
  };
  /** Where the pen is, and where the line began. */
  let [u, v, u0, v0] = [0, 0, 0, 0];
  let out = "";
  for (const [letter, numbers] of parse(d)) {
    const command = letter.toUpperCase();
    const [left, top] = letter === command ? [0, 0] : [u, v];
    const n = (k: number): number => numbers[k] ?? 0;
    switch (command) {
      case "Z":
        [u, v] = [u0, v0];
        out += "Z";
        break;
      case "H":
        u = left + n(0);
        out += `L${at(u, v)}`;
        break;
      case "V":
        v = top + n(0);
        out += `L${at(u, v)}`;
        break;
      case "A": {
        const [dx, dy] = moved(left + n(5) - u, top + n(6) - v);
        const sweep = mirror ? 1 - n(4) : n(4);
        const r = short(n(0) * size);
        out += `a${r} ${r} 0 ${n(3)} ${sweep} ${fine(dx)} ${fine(dy)}`;
        [u, v] = [left + n(5), top + n(6)];
        break;
      }
      default: {
        out += command;
        for (let k = 0; k < numbers.length; k += 2)
          out += `${k ? " " : ""}${at(left + n(k), top + n(k + 1))}`;
        [u, v] = [left + n(numbers.length - 2), top + n(numbers.length - 1)];
        if (command === "M") [u0, v0] = [u, v];
      }
    }
  }
  return out;
}

/** A box with round corners, clockwise from the upper left. */
export const box = (x: number, y: number, width: number, height: number, r: number): string =>
  `M${x + r} ${y}H${x + width - r}a${r} ${r} 0 0 1 ${r} ${r}V${y + height - r}a${r} ${r} 0 0 1 ${-r} ${r}` +
  `H${x + r}a${r} ${r} 0 0 1 ${-r} ${-r}V${y + r}a${r} ${r} 0 0 1 ${r} ${-r}z`;

export const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;
