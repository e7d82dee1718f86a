/** The picture of a board as data, as `/api/boards/{id}/drawing` gives it. */

export type Point = [number, number];

export interface Label {
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
  box: [number, number, number, number];
  /** One or two, as printed, and in languages in which the city has another name. */
  lines: Record<string, string[]>;
}

export interface CityPlace {
  x: number;
  y: number;
  label: Label;
}

export interface RoutePlace {
  between: [string, string];
  path: string;
  /** The middle and the angle of each car. */
  spaces: [number, number, number][];
}

export interface Furniture {
  rule: string;
  id: string;
  cities: string[];
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Palette = Record<
  | "sea"
  | "sea_deep"
  | "shore"
  | "land"
  | "land_edge"
  | "border"
  | "park"
  | "label"
  | "halo"
  | "dot"
  | "dot_edge"
  | "track"
  | "ink",
  string
>;

export interface Drawing {
  board: string;
  width: number;
  height: number;
  car: { length: number; width: number };
  dot: number;
  font: number;
  line: number;
  mood: string;
  palettes: Record<"light" | "dark", Palette>;
  /** Paths that repeat on the land, in tiles of 48 by 48, and on the sea, of 64 by 40. */
  texture: { grain: string; waves: string };
  title?: Frame;
  compass?: Frame;
  cities: Record<string, CityPlace>;
  routes: RoutePlace[];
  places?: Furniture[];
  land?: string[];
  water?: string[];
  parks?: string[];
  borders?: string[];
}
