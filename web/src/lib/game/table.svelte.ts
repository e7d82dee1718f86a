/** A table in play: its socket, what it has told so far, and what the reader does. */

import * as http from "$lib/api/http";
import type { BoardFacts } from "$lib/api/facts";
import type { Drawing } from "$lib/api/drawing";
import type { Because, EntryInfo, Offer, Refused, ServerMessage, Ways } from "$lib/api/messages";
import { TableSocket, type Answer, type Link, type Request } from "$lib/api/socket";
import { plainDrawing } from "$lib/board/fallback";
import { takePart } from "$lib/fair/part";
import { pace } from "$lib/settings.svelte";
import { fold, freeMove, hasGap, NO_GAME, type Game } from "./fold";
import { beat, haste } from "$lib/log/news";

/** Further behind than this, one catches up at once. */
const TOO_MANY = 40;

/** How long the last move stays on show when nothing follows, in milliseconds. */
const LINGER = 2500;

/** A question that is not answered by then, in milliseconds, may have come too fast. */
const PATIENCE = 4000;

export class Table {
  game = $state.raw<Game>(NO_GAME);
  board = $state.raw<BoardFacts | null>(null);
  drawing = $state.raw<Drawing | null>(null);
  link = $state<Link>("connecting");
  /** The entry that is on show now. */
  news = $state.raw<EntryInfo | null>(null);
  /** By what the length of an animation is multiplied now: less when much is waiting. */
  tempo = $state(1);
  /** Updates wait until the one before has been shown. */
  busy = $state(false);
  /** The act that has been sent and not answered yet. */
  sent = $state<number | null>(null);
  refusal = $state.raw<Refused | null>(null);
  problem = $state("");
  /** The device changes hands: what the reader may see is on its way. */
  passing = $state(false);

  /** A bot plays in the reader's place. */
  readonly replaced = $derived(this.game.table?.seats[this.game.seat]?.stand_in ?? false);
  readonly offers = $derived<Offer[]>(
    this.busy || this.sent !== null || this.replaced ? [] : (this.game.decision?.offers ?? []),
  );
  readonly undoable = $derived(freeMove(this.game));

  #queue: ServerMessage[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #socket: TableSocket;
  #seen = 0;
  /** The entry with which all that was sent is done. */
  #until = 0;
  #idle = false;
  #asked = "";
  /** The seat to speak for, where this browser holds several. */
  #wanted: number | null = null;

