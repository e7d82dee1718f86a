/** Looking at a part of the board: where it is moved to, and how large it is. Pure. */

export interface Viewport {
  x: number;
  y: number;
  k: number;
}

export interface Size {
  width: number;
  height: number;
}

export const LARGEST = 6;

/** The whole board in the middle of the window. */
export function fit(board: Size, window: Size, margin = 0): Viewport {
  const width = Math.max(1, window.width - 2 * margin);
  const height = Math.max(1, window.height - 2 * margin);
  const k = Math.min(width / board.width, height / board.height) || 1;
  return {
    k,
    x: (window.width - board.width * k) / 2,
    y: (window.height - board.height * k) / 2,
  };
}

/** How much larger a wide board begins in a tall window, if it covers no more than a part of it. */
export const FILLED = 1.5;
const COVERED = 0.6;

/** The whole board; one that leaves much of a tall window empty is larger, about some places. */
export function fill(
  board: Size,
  window: Size,
  margin: number,
  places: readonly [number, number][],
): Viewport {
  const whole = fit(board, window, margin);
  const k = whole.k * FILLED;
  if (places.length === 0 || board.height * whole.k > COVERED * window.height) return whole;
  const xs = places.map(([x]) => x * k);
  const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
  return {
    k,
    x: Math.max(
      Math.min(window.width / 2 - middle, margin),
      window.width - margin - board.width * k,
    ),
    y: (window.height - board.height * k) / 2,
  };
}

/** Keeps at least a good part of the board in the window, and the size within limits. */
export function clamp(view: Viewport, board: Size, window: Size): Viewport {
  const least = fit(board, window).k;
  const k = Math.min(Math.max(view.k, least * 0.8), least * LARGEST);
  const hold = (at: number, size: number, room: number): number => {
    const slack = Math.min(room, size) * 0.35;
    return Math.min(
      Math.max(at, Math.min(room - size, 0) - slack),
      Math.max(room - size, 0) + slack,
    );
  };
  return {
    k,
    x: hold(view.x, board.width * k, window.width),
    y: hold(view.y, board.height * k, window.height),
  };
}

/** Larger or smaller, while the place at (px, py) stays where it is. */
export function zoomAt(view: Viewport, factor: number, px: number, py: number): Viewport {
  return {
    k: view.k * factor,
    x: px - (px - view.x) * factor,
    y: py - (py - view.y) * factor,
  };
}

export const pan = (view: Viewport, dx: number, dy: number): Viewport => ({
  ...view,
  x: view.x + dx,
  y: view.y + dy,
});

/** Moves as little as needed to bring a place of the board into the window. */
export function reveal(view: Viewport, window: Size, x: number, y: number, margin = 60): Viewport {
  const sx = x * view.k + view.x;
  const sy = y * view.k + view.y;
  const shift = (at: number, room: number): number =>
    at < margin ? margin - at : at > room - margin ? room - margin - at : 0;
  return pan(view, shift(sx, window.width), shift(sy, window.height));
}

/** What the pinch of two fingers does. */
export function pinch(
  view: Viewport,
  before: [number, number, number, number],
  after: [number, number, number, number],
): Viewport {
  const [ax, ay, bx, by] = before;
  const [cx, cy, dx, dy] = after;
  const factor = Math.hypot(dx - cx, dy - cy) / Math.max(1, Math.hypot(bx - ax, by - ay));
  const mx = (ax + bx) / 2;
  const my = (ay + by) / 2;
  return pan(zoomAt(view, factor, mx, my), (cx + dx) / 2 - mx, (cy + dy) / 2 - my);
}
