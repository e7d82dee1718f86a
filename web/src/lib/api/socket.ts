/**
 * The socket of one table. It connects again when the connection is lost, asks for what it has
 * missed, and sends again what was not answered, under the same id.
 */

import type {
  Act,
  Agree,
  Because,
  Done,
  How,
  Ping,
  Refused,
  Say,
  ServerMessage,
  Takeback,
  Ways,
  Why,
} from "./messages";

export type Wish = Act | Takeback | Agree | Why | How | Say | Ping;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Request = WithoutId<Wish>;
export type Answer = Done | Refused | Because | Ways;

/** The kinds of messages that answer a wish. */
const ANSWERS = new Set(["done", "refused", "because", "ways"]);
const isAnswer = (message: ServerMessage): message is Answer => ANSWERS.has(message.type);
export type Link = "connecting" | "open" | "lost" | "gone";

export interface Hooks {
  /** The number of the last entry that is known. */
  since(): number;
  /** The language to speak, as a part of the query. */
  speech(): string;
  receive(message: ServerMessage): void;
  link(state: Link): void;
}

/** The part of WebSocket that is used, so that tests can bring their own. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export type Dial = (path: string) => Wire;

const PING_EVERY = 20_000;
const SILENCE = 45_000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 4_000;

/** How long to wait before the next attempt: twice as long each time, with some chance in it. */
export function backoff(attempt: number, chance = Math.random()): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.75 + chance / 2);
}

const dial: Dial = (path) => {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}${path}`, "branchline.1") as unknown as Wire;
};

interface Pending {
  wish: Wish;
  settle: (answer: Answer) => void;
}

export class TableSocket {
  #wire: Wire | null = null;
  #pending = new Map<string, Pending>();
  #attempt = 0;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #ready = false;
  #given = false;
  #counter = 0;
  readonly #prefix = Math.random().toString(36).slice(2, 10);

  constructor(
    readonly table: string,
    private readonly hooks: Hooks,
    private readonly dialer: Dial = dial,
  ) {}

  connect(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#drop();
    this.hooks.link("connecting");
    const query = `since=${this.hooks.since()}&${this.hooks.speech()}`;
    const wire = this.dialer(`/api/tables/${encodeURIComponent(this.table)}/socket?${query}`);
    this.#wire = wire;
    wire.onmessage = (event) => this.#hear(event.data);
    wire.onclose = (event) => {
      if (this.#wire === wire) this.#lost(event.code);
    };
    this.#heard = Date.now();
    this.#beat = setInterval(() => this.#watch(), PING_EVERY);
  }

  /** Sends a wish and gives its answer, however often the connection is lost on the way. */
  ask(request: Request): Promise<Answer> {
    const wish = { ...request, id: `${this.#prefix}-${++this.#counter}` } as Wish;
    return new Promise((settle) => {
      this.#pending.set(wish.id, { wish, settle });
      if (this.#ready) this.#wire?.send(JSON.stringify(wish));
    });
  }

  /** The network or the reader is back: don't wait any longer, nor trust a wire that is silent. */
  nudge(): void {
    const silent = Date.now() - this.#heard > 1.5 * PING_EVERY;
    if ((this.#wire === null || silent) && !this.#given) this.connect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  #drop(): void {
    clearInterval(this.#beat);
    this.#ready = false;
    const wire = this.#wire;
    this.#wire = null;
    if (wire) {
      wire.onmessage = wire.onclose = wire.onopen = null;
      wire.close();
    }
  }

  #hear(data: unknown): void {
    if (typeof data !== "string") return;
    this.#heard = Date.now();
    const message = JSON.parse(data) as ServerMessage;
    if (message.type === "welcome") {
      this.#attempt = 0;
      this.#ready = true;
      this.hooks.link("open");
      this.hooks.receive(message);
      for (const { wish } of this.#pending.values()) this.#wire?.send(JSON.stringify(wish));
      return;
    }
    if (isAnswer(message)) {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      pending?.settle(message);
      return;
    }
    if (message.type !== "pong") this.hooks.receive(message);
  }

  #watch(): void {
    if (Date.now() - this.#heard > SILENCE) this.#lost(0);
    else if (this.#ready) this.#wire?.send(JSON.stringify({ type: "ping", id: "beat" }));
  }

  #lost(code: number): void {
    this.#drop();
    if (code === 4404 || code === 4403) {
      this.#given = true;
      this.hooks.link("gone");
      return;
    }
    this.hooks.link("lost");
    this.#timer = setTimeout(() => this.connect(), backoff(this.#attempt++));
  }
}