  constructor(readonly id: string) {
    this.#socket = new TableSocket(id, {
      since: () => this.#seen,
      speech: () =>
        this.#wanted === null ? http.spoken() : `${http.spoken()}&seat=${this.#wanted}`,
      receive: (message) => this.#receive(message),
      link: (state) => {
        this.link = state;
        if (state === "lost" && !this.game.table) void this.#look();
      },
    });
  }

  connect(): void {
    this.#socket.connect();
  }

  /** Speaks for another seat of this device from now on; null: for none, and sees nothing secret. */
  speakFor(seat: number | null): void {
    this.hurry();
    this.passing = true;
    this.#wanted = seat;
    this.#seen = 0; // each seat has a numbering of its own
    this.#socket.connect();
  }

  /** The connection may be possible again. */
  nudge(): void {
    this.#socket.nudge();
  }

  /** Whether there is such a table at all. */
  async #look(): Promise<void> {
    try {
      await http.tableInfo(this.id);
    } catch (error) {
      if (!(error instanceof http.ApiError) || ![404, 422].includes(error.status)) return;
      this.#socket.close();
      this.link = "gone";
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#socket.close();
  }

  ask(request: Request): Promise<Answer> {
    return this.#socket.ask(request);
  }

  /** Takes actions one after the other, as a whole. What lies between them is not offered. */
  async act(...actions: number[]): Promise<void> {
    const decision = this.game.decision?.number;
    if (decision === undefined || this.sent !== null) return;
    this.sent = decision;
    this.#until = Infinity;
    this.refusal = null;
    const [action, ...more] = actions;
    const answer = await this.ask({
      ...{ type: "act", decision },
      ...(more.length > 0 ? { actions } : { action: action ?? -1 }),
    });
    if (answer.type === "done") this.#until = answer.number;
    else this.sent = null;
    if (answer.type === "refused" && answer.code !== "late") this.refusal = answer;
    this.#settle();
  }

  /** What was sent is done as soon as its last entry is known. */
  #settle(): void {
    if (this.game.number >= this.#until) this.sent = null;
  }

  /** How a route can be paid for; null: the answer takes too long. */
  how(route: number): Promise<Ways | null> {
    const late = new Promise<null>((settle) => setTimeout(() => settle(null), PATIENCE));
    const answer = this.ask({ type: "how", route }).then((found): Ways =>
      found.type === "ways" ? found : { type: "ways", id: "", route },
    );
    return Promise.race([answer, late]);
  }

  async takeBack(move: number): Promise<void> {
    if (!move) return;
    const answer = await this.ask({ type: "takeback", move });
    if (answer.type === "refused") this.refusal = answer;
  }

  async why(question: { route: number } | { notation: string }): Promise<Because | null> {
    const answer = await this.ask({ type: "why", ...question });
    return answer.type === "because" ? answer : null;
  }

  async say(text: string): Promise<void> {
    const answer = await this.ask({ type: "say", text });
    if (answer.type === "refused") this.refusal = answer;
  }

  async agree(yes: boolean): Promise<void> {
    const wish = this.game.table?.wish;
    if (wish) await this.ask({ type: "agree", request: wish.request, yes });
  }

  /** Skip what waits to be shown. */
  hurry(): void {
    if (this.#queue.length === 0 && !this.busy) return;
    this.#rest();
    for (const message of this.#queue.splice(0)) this.#take(message);
    this.#linger();
  }

  /** All has been shown; the last move stays for a while. */
  #linger(): void {
    this.busy = false;
    this.#timer = setTimeout(() => this.#fade(), LINGER);
    this.#idle = true;
  }

  #fade(): void {
    this.#rest();
    this.news = null;
  }

  #rest(): void {
    this.#idle = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #receive(message: ServerMessage): void {
    if (message.type === "trouble") {
      this.problem = message.text;
      return;
    }
    if (message.type === "welcome") {
      this.hurry();
      this.#seen = message.number;
      this.#take(message);
      this.problem = "";
      void takePart(message.table, message.held ?? []);
      return;
    }
    if (message.type === "update") {
      if (message.table) void takePart(message.table, this.game.held);
      if (message.number > this.#seen + 1) return this.#socket.connect();
      this.#seen = Math.max(this.#seen, message.number);
    }
    this.#queue.push(message);
    const own = message.type === "update" && message.entry.seat === this.game.seat;
    if (this.#queue.length > TOO_MANY || document.hidden) this.hurry();
    else if (own || this.#idle || this.#timer === undefined) this.#next(own);
  }

  /** Shows the next message; an own move doesn't wait for those before it. */
  #next(own = false): void {
    this.#rest();
    if (own)
      for (const message of this.#queue.splice(0, this.#queue.length - 1)) this.#take(message);
    let time = 0;
    while (time === 0) {
      const message = this.#queue.shift();
      if (!message) {
        return this.#linger();
      }
      const entry = message.type === "update" ? message.entry : null;
      this.#take(message);
      if (!entry) continue;
      this.tempo = pace() * haste(this.#waiting());
      time = beat(entry) * this.tempo;
      if (time > 0) this.news = entry;
      // An older one is not kept by moves that take no time, nor when it has been taken back.
      else if (this.tempo === 0 || entry.kind === "taken_back") this.news = null;
    }
    this.busy = this.#queue.length > 0 || this.game.decision === null;
    this.#timer = setTimeout(() => this.#next(), time);
  }

  /** How long all that waits would take. */
  #waiting(): number {
    return this.#queue.reduce(
      (sum, message) => sum + (message.type === "update" ? beat(message.entry) : 0),
      0,
    );
  }

  #take(message: ServerMessage): void {
    if (hasGap(this.game, message)) return;
    this.game = fold(this.game, message, Date.now());
    if (message.type === "welcome") {
      this.sent = null;
      this.passing = false;
    }
    this.#settle();
    const info = this.game.table;
    if (info && this.#asked !== info.digest) {
      this.#asked = info.digest;
      void this.#load(info.board, info.digest);
    }
  }

  async #load(id: string, digest: string): Promise<void> {
    try {
      const [facts, picture] = await Promise.all([
        http.board(id, digest),
        http.drawing(id, digest).catch(() => null),
      ]);
      this.board = facts;
      this.drawing = picture ?? plainDrawing(facts);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }
}
