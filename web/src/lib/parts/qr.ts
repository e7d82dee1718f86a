/** A text as a QR code. */

import { correction, generate } from "lean-qr";

/** Empty modules that a reader wants around a code. */
const MARGIN = 4;

export interface Qr {
  /** The side of the picture, in modules. */
  size: number;
  /** Path data of the dark modules, one run of a row after the other. */
  path: string;
}

export function qrOf(text: string): Qr {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const runs: string[] = [];
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y) || code.get(x - 1, y)) continue;
      let end = x;
      while (code.get(end, y)) end++;
      runs.push(`M${x + MARGIN} ${y + MARGIN}h${end - x}v1h${x - end}z`);
    }
  return { size: code.size + 2 * MARGIN, path: runs.join("") };
}
