/** The HTTP side of the server: one function for each request, errors with a text to show. */

import type {
  About,
  BoardFacts,
  BoardSummary,
  ErrorAnswer,
  History,
  LinkAnswer,
  NewTableAnswer,
  RankedPerson,
  RematchAnswer,
  Replay,
  RuleText,
  TableAnswer,
  TableBrief,
} from "./answers";
import type { Drawing } from "./drawing";
import type { ClockRule, TableInfo } from "./messages";

export type { Replay, ReplayStep, TableBrief as Listed } from "./answers";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

export interface NewTable {
  board: string;
  seats: number;
  name: string;
  bots: (string | null)[];
  /** The names of those who play on this device, for the seats after the first. */
  here?: (string | null)[];
  public?: boolean;
  chat?: boolean;
  clock?: ClockRule;
  first?: number | null;
  pace?: number;
}

let speech = "lang=en";
/** The language of answers, and whether city names are in it or as printed on the board. */
export const speak = (lang: string, local: boolean): void =>
  void (speech = local ? `lang=${lang}&cities=local` : `lang=${lang}`);
/** What tells the server so, in a query. */
export const spoken = (): string => speech;

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const url = `/api${path}${path.includes("?") ? "&" : "?"}${speech}`;
  const raw = typeof body === "string";
  let answer: Response;
  try {
    answer = await fetch(url, {
      method,
      credentials: "same-origin",
      ...(body === undefined
        ? {}
        : {
            headers: { "Content-Type": "application/json" },
            body: raw ? body : JSON.stringify(body),
          }),
    });
  } catch {
    throw new ApiError(0, "offline", "");
  }
  const text = await answer.text();
  const data = parsed(text);
  if (!answer.ok) {
    const error = (data as Partial<ErrorAnswer> | null)?.error;
    throw new ApiError(answer.status, error?.code ?? "unknown", error?.text ?? answer.statusText);
  }
  return data;
}

const kept = new Map<string, Promise<unknown>>();

/** Facts that don't change are asked for once. */
function once<T>(path: string, read: (answer: unknown) => T): Promise<T> {
  const key = `${speech} ${path}`;
  let promise = kept.get(key) as Promise<T> | undefined;
  if (!promise) {
    promise = ask("GET", path).then(read);
    kept.set(key, promise);
    promise.catch(() => kept.delete(key));
  }
  return promise;
}

const table = (id: string): string => `/tables/${encodeURIComponent(id)}`;

export const about = (): Promise<About> => once("/about", (x) => x as About);
export const boards = (): Promise<BoardSummary[]> => once("/boards", (x) => x as BoardSummary[]);
const ofDigest = (digest: string): string => (digest ? `?digest=${digest}` : "");
/** A board; with a digest, as it was when a table was made with it. */
export const board = (id: string, digest = ""): Promise<BoardFacts> =>
  once(`/boards/${id}${ofDigest(digest)}`, (x) => x as BoardFacts);
export const drawing = (id: string, digest = ""): Promise<Drawing> =>
  once(`/boards/${id}/drawing${ofDigest(digest)}`, (x) => x as Drawing);
/** All rules, or those of a board in its words. */
export const rules = (board = ""): Promise<RuleText[]> =>
  once(board ? `/rules?board=${board}` : "/rules", (x) => x as RuleText[]);

export const openTables = async (): Promise<TableBrief[]> =>
  (await ask("GET", "/tables")) as TableBrief[];
export const myTables = async (): Promise<TableBrief[]> =>
  (await ask("GET", "/tables/mine")) as TableBrief[];
export const makeTable = async (wish: NewTable): Promise<NewTableAnswer> =>
  (await ask("POST", "/tables", { ...wish, takes_part: true })) as NewTableAnswer;
export const tableInfo = async (id: string): Promise<TableInfo> =>
  ((await ask("GET", table(id))) as TableAnswer).table;
export const takeSeat = (id: string, name: string, seat?: number): Promise<unknown> =>
  ask("POST", `${table(id)}/seats`, {
    name,
    ...(seat === undefined ? {} : { seat }),
    takes_part: true,
  });
/** Puts in a part of the seed: the hash of a nonce. */
export const promise = (id: string, promise: string): Promise<unknown> =>
  ask("PUT", `${table(id)}/promise`, { promise });
/** Opens one's promise. */
export const reveal = (id: string, nonce: string): Promise<unknown> =>
  ask("PUT", `${table(id)}/nonce`, { nonce });
export const leaveSeat = (id: string, seat: number): Promise<unknown> =>
  ask("DELETE", `${table(id)}/seats/${seat}`);
export const rename = (id: string, seat: number, name: string): Promise<unknown> =>
  ask("PATCH", `${table(id)}/seats/${seat}`, { name });
export const putBot = (id: string, seat: number, level: string): Promise<unknown> =>
  ask("PUT", `${table(id)}/seats/${seat}/bot`, { level });
export const removeBot = (id: string, seat: number): Promise<unknown> =>
  ask("DELETE", `${table(id)}/seats/${seat}/bot`);
export const moveLink = async (id: string, seat: number): Promise<LinkAnswer> =>
  (await ask("POST", `${table(id)}/seats/${seat}/link`, {})) as LinkAnswer;
export const moveHere = (id: string, token: string): Promise<unknown> =>
  ask("POST", `${table(id)}/move`, { token });
export const switchChat = (id: string, on: boolean): Promise<unknown> =>
  ask("PUT", `${table(id)}/chat`, { on });
export const setNotices = (
  id: string,
  ways: { push?: PushSubscriptionJSON; webhook?: string },
): Promise<unknown> => ask("PUT", `${table(id)}/notices`, ways);
export const rematch = async (id: string): Promise<RematchAnswer> =>
  (await ask("POST", `${table(id)}/rematch`, {})) as RematchAnswer;
/** The visitor's own page. */
export const me = async (): Promise<History> => (await ask("GET", "/me")) as History;
export const saveMe = (name: string, listed: boolean): Promise<unknown> =>
  ask("PUT", "/me", { name, listed });
export const forgetMe = (): Promise<unknown> => ask("DELETE", "/me");
export const ratings = async (): Promise<RankedPerson[]> =>
  (await ask("GET", "/ratings")) as RankedPerson[];
const ofSeat = (seat: number | null): string => (seat === null ? "" : `?seat=${seat}`);
/** The game of a finished table step by step: all open, or as a seat saw it. */
export const replayOf = async (id: string, seat: number | null): Promise<Replay> =>
  (await ask("GET", `${table(id)}/replay${ofSeat(seat)}`)) as Replay;
/** The same for a record that was opened from a file. */
export const replay = async (text: string, seat: number | null): Promise<Replay> =>
  (await ask("POST", `/replays${ofSeat(seat)}`, text)) as Replay;
