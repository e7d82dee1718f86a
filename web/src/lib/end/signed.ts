/** A number as it is printed: a minus sign, not a hyphen. */
export const printed = (points: number): string => String(points).replace("-", "−");

/** Points with their sign. */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
