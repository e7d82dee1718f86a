/** The end of a game as a sequence of steps, line by line, with what each rests on. */

import { paramsOf, type BoardFacts } from "$lib/api/facts";
import type { Line, ResultInfo } from "$lib/api/messages";
import { chain, trail } from "./network";
import { field, type View } from "./view";

/** What to show of a line. */
export interface Shown {
  routes: number[];
  cities: number[];
  /** A line of the Province mat. */
  mat: number | null;
  /** What is counted beside the seat's name, as a field of the view. */
  counter: string;
}

export interface ScoreStep extends Shown {
  seat: number;
  line: Line;
  /** The points of every seat after this step. */
  totals: number[];
}

/** First everyone's routes, then what stations borrow, then tickets, then bonuses. */
const GROUPS: Record<string, number> = { routes: 0, station: 1, ticket_done: 2, ticket_failed: 2 };
const BONUS = 3;
const group = (what: string): number => GROUPS[what] ?? BONUS;

/** The lines in the order of the groups, within one seat by seat; the mat line by line. */
export function scoreSteps(board: BoardFacts, view: View, result: ResultInfo): ScoreStep[] {
  const lines = result.lines.flatMap((list, seat) => list.map((line) => ({ seat, line })));
  const sorted = lines.toSorted(
    (a, b) =>
      group(a.line.what) - group(b.line.what) ||
      (group(a.line.what) === BONUS ? a.line.what.localeCompare(b.line.what) : 0) ||
      (a.line.what === "province_line"
        ? a.line.ref - b.line.ref || b.line.points - a.line.points
        : 0) ||
      a.seat - b.seat,
  );
  const totals = result.scores.map(() => 0);
  const ends = result.lines.map((list, seat) => endOf(board, view, seat, list));
  return sorted.map(({ seat, line }) => {
    totals[seat] = (totals[seat] ?? 0) + line.points;
    const end = ends[seat];
    const shown = end && SHOWN[line.what]?.(end, line.ref, line);
    return { seat, line, totals: [...totals], ...NOTHING, ...shown };
  });
}

/** What a seat has at the end. */
interface SeatEnd {
  board: BoardFacts;
  seat: number;
  owner: number[];
  own: number[];
  /** The cities of its stations, and the routes that these borrow. */
  stations: number[];
  lent: number[];
  done: number[];
}

function endOf(board: BoardFacts, view: View, seat: number, lines: Line[]): SeatEnd {
  const [owner, stations] = [field(view, "owner"), field(view, "stations")];
  const ofSeat = (owners: number[]): number[] =>
    owners.flatMap((o, k) => (o === seat + 1 ? [k] : []));
  const done = lines.flatMap(({ what, ref }) => (what === "ticket_done" ? [ref] : []));
  const lent = lines.flatMap(({ values }) =>
    typeof values?.["route"] === "number" ? [values["route"]] : [],
  );
  return { board, seat, owner, own: ofSeat(owner), stations: ofSeat(stations), lent, done };
}

const NOTHING: Shown = { routes: [], cities: [], mat: null, counter: "" };

/** By what a line is for; its subject is the number. */
const SHOWN: Record<string, (end: SeatEnd, ref: number, line: Line) => Partial<Shown>> = {
  routes: ({ own }) => ({ routes: own }),
  ticket_done: ticket,
  ticket_failed: ticket,
  longest_path: ({ board, own }, length) => ({ routes: trail(board, own, length) }),
  attractions({ board, own }) {
    const there = numbers(board, (paramsOf(board, "attractions")?.["cities"] ?? []) as string[]);
    const visited = touched(board, own);
    return { cities: there.filter((city) => visited.includes(city)) };
  },
  festival({ board }, set) {
    const sets = (paramsOf(board, "festivals")?.["sets"] ?? []) as { cities: string[] }[];
    return { cities: numbers(board, sets[set]?.cities ?? []) };
  },
  globetrotter(end) {
    const tickets = end.done.map((ref) => ticket(end, ref));
    return {
      routes: [...new Set(tickets.flatMap(({ routes }) => routes))],
      cities: [...new Set(tickets.flatMap(({ cities }) => cities))],
      counter: "ticket_count", // they may be the most and yet none
    };
  },
  province_line: (_, line) => ({ mat: line }),
  station: ({ lent }, city, { values }) => ({
    routes: lent.filter((route) => route === values?.["route"]),
    cities: [city],
  }),
  stations: ({ stations }) => ({ cities: stations, counter: "stations_left" }),
};

/** The cities of a ticket and the chain that joins them, if need be with what stations borrow. */
function ticket(
  { board, seat, owner, stations, lent }: SeatEnd,
  ref: number,
): Pick<Shown, "routes" | "cities"> {
  const { a, b } = board.ticket_list[ref] ?? { a: 0, b: 0 };
  const own = chain(board, owner, seat, a, b);
  if (own.length > 0) return { routes: own, cities: [a, b] };
  const all = owner.map((o, k) => (lent.includes(k) ? seat + 1 : o));
  const routes = chain(board, all, seat, a, b);
  const through = touched(
    board,
    routes.filter((k) => lent.includes(k)),
  );
  const lenders = stations.filter((city) => through.includes(city));
  return { routes, cities: [...new Set([a, b, ...lenders])] };
}

/** The cities that routes touch. */
const touched = (board: BoardFacts, routes: number[]): number[] =>
  routes.flatMap((k) => [board.route_list[k]?.a ?? -1, board.route_list[k]?.b ?? -1]);

const numbers = (board: BoardFacts, ids: string[]): number[] =>
  board.city_list.flatMap((city, k) => (ids.includes(city.id) ? [k] : []));
