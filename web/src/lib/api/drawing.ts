/** The picture of a board, as far as the page uses it; the types are made from the server's schema. */

import type { Drawing as Whole, Palette, RoutePlace as WholeRoute } from "./answers";

export type { CityPlace, Frame, Label, Palette } from "./answers";

export type Point = [number, number];

/** A route's line, and the middle and the angle of each car. */
export type RoutePlace = Pick<WholeRoute, "between" | "path" | "spaces">;

/** What the page draws. A board without a picture is drawn by the page itself, without a frame. */
export type Drawing = Pick<
  Whole,
  | "board"
  | "width"
  | "height"
  | "car"
  | "dot"
  | "font"
  | "line"
  | "mood"
  | "texture"
  | "cities"
  | "places"
  | "land"
  | "water"
  | "parks"
  | "borders"
  | "rivers"
  | "ranges"
  | "scenery"
  | "art"
> &
  Partial<Pick<Whole, "title" | "compass">> & {
    palettes: Record<"light" | "dark", Palette>;
    routes: RoutePlace[];
  };
