/** Icons as path data in a box of 24 by 24, drawn as lines. */

export const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  sun: "M12 8a4 4 0 1 0 .01 0ZM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M19 5l-1.7 1.7M6.7 17.3 5 19",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z",
  gear: "M3 7h9M18 7h3M15 4.5a2.5 2.5 0 1 0 .01 0ZM3 17h3M12 17h9M9 14.5a2.5 2.5 0 1 0 .01 0Z",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-4",
  card: "M8 3.5h8a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5ZM10 8h4",
  train:
    "M5 6h14a2 2 0 0 1 2 2v7H3V8a2 2 0 0 1 2-2ZM3 11h18M7.5 15a2 2 0 1 0 .01 0M16.5 15a2 2 0 1 0 .01 0",
  ticket: "M6 20V4h11l-2.5 4L17 12H6",
  send: "M4 12 20 4l-5 16-3.5-6.5Z",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  close: "M6 6l12 12M18 6 6 18",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  first: "M6 5v14M19 5 9 12l10 7Z",
  back: "M17 5 7 12l10 7Z",
  next: "M7 5l10 7-10 7Z",
  last: "M18 5v14M5 5l10 7-10 7Z",
} as const;

export type IconName = keyof typeof PATHS;
