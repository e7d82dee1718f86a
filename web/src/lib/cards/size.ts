/** How large cards can be in a region, and in how many columns they lie. Pure. */

/** The smallest card that a finger still hits. */
const LEAST = 24;
/** The largest that a table has room for. */
export const LARGEST = 80;

export function cardSize(
  room: { width: number; height: number },
  n: number,
  /** What each card needs around it. */
  around: { right: number; up: number },
  most: number,
): { width: number; columns: number } {
  let found = { width: 0, columns: Math.max(1, n) };
  for (let rows = 1; rows <= 3; rows++) {
    const columns = Math.max(1, Math.ceil(n / rows));
    const width = Math.min(
      most,
      Math.floor(room.width / columns) - around.right,
      Math.floor((room.height / rows - around.up) / 1.4),
    );
    if (width > found.width) found = { width, columns };
  }
  return { ...found, width: Math.max(LEAST, found.width) };
}
