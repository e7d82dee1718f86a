/** A picture of the final board with the scores, to keep or to send. Made by the browser alone. */

import { mount, unmount } from "svelte";
import Board from "$lib/board/Board.svelte";
import { seatPaint } from "$lib/board/colours";
import { field } from "$lib/game/view";
import { viewAt } from "$lib/replay/timeline";
import { printed } from "./signed";
import type { Told } from "./told";

/** What a style sheet decides about the look of a drawing; in a picture it has to be in the drawing. */
const LOOKS = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap"],
  ...["stroke-linejoin", "stroke-dasharray", "opacity", "display", "visibility", "filter"],
  ...["font-family", "font-size", "font-weight", "font-style", "letter-spacing", "text-anchor"],
  ...["paint-order", "transform", "transform-origin", "transform-box", "mix-blend-mode"],
];

export interface Score {
  seat: number;
  name: string;
  points: number;
  won: boolean;
}

const WIDTH = 1600;
const ROW = 64;
const PAD = 36;

/** A copy of a drawing as it looks now. */
function copyOf(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [drawing.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((element, k) => {
    const [look, target] = [getComputedStyle(element), to[k]];
    if (!(target instanceof SVGElement)) return;
    for (const name of LOOKS) target.style.setProperty(name, look.getPropertyValue(name));
    target.style.setProperty("animation", "none");
  });
  return copy;
}

/** The page's own faces as rules that bring them along: a picture can't ask for a file. */
async function faces(): Promise<string> {
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule);
  const brought = rules.map(async ({ cssText, parentStyleSheet }) => {
    const [whole = "", address = ""] = /url\("?([^")]+)"?\)/.exec(cssText) ?? [];
    if (!address || address.startsWith("data:")) return cssText;
    const file = await fetch(new URL(address, parentStyleSheet?.href ?? location.href));
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return cssText.replace(whole, `url("data:font/woff2;base64,${btoa(text)}")`);
  });
  return (await Promise.all(brought)).join("\n");
}

const frame = (): Promise<number> => new Promise(requestAnimationFrame);

/**
 * The final board as a document of its own. The one on the table won't do: it has the reader's own marks,
 * and names for the size of the window. So another one is made, out of sight and as large as the picture.
 */
async function boardOf({ board, drawing, replay }: Told): Promise<string> {
  const view = viewAt(replay, replay.steps.length - 1);
  const target = document.createElement("div");
  target.inert = true;
  target.style.cssText = `position: fixed; left: 100%; width: ${WIDTH}px`;
  target.style.aspectRatio = `${drawing.width} / ${drawing.height}`;
  document.body.append(target);
  const owner = field(view, "owner");
  const shown = mount(Board, { target, props: { board, drawing, view, owner } });
  try {
    await frame(); // in which it is told its size
    await frame();
    return await standAlone([...target.querySelectorAll<SVGSVGElement>(".ground > svg")]);
  } finally {
    void unmount(shown);
    target.remove();
  }
}

/** Drawings that lie on each other, as one document. */
async function standAlone([drawing, ...above]: SVGSVGElement[]): Promise<string> {
  if (!drawing) throw new Error("no drawing");
  const copy = copyOf(drawing);
  for (const one of above) copy.append(...copyOf(one).childNodes);
  for (const other of copy.querySelectorAll("foreignObject, script, .parade")) other.remove();
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.removeAttribute("style");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = await faces();
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

async function imageOf(text: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}

/** Draws the board above a line of scores; resolves with a PNG. */
export async function pictureOf(told: Told, scores: readonly Score[]): Promise<Blob> {
  const image = await imageOf(await boardOf(told));
  const title = `${told.board.name} · Branchline`;
  const look = getComputedStyle(document.documentElement);
  const colour = (name: string): string => look.getPropertyValue(name).trim() || "#888";
  const height = Math.round((WIDTH * image.height) / image.width);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = height + PAD * 2 + ROW * (1 + Math.ceil(scores.length / 3));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.fillStyle = colour("--bg");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, WIDTH, height);
  pen.textBaseline = "middle";
  pen.fillStyle = colour("--ink");
  pen.font = `700 44px ${colour("--serif")}`;
  pen.fillText(title, PAD, height + PAD + ROW / 2, WIDTH - 2 * PAD);
  const column = (WIDTH - 2 * PAD) / 3;
  scores.forEach(({ seat, name, points, won }, k) => {
    const { fill, ink, shape } = seatPaint(seat);
    const [x, y] = [PAD + (k % 3) * column, height + PAD + ROW * (1.5 + Math.floor(k / 3))];
    pen.save();
    pen.translate(x, y - 22);
    pen.scale(2.2, 2.2); // shapes are drawn in a box of 20 by 20
    pen.fillStyle = fill;
    pen.fill(new Path2D(shape));
    pen.restore();
    pen.fillStyle = ink;
    pen.textAlign = "center";
    pen.font = `700 24px ${colour("--sans")}`;
    pen.fillText(String(seat + 1), x + 22, y + 1);
    pen.textAlign = "start";
    pen.fillStyle = colour("--ink");
    pen.font = `${won ? 700 : 500} 32px ${colour("--sans")}`;
    pen.fillText(`${name}  ${printed(points)}${won ? " ★" : ""}`, x + 58, y + 1, column - 70);
  });
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

/** Hands a picture to the device's own way of sending, or saves it. */
export async function give(picture: Blob, name: string): Promise<void> {
  const file = new File([picture], `${name}.png`, { type: "image/png" });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => undefined);
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
