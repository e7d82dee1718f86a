/** SHA-256 of a text. Browsers offer it on secure pages only, and a table at home has no https. */

/** The first 32 bits of the fractional part of a root. */
const fraction = (x: number): number => Math.floor((x - Math.floor(x)) * 2 ** 32) >>> 0;

const PRIMES = Array.from({ length: 312 }, (_, k) => k).filter(
  (n) => n > 1 && !Array.from({ length: n }, (_, k) => k).some((k) => k > 1 && n % k === 0),
);
const START = PRIMES.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const ROUNDS = PRIMES.slice(0, 64).map((p) => fraction(Math.cbrt(p)));

const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const all = new Uint8Array(length);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(length - 4, (bytes.length * 8) >>> 0);
  return view;
}

type Words = number[] | Uint32Array;
const at = (words: Words, k: number): number => words[k] ?? 0;

function compress(hash: Uint32Array, block: DataView, start: number): void {
  const w = new Uint32Array(64);
  for (let k = 0; k < 16; k++) w[k] = block.getUint32(start + 4 * k);
  for (let k = 16; k < 64; k++) {
    const [x, y] = [at(w, k - 15), at(w, k - 2)];
    const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[k] = at(w, k - 16) + low + at(w, k - 7) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let k = 0; k < 64; k++) {
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + at(ROUNDS, k) + at(w, k)) | 0;
    const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((x, k) => (hash[k] = at(hash, k) + x));
}

export function sha256(text: string): string {
  const hash = Uint32Array.from(START);
  const data = padded(new TextEncoder().encode(text));
  for (let k = 0; k < data.byteLength; k += 64) compress(hash, data, k);
  return [...hash].map((x) => x.toString(16).padStart(8, "0")).join("");
}
