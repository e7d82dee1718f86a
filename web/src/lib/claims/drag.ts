/** Dragging a card by pointer events, with a mouse or a finger, and what is under it. */

import type { Attachment } from "svelte/attachments";

export interface Dragged {
  x: number;
  y: number;
  /** The route under the card. */
  route: number | null;
  kind?: number;
}

interface Drag {
  /** The card is at a place; null: no longer. */
  ondrag: (at: Dragged | null) => void;
  ondrop: (at: Dragged) => void;
}

/** So far the pointer moves before a press becomes a drag, in pixels. */
const FAR = 9;
/** How far from a route a card may be dropped. */
const NEAR = [0, 9, 18];

/** The route at a place of the window, or the nearest one that is near enough. */
function routeAt(x: number, y: number): number | null {
  for (const far of NEAR)
    for (let turn = 0; turn < (far === 0 ? 1 : 8); turn++) {
      const angle = (turn * Math.PI) / 4;
      const found = document
        .elementFromPoint(x + far * Math.cos(angle), y + far * Math.sin(angle))
        ?.closest<SVGElement>("[data-route]");
      if (found) return Number(found.dataset["route"]);
    }
  return null;
}

/** Lets an element be dragged; a press that hardly moves stays a click. */
export function drag({ ondrag, ondrop }: Drag): Attachment<HTMLElement> {
  return (element) => {
    let from: { x: number; y: number } | null = null;
    let at: Dragged | null = null;
    const place = ({ clientX: x, clientY: y }: PointerEvent): Dragged => ({
      ...{ x, y },
      route: routeAt(x, y),
    });
    const down = (event: PointerEvent): void => {
      if (event.button !== 0) return;
      from = { x: event.clientX, y: event.clientY };
      element.setPointerCapture(event.pointerId); // a quick pointer has left it at once
    };
    const move = (event: PointerEvent): void => {
      if (!from) return;
      if (!at && Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR) return;
      at = place(event);
      ondrag(at);
    };
    const up = (event: PointerEvent): void => {
      const dropped = at && event.type === "pointerup" ? place(event) : null;
      from = at = null;
      if (!dropped) return ondrag(null);
      // The click that ends a drag is none.
      element.addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => element.removeEventListener("click", stop, { capture: true }));
      ondrag(null);
      ondrop(dropped);
    };
    const stop = (event: Event): void => {
      event.stopPropagation();
      event.preventDefault();
    };
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    return () => {
      if (at) ondrag(null);
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", up);
    };
  };
}
