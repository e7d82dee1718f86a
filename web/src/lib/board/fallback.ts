/** A plain picture for a board that has no drawing: places by geography, straight routes. */

import type { Drawing, Palette, RoutePlace } from "$lib/api/drawing";
import type { BoardFacts } from "$lib/api/facts";

const CAR = { length: 32, width: 12 };
const LANE = 18;
const MARGIN = 80;

const PLAIN: Record<"light" | "dark", Palette> = {
  light: {
    sea: "#dfe8ec",
    sea_deep: "#cfdce2",
    shore: "#eef4f6",
    land: "#f3efe4",
    land_edge: "#c9c1ac",
    border: "#d5cdb9",
    park: "#dfe9d2",
    label: "#22282d",
    halo: "#fbf9f3",
    dot: "#fdfbf5",
    dot_edge: "#3d434a",
    track: "#c9c2b1",
    ink: "#5a5f63",
  },
  dark: {
    sea: "#161d24",
    sea_deep: "#10161c",
    shore: "#1d2730",
    land: "#232b31",
    land_edge: "#3a444c",
    border: "#333d45",
    park: "#25322c",
    label: "#eef0ee",
    halo: "#151a1f",
    dot: "#eef0ee",
    dot_edge: "#0c1014",
    track: "#3a434b",
    ink: "#9aa3aa",
  },
};

export function plainDrawing(board: BoardFacts): Drawing {
  const lat0 = board.city_list.reduce((sum, city) => sum + city.lat, 0) / board.city_list.length;
  const flat = board.city_list.map((city): [number, number] => [
    city.lon * Math.cos((lat0 * Math.PI) / 180),
    -city.lat,
  ]);
  const scale = Math.max(
    ...board.route_list.map((route) => {
      const [ax, ay] = flat[route.a] ?? [0, 0];
      const [bx, by] = flat[route.b] ?? [0, 0];
      return ((route.length * 35 + 16) / Math.max(1e-6, Math.hypot(ax - bx, ay - by))) * 0.6;
    }),
  );
  const left = Math.min(...flat.map(([x]) => x));
  const top = Math.min(...flat.map(([, y]) => y));
  const places = flat.map(([x, y]): [number, number] => [
    MARGIN + (x - left) * scale,
    MARGIN + (y - top) * scale,
  ]);
  const cities = Object.fromEntries(
    board.city_list.map((city, k) => {
      const [x, y] = places[k] ?? [0, 0];
      const lines = { printed: [city.name] };
      const box: [number, number, number, number] = [x - 40, y - 22, 80, 13];
      return [city.id, { x, y, label: { x, y: y - 11, anchor: "middle" as const, box, lines } }];
    }),
  );
  return {
    board: board.id,
    width: Math.max(...places.map(([x]) => x)) + MARGIN,
    height: Math.max(...places.map(([, y]) => y)) + MARGIN,
    car: CAR,
    dot: 7,
    font: 15,
    line: 16,
    mood: "plain",
    palettes: PLAIN,
    texture: { grain: "", waves: "" },
    cities,
    routes: board.route_list.map((_, k) => straight(board, places, k)),
  };
}

function straight(board: BoardFacts, places: [number, number][], k: number): RoutePlace {
  const route = board.route_list[k];
  const [ax, ay] = places[route?.a ?? 0] ?? [0, 0];
  const [bx, by] = places[route?.b ?? 0] ?? [0, 0];
  const length = route?.length ?? 1;
  const far = Math.hypot(bx - ax, by - ay) || 1;
  const twin = route?.twin ?? -1;
  const lane = twin < 0 ? 0 : k < twin ? -LANE / 2 : LANE / 2;
  const nx = (-(by - ay) / far) * lane;
  const ny = ((bx - ax) / far) * lane;
  const angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
  const spaces = Array.from({ length }, (_, j): [number, number, number] => {
    const part = (j + 0.5) / length;
    return [ax + (bx - ax) * part + nx, ay + (by - ay) * part + ny, angle];
  });
  const ids = [board.city_list[route?.a ?? 0]?.id ?? "", board.city_list[route?.b ?? 0]?.id ?? ""];
  return {
    between: ids as [string, string],
    path: `M${ax + nx} ${ay + ny}L${bx + nx} ${by + ny}`,
    spaces,
  };
}
