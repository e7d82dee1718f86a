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

/** A command with the points that it goes through, none relative to the last, or with its arc. */
interface Step {
  command: string;
  points: readonly number[];
  arc?: { r: number; large: number; sweep: number; dx: number; dy: number };
}

/** How many numbers a command takes. */
const TAKES: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7, Z: 0 };

const known = new Map<string, Step[]>();

/** The steps of a path. A few paths are stamped a thousand times, so each is read once. */
function stepsOf(d: string): Step[] {
  let steps = known.get(d);
  if (!steps) known.set(d, (steps = read(d)));
  return steps;
}

function read(d: string): Step[] {
  const steps: Step[] = [];
  /** Where the pen is, and where the line began. */
  let [u, v, u0, v0] = [0, 0, 0, 0];
  const go = (letter: string, numbers: number[]): void => {
    const command = letter.toUpperCase();
    const [left, top] = letter === command ? [0, 0] : [u, v];
    const n = (k: number): number => numbers[k] ?? 0;
    if (command === "Z") {
      [u, v] = [u0, v0];
      steps.push({ command, points: [] });
    } else if (command === "A") {
      const [dx, dy] = [left + n(5) - u, top + n(6) - v];
      steps.push({ command: "a", points: [], arc: { r: n(0), large: n(3), sweep: n(4), dx, dy } });
      [u, v] = [u + dx, v + dy];
    } else {
      const points =
        command === "H"
          ? [left + n(0), v]
          : command === "V"
            ? [u, top + n(0)]
            : numbers.map((number, k) => number + (k % 2 ? top : left));
      [u, v] = [points.at(-2) ?? u, points.at(-1) ?? v];
      if (command === "M") [u0, v0] = [u, v];
      steps.push({ command: "HV".includes(command) ? "L" : command, points });
    }
  };
  for (const [, letter = "", rest = ""] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const takes = TAKES[letter.toUpperCase()] ?? 0;
    const next = letter === "M" ? "L" : letter === "m" ? "l" : letter;
    for (let k = 0; k === 0 || k < numbers.length; k += takes || 1)
      go(k === 0 ? letter : next, numbers.slice(k, k + takes));
  }
  return steps;
}

const HUNDREDTH = 100;
const short = (value: number): number => Math.round(value * HUNDREDTH) / HUNDREDTH;
/** The two ends of a circle drawn as one arc are so near that hundredths would turn it. */
const FINE = 1e5;
const fine = (value: number): number => Math.round(value * FINE) / FINE;

/** The path as it is there. Arcs must be parts of circles. */
export function stamped(d: string, { x, y, turn = 0, size = 1, mirror = false }: Stamp): string {
  const angle = (turn * Math.PI) / 180;
  const cos = Math.cos(angle) * size;
  const sin = Math.sin(angle) * size;
  const up = mirror ? -1 : 1;
  let out = "";
  for (const { command, points, arc } of stepsOf(d)) {
    out += command;
    for (let k = 0; k < points.length; k += 2) {
      const u = points[k] ?? 0;
      const v = (points[k + 1] ?? 0) * up;
      if (k > 0) out += " ";
      out += `${short(x + cos * u - sin * v)} ${short(y + sin * u + cos * v)}`;
    }
    if (arc) {
      const { r, large, sweep, dx } = arc;
      const dy = arc.dy * up;
      const round = short(r * size);
      out += `${round} ${round} 0 ${large} ${mirror ? 1 - sweep : sweep} `;
      out += `${fine(cos * dx - sin * dy)} ${fine(sin * dx + cos * dy)}`;
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
