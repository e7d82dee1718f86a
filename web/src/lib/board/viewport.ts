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

/** What is taken from each edge of a window, in pixels. */
export interface Insets {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const NO_INSETS: Insets = { left: 0, top: 0, right: 0, bottom: 0 };

/** What is left of a window. */
export const roomIn = (window: Size, { left, top, right, bottom }: Insets): Size => ({
  width: Math.max(1, window.width - left - right),
  height: Math.max(1, window.height - top - bottom),
});

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

/**
 * How much larger a wide board begins in a tall window, if it covers no more than a part of it: then
 * nothing is cut above and below but its edges, where no city lies.
 */
export const FILLED = 1.5;
const COVERED = 0.7;

/** The whole board; one that leaves much of a tall window empty is larger. */
export function fill(board: Size, window: Size, margin = 0): Viewport {
  const whole = fit(board, window, margin);
  if (board.height * whole.k > COVERED * window.height) return whole;
  return zoomAt(whole, FILLED, window.width / 2, window.height / 2);
}

/**
 * Keeps at least a good part of the board in the window, and the size within limits, which the room
 * that is left in the window sets.
 */
export function clamp(
  view: Viewport,
  board: Size,
  window: Size,
  room: Insets = NO_INSETS,
): Viewport {
  const least = fit(board, roomIn(window, room)).k;
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

/** The part of a board in the room of the window: left, top, right, bottom; undefined: all of it. */
export function inSight(
  { x, y, k }: Viewport,
  board: Size,
  window: Size,
  room: Insets,
): [number, number, number, number] | undefined {
  const [left, top] = [(room.left - x) / k, (room.top - y) / k];
  const right = (window.width - room.right - x) / k;
  const bottom = (window.height - room.bottom - y) / k;
  const whole = left <= 0 && top <= 0 && right >= board.width && bottom >= board.height;
  return whole ? undefined : [left, top, right, bottom];
}

/** Moves as little as needed to bring a place of the board into the room of the window. */
export function reveal(
  view: Viewport,
  window: Size,
  x: number,
  y: number,
  room: Insets = NO_INSETS,
  margin = 60,
): Viewport {
  const shift = (at: number, least: number, most: number): number =>
    at < least + margin ? least + margin - at : at > most - margin ? most - margin - at : 0;
  return pan(
    view,
    shift(x * view.k + view.x, room.left, window.width - room.right),
    shift(y * view.k + view.y, room.top, window.height - room.bottom),
  );
}

/** The same for several places; where they are too far apart, the board gets smaller. */
export function revealAll(
  view: Viewport,
  window: Size,
  places: readonly (readonly [number, number])[],
  room: Insets = NO_INSETS,
  margin = 40,
): Viewport {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const { width, height } = roomIn(window, room);
  const k = Math.min(
    view.k,
    Math.max(1, width - 2 * margin) / Math.max(1, right - left),
    Math.max(1, height - 2 * margin) / Math.max(1, bottom - top),
  );
  const smaller = zoomAt(view, k / view.k, room.left + width / 2, room.top + height / 2);
  const first = reveal(smaller, window, left, top, room, margin);
  return reveal(first, window, right, bottom, room, margin);
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
