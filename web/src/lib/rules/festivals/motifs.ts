/** The posters of festivals: a motif and colours for each, by its number. All drawn by ourselves. */

export interface PosterLook {
  /** Paper, motif, and what is drawn on the motif. */
  paper: string;
  ink: string;
  mark: string;
  /** Paths in a box of 40 by 40: filled with ink, then with the mark's colour. */
  motif: [ink: string, mark: string];
}

const ring = (x: number, y: number, r: number): string => `M${x} ${y - r}a${r} ${r} 0 1 0 .01 0z`;
/** A star or a flower: points alternately far from and near to the middle. */
const star = (points: number, far: number, near: number): string =>
  Array.from({ length: 2 * points }, (_, k) => {
    const [turn, r] = [(Math.PI * k) / points, k % 2 ? near : far];
    const at = (value: number): string => (20 + value * r).toFixed(1);
    return `${k ? "L" : "M"}${at(Math.sin(turn))} ${at(-Math.cos(turn))}`;
  }).join("") + "z";
const around = (n: number, far: number, r: number): string =>
  Array.from({ length: n }, (_, k) => {
    const turn = (2 * Math.PI * k) / n;
    return ring(
      +(20 + far * Math.sin(turn)).toFixed(1),
      +(20 - far * Math.cos(turn)).toFixed(1),
      r,
    );
  }).join("");

const MOTIFS: [string, string][] = [
  // a fire, a fan, a carnation, a tower of people
  [
    "M20 3c3 6 11 10 11 20 0 8-5 14-11 14S9 31 9 23c0-5 3-7 5-11 1 3 2 4 3 5 2-5 1-9 3-14z",
    "M20 20c2 4 6 6 6 11 0 4-3 6-6 6s-6-2-6-6c0-5 4-7 6-11z",
  ],
  [
    "M20 36 4 19C9 7 31 7 36 19z",
    "M20 33 9 15l1.5-1L20 29l9.5-15 1.5 1zM19.2 11h1.6v20h-1.6zM5.5 20.5C12 14 28 14 34.5 20.5l-1.5 2C27 17 13 17 7 22.5z",
  ],
  [around(8, 10, 6.5), around(5, 5, 3.4)],
  [
    ring(20, 8, 4) +
      ring(14, 18, 4.4) +
      ring(26, 18, 4.4) +
      ring(8, 30, 4.8) +
      ring(20, 30, 4.8) +
      ring(32, 30, 4.8),
    "M16 12h8v2h-8zM9 23h22v2H9zM3 36h34v2H3z",
  ],
  // a fish, a neckerchief, a lantern, a mask
  [
    "M3 20c8-12 20-12 27-2l7-6v16l-7-6c-7 10-19 10-27-2z",
    `${ring(11, 18, 2)}M17 13c3 4 3 10 0 14l2 .6c4-5 4-10 0-15zM24 14c2 4 2 8 0 12l2-1c2-3 2-7 0-10z`,
  ],
  [
    "M4 9h32L20 31zM17 29h6l3 9-6-4-6 4z",
    "M9 12h22l-2 3H11zM14 20l2 0-1 2zM19 18h2v2h-2zM25 20l1 0-1 2zM19 24h2v2h-2z",
  ],
  [
    "M12 9h16l5 8v9l-5 8H12l-5-8v-9zM17 3h6v6h-6zM18 34h4v5h-4z",
    "M13 12h3v19h-3zM18.5 12h3v19h-3zM24 12h3v19h-3z",
  ],
  [
    "M5 11c9 3 21 3 30 0 1 12-5 24-15 24S4 23 5 11z",
    "M10 18q4-4 8 0-4 4-8 0zM22 18q4-4 8 0-4 4-8 0zM13 26q7 5 14 0-2 5-7 5t-7-5z",
  ],
  // a shell, a bell, a firework, a palm
  [
    "M20 35C8 33 3 22 7 11c4-6 9-6 13-6s9 0 13 6c4 11-1 22-13 24zM15 33h10v5H15z",
    "M19.2 7h1.6v25h-1.6zM11 10l1.5-.6L19 31l-1-.4zM29 10l-1.5-.6L21 31l1-.4zM6.5 18l1.5-.3L17 31l-1-1z M33.5 18l-1.5-.3L23 31l1-1z",
  ],
  [
    "M20 4c8 1 10 8 10 16 0 5 2 8 5 11H5c3-3 5-6 5-11 0-8 2-15 10-16z",
    `${ring(20, 34, 3.4)}M8 26h24v2.4H8z`,
  ],
  [star(12, 17, 6), star(6, 9, 4)],
  [
    "M19 38c-1-9 0-16 2-20h2c-1 5-1 12 0 20zM21 18C15 7 8 7 3 14c7-2 12-1 18 4zM21 18c3-11 11-12 17-5-7-1-11 1-17 5zM21 18c8-3 14 1 15 10-4-5-8-8-15-10zM21 18c-9-2-15 3-15 11 4-6 8-9 15-11z",
    ring(9, 34, 2.4) + ring(31, 35, 2.4) + ring(27, 31, 1.8),
  ],
  // a pot of flowers, a guitar, the sun, a garland, a boat
  [
    "M10 24h20l-3 14H13zM19 24V14h2v10z" + ring(20, 9, 6) + ring(11, 16, 5) + ring(29, 16, 5),
    ring(20, 9, 2.2) + ring(11, 16, 1.8) + ring(29, 16, 1.8) + "M12 28h16l-.5 2.4h-15z",
  ],
  [
    "M13 20c3-2 4 0 6-3 3-3 7-2 9 1s1 6-2 8c-3 3-1 4-3 8-3 5-10 5-14 1s-2-12 4-15zM24 16 33 4l3 2-9 12z",
    ring(19, 24, 3) + "M12 31l5 4-1 1-5-4z",
  ],
  [ring(20, 20, 9) + star(10, 19, 11), ring(20, 20, 6)],
  [
    "M2 8q18 12 36 0v3q-18 12-36 0zM6 13l7 3-4 9zM16 17h8l-4 10zM27 16l7-3-3 12z",
    ring(9, 31, 3) + ring(20, 33, 3) + ring(31, 31, 3),
  ],
  [
    "M4 27h32l-6 9H10zM19 4h2v22h-2zM22 6c8 4 11 11 11 18H22zM18 10v14H8c1-6 5-11 10-14z",
    "M8 30h24l-1 1.6H9zM24 11c3 3 5 6 5 10h-5z",
  ],
];

const COLOURS: [paper: string, ink: string, mark: string][] = [
  ["#f6d7a0", "#b3321f", "#ffe9b8"],
  ["#1f5a5c", "#f4b942", "#1f5a5c"],
  ["#f2c4b0", "#8c1f49", "#ffe1cf"],
  ["#27335f", "#f0784a", "#ffe0a6"],
  ["#cfe3d2", "#1d5a45", "#eef7e6"],
  ["#7b1f3a", "#ffd27a", "#7b1f3a"],
  ["#ffe39a", "#2b4a8c", "#ffe39a"],
];

export function posterOf(number: number): PosterLook {
  const [paper, ink, mark] = COLOURS[number % COLOURS.length] ?? ["#f6d7a0", "#b3321f", "#ffe9b8"];
  return { paper, ink, mark, motif: MOTIFS[number % MOTIFS.length] ?? ["", ""] };
}
