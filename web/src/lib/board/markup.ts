/**
 * Painted paths as markup. A board has up to a thousand of them, and they are replaced rather than
 * changed: the browser reads them from one text much sooner than a component makes each. Pure.
 */

import type { Part } from "./pieces";

const SPECIAL: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

/** An attribute; nothing without a value. Boards come from files, so nothing in them is markup. */
const attribute = (name: string, value: string | number | undefined): string =>
  value === undefined
    ? ""
    : ` ${name}="${String(value).replace(/[&"<>]/g, (sign) => SPECIAL[sign] ?? "")}"`;

function markupOf({ name, d, fill, stroke, width, opacity, dash, round, holes }: Part): string {
  const line =
    stroke === undefined
      ? ""
      : attribute("stroke", stroke) +
        attribute("stroke-width", width) +
        attribute("stroke-opacity", opacity) +
        attribute("stroke-dasharray", dash) +
        attribute("stroke-linecap", round && "round") +
        attribute("stroke-linejoin", round === "all" ? "round" : undefined);
  const area =
    attribute("fill", fill ?? "none") +
    attribute("fill-opacity", fill && opacity) +
    attribute("fill-rule", holes ? "evenodd" : undefined);
  return `<path${attribute("class", name)}${attribute("d", d)}${area}${line}/>`;
}

/** They lie one above the other. */
export const markup = (parts: readonly Part[]): string => parts.map(markupOf).join("");
