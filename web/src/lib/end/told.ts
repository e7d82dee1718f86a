/** What is told of a game that is over: its moves, its board and its drawing, asked for once. */

import type { Drawing } from "$lib/api/drawing";
import type { BoardFacts } from "$lib/api/facts";
import * as http from "$lib/api/http";
import type { TableInfo } from "$lib/api/messages";

export interface Told {
  replay: http.Replay;
  board: BoardFacts;
  drawing: Drawing;
}

let last: { table: string; told: Promise<Told> } | null = null;

async function ask({ id, board, digest }: TableInfo): Promise<Told> {
  const [replay, facts, drawing] = await Promise.all([
    http.replayOf(id, null),
    http.board(board, digest),
    http.drawing(board, digest),
  ]);
  return { replay, board: facts, drawing };
}

/** Of this table; what failed is asked for again. */
export function toldOf(info: TableInfo): Promise<Told> {
  if (last?.table !== info.id) {
    const told = ask(info);
    last = { table: info.id, told };
    told.catch(() => (last = null));
  }
  return last.told;
}

/** Nothing is told any more. */
export function forgetTold(): void {
  last = null;
}
