/** The part of the board in sight: moved and zoomed by mouse, fingers and keys. */

import type { Drawing } from "$lib/api/drawing";
import {
  clamp,
  pan,
  pinch,
  reveal,
  revealAll,
  zoomAt,
  type Insets,
  type Size,
  type Viewport,
} from "./viewport";

interface Spot {
  x: number;
  y: number;
}

/** A pointer that has moved further than this, in pixels, drags the board. */
const DRAG = 6;

export class Camera {
  view = $state.raw<Viewport>({ x: 0, y: 0, k: 1 });
  /** Of the frame: most boards fill the window, and a wrong size would lay out all of it twice. */
  size = $state.raw<Size>({ width: innerWidth, height: innerHeight });
  dragging = $state(false);
  /** The reader has moved the board. */
  touched = $state(false);
  /** What came down last. */
  kind: "mouse" | "touch" = "mouse";
  #fingers = new Map<number, Spot>();
  #moved = 0;

  constructor(
    private readonly frame: () => HTMLElement,
    private readonly drawing: () => Drawing,
    /** What lies above the board at each edge. */
    private readonly room: () => Insets,
  ) {}

  /** Whether the last press was a click rather than the beginning of a drag. */
  get clicked(): boolean {
    return this.#moved <= DRAG;
  }

  set(next: Viewport): void {
    this.touched = true;
    this.view = this.#held(next);
  }

  /** Shows the board as it begins, unless the reader has moved it. */
  begin(first: Viewport): void {
    this.view = this.touched ? this.#held(this.view) : first;
  }

  #held(view: Viewport): Viewport {
    return clamp(view, this.drawing(), this.size, this.room());
  }

  /** The middle of what nothing lies above. */
  #middle(): Spot {
    const { left, right, top, bottom } = this.room();
    const { width, height } = this.size;
    return { x: (left + width - right) / 2, y: (top + height - bottom) / 2 };
  }

  zoom(factor: number, at: Spot = this.#middle()): void {
    this.set(zoomAt(this.view, factor, at.x, at.y));
  }

  pan(dx: number, dy: number): void {
    this.set(pan(this.view, dx, dy));
  }

  /** Moves as little as needed to bring a place into sight. */
  reveal([x, y]: [number, number]): void {
    this.view = this.#held(reveal(this.view, this.size, x, y, this.room()));
  }

  /** Moves as little as needed, and no closer, to bring several places into sight. */
  revealAll(places: readonly [number, number][]): void {
    this.view = this.#held(revealAll(this.view, this.size, places, this.room()));
  }

  /** Where an event is in the window of the board. */
  at(event: MouseEvent): Spot {
    const box = this.frame().getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** Where it is on the board. */
  on(event: MouseEvent): Spot {
    const { x, y } = this.at(event);
    return { x: (x - this.view.x) / this.view.k, y: (y - this.view.y) / this.view.k };
  }

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.kind = event.pointerType === "mouse" ? "mouse" : "touch";
    if (this.#fingers.size === 0) this.#moved = 0;
    this.#fingers.set(event.pointerId, this.at(event));
  };

  readonly move = (event: PointerEvent): void => {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    if (event.buttons === 0) return this.up(event);
    const now = this.at(event);
    this.#moved += Math.hypot(now.x - before.x, now.y - before.y);
    const frame = this.frame();
    if (!this.clicked && !frame.hasPointerCapture(event.pointerId)) {
      frame.setPointerCapture(event.pointerId);
      this.dragging = true;
    }
    if (this.#fingers.size === 2) {
      const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1] ?? now;
      this.set(
        pinch(this.view, [before.x, before.y, other.x, other.y], [now.x, now.y, other.x, other.y]),
      );
    } else if (!this.clicked) this.pan(now.x - before.x, now.y - before.y);
    this.#fingers.set(event.pointerId, now);
  };

  readonly up = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
    if (this.#fingers.size === 0) this.dragging = false;
  };

  readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const step = event.deltaMode === 1 ? 16 : 1;
    this.zoom(Math.exp(-event.deltaY * step * (event.ctrlKey ? 0.01 : 0.0016)), this.at(event));
  };
}
