/** What the reader points at and picks at a table: the page's side of a decision. */

import { untrack } from "svelte";
import type { Because, Offer } from "$lib/api/messages";
import { beginning } from "$lib/game/fold";
import {
  claimable,
  costAtTurn,
  hasChoice,
  nextStep,
  paymentsOf,
  spare,
  type Cost,
  type Payment,
} from "$lib/game/payments";
import { borrow, shortestWay, ticketState, type TicketState } from "$lib/game/network";
import type { Table } from "$lib/game/table.svelte";
import { field, MINE, ofSeat, one, ticketsThat } from "$lib/game/view";
import { t } from "$lib/words/words.svelte";
import { settings } from "$lib/settings.svelte";

/** Kinds of offers that have a place of their own; the others become plain buttons. */
const PLACED = new Set([
  "claim",
  "take",
  "draw",
  "tickets",
  "express_cards",
  "express_tickets",
  "station",
  "station_at",
  "keep",
  "pick",
  "pay",
  "substitute",
  "tunnel",
  "back_off",
  "festival",
  "mat",
  "mat_none",
]);

/** Kinds that are chosen on a sheet. */
const ON_SHEET = new Set([
  "pay",
  "substitute",
  "tunnel",
  "back_off",
  "festival",
  "mat",
  "mat_none",
]);

export interface Reason {
  route: number;
  text: string;
  rule: string;
  title: string;
}

/** What the table answers to something that can't be done. */
export interface Note {
  text: string;
  rule: string;
  title: string;
}

const NOTE_TIME = 6000;

export class Play {
  note = $state.raw<Note | null>(null);
  #noted: ReturnType<typeof setTimeout> | undefined;
  /** A second card that was asked for before the first had come. */
  #next: { kind: string; card: number | undefined } | null = null;
  pointed = $state<number | null>(null);
  chosen = $state<number | null>(null);
  ticket = $state<number | null>(null);
  /** Tickets marked on a sheet. */
  marked = $state.raw<readonly number[]>([]);
  reason = $state.raw<Reason | null>(null);
  /** A payment on its way: its steps are sent one after the other. */
  paying = $state.raw<{ pay: Payment; whole: number[] } | null>(null);
  /** The station that waits for a yes. */
  site = $state.raw<Offer | null>(null);
  /** The Express cards are looked at. */
  express = $state(false);
  /** The payment whose sets of any cards are being put together, and these cards by kind. */
  making = $state.raw<Payment | null>(null);
  any = $state.raw<number[]>([]);
  /** The route was chosen by keys, so the focus follows. */
  byKey = $state(false);

  readonly game = $derived.by(() => this.table.game);
  readonly seats = $derived(this.game.table?.seats.length ?? 0);
  readonly me = $derived(this.game.seat);
  readonly hand = $derived(this.game.view ? field(this.game.view, "hand") : []);
  readonly owner = $derived(this.game.view ? field(this.game.view, "owner") : []);
  readonly trains = $derived(
    this.game.view && this.me >= 0
      ? (ofSeat(this.game.view, "trains", this.me, this.seats)[0] ?? 0)
      : 0,
  );
  readonly offers = $derived.by(() => this.table.offers);
  readonly open = $derived(claimable(this.offers));
  readonly sheet = $derived(
    this.paying ? [] : this.offers.filter((offer) => ON_SHEET.has(offer.do)),
  );
  /** The ways to pay for the chosen route, if it can be claimed. */
  readonly payments = $derived(this.chosen === null ? [] : this.paymentsOf(this.chosen));
  readonly keeps = $derived(this.offers.filter((offer) => offer.do === "keep"));
  readonly picks = $derived(this.offers.filter((offer) => offer.do === "pick"));
  readonly stationCities = $derived(
    new Set(
      this.offers.flatMap((offer) =>
        offer.do === "station_at" && offer.city !== undefined ? [offer.city] : [],
      ),
    ),
  );
  readonly rest = $derived(this.offers.filter((offer) => !PLACED.has(offer.do)));
  /** What the decision is about, as a heading. */
  readonly question = $derived((this.game.decision?.text ?? "").replace(/[\s\u00a0]*:$/, ""));
  readonly lastRound = $derived(this.game.view ? one(this.game.view, "last") : 0);

  readonly tickets = $derived.by<TicketState[]>(() => {
    const { board } = this.table;
    const { view } = this.game;
    if (!board || !view || this.me < 0) return [];
    const mine = ticketsThat(view, MINE);
    const stations = field(view, "stations");
    const joined = stations.includes(this.me + 1)
      ? borrow(board, this.owner, stations, this.me, mine).tickets
      : new Set<number>();
    return mine.map((ticket) => {
      const state = ticketState(board, this.owner, this.me, this.trains, ticket);
      return { ...state, lent: !state.done && joined.has(ticket) };
    });
  });

  /** The cities to call out: those of the ticket that is looked at, or of the marked ones. */
  readonly cities = $derived.by<number[]>(() => {
    if (this.site?.city !== undefined) return [this.site.city];
    const list = this.ticket !== null ? [this.ticket] : this.marked;
    return list.flatMap((k) => {
      const ticket = this.table.board?.ticket_list[k];
      return ticket ? [ticket.a, ticket.b] : [];
    });
  });

  /** The cities of tickets that are still open: always marked. */
  readonly marks = $derived.by<number[]>(() =>
    this.tickets.flatMap(({ ticket, done }) => {
      const facts = this.table.board?.ticket_list[ticket];
      return done || !facts ? [] : [facts.a, facts.b];
    }),
  );

  /** The free routes on the shortest ways of open tickets, with those tickets. */
  readonly helpful = $derived.by<Map<number, number[]>>(() => {
    const found = new Map<number, number[]>();
    for (const { ticket, done, way } of this.tickets)
      if (!done) for (const k of way?.routes ?? []) found.set(k, [...(found.get(k) ?? []), ticket]);
    return found;
  });

  readonly way = $derived.by<number[]>(() => {
    const { board } = this.table;
    const ticket = this.ticket === null ? undefined : board?.ticket_list[this.ticket];
    if (!board || !ticket || this.me < 0) return [];
    const way = shortestWay(board, this.owner, this.me, ticket.a, ticket.b);
    return way ? [...way.routes, ...way.own] : [];
  });

  readonly #asked = $derived.by(() => this.game.decision?.number);

  constructor(readonly table: Table) {
    // A choice that belongs to an older decision is forgotten.
    $effect(() => {
      void this.#asked;
      untrack(() => {
        this.chosen = null;
        this.making = null;
        this.express = false;
        this.site = null;
        this.marked = [];
        this.ticket = null;
      });
    });
    $effect(() => {
      void this.game.decision?.number;
      if (this.table.sent !== null) return;
      const next = this.#next;
      this.#next = null;
      if (next && this.game.decision?.phase === "draw")
        untrack(() => void this.try(next.kind, next.card));
    });
    $effect(() => {
      if (!this.paying || this.table.sent !== null) return;
      const { decision, view } = this.game;
      const { pay, whole } = this.paying;
      const step = view ? nextStep(decision?.offers ?? [], view, pay, whole) : undefined;
      untrack(() => {
        if (step) void this.table.act(step.action);
        else this.paying = null;
      });
    });
  }

  paymentsOf(route: number): Payment[] {
    const { board } = this.table;
    const { view } = this.game;
    return board && view && this.open.has(route)
      ? paymentsOf(board, view, this.me, this.seats, this.offers, route)
      : [];
  }

  /** What a route would cost that can't be claimed just now; undefined: more than there is. */
  costLater(route: number): Cost | undefined {
    const { board } = this.table;
    const { view } = this.game;
    return board && view && this.me >= 0 && !this.open.has(route)
      ? costAtTurn(board, view, this.me, this.seats, route)
      : undefined;
  }

  /** Claims a route: all steps of the payment, with these cards in its sets. */
  pay(pay: Payment, any: number[] = spare(this.hand, pay)): void {
    this.paying = { pay, whole: pay.cards.map((n, kind) => n + (any[kind] ?? 0)) };
    this.take(pay.claim);
  }

  /** Pays, after it is settled which cards make up the sets. */
  choose(pay: Payment): void {
    if (!hasChoice(this.hand, pay)) return this.pay(pay);
    this.making = pay;
    this.any = spare(this.hand, pay);
  }

  offer(kind: string, card?: number): Offer | undefined {
    return this.offers.find(
      (offer) => offer.do === kind && (card === undefined || offer.card === card),
    );
  }

  /** Takes what is offered, or tells why it is not. What is still to be shown is skipped for it. */
  async try(kind: string, card?: number): Promise<void> {
    this.table.hurry();
    const offer = this.offer(kind, card);
    if (offer) return this.take(offer);
    if (this.me < 0) return this.tell(t("bar.watching"));
    if (this.table.sent !== null) {
      this.#next = { kind, card };
      return;
    }
    const colour = card === undefined ? "" : (this.table.board?.colours[card] ?? "locomotive");
    await this.attempt(undefined, `${kind} ${colour}`.trim());
  }

  /** Takes an offer; if there is none, tells why what the notation says can't be done. */
  async attempt(offer: Offer | undefined, notation: string): Promise<void> {
    if (offer) return this.take(offer);
    const because = await this.table.why({ notation });
    if (because) this.tell(because.text, because.rule, because.title);
  }

  tell(text: string, rule = "", title = ""): void {
    clearTimeout(this.#noted);
    this.note = { text, rule, title };
    if (!settings.text) this.#noted = setTimeout(() => (this.note = null), NOTE_TIME);
  }

  take(offer: Offer | undefined): void {
    if (!offer) return;
    this.note = null;
    this.chosen = null;
    this.reason = null;
    this.express = false;
    void this.table.act(offer.action);
  }

  async press(route: number, how: "mouse" | "touch" | "key"): Promise<void> {
    this.table.hurry();
    const ways = this.paymentsOf(route);
    this.byKey = how === "key";
    this.reason = null;
    this.making = null;
    this.express = false;
    if (ways.length === 0) {
      this.chosen = this.chosen === route ? null : route;
      if (this.me < 0 || this.game.table?.status !== "playing" || this.chosen === null) return;
      const because: Because | null = await this.table.why({ route });
      if (because && this.chosen === route)
        this.reason = {
          route,
          text: because.text,
          rule: because.rule ?? "",
          title: because.title ?? "",
        };
      return;
    }
    const [best] = ways;
    const plain = settings.thrifty || ways.length === 1;
    if (best && plain && how !== "touch" && !settings.confirm && !hasChoice(this.hand, best))
      this.pay(best);
    else this.chosen = this.chosen === route ? null : route;
  }

  /** Builds a station in a city, or asks first. */
  city(city: number): void {
    const offer = this.offers.find(
      ({ do: kind, city: at }) => kind === "station_at" && at === city,
    );
    if (settings.confirm) this.site = offer ?? null;
    else this.take(offer);
  }

  cancel(): void {
    if (this.making) this.making = null;
    else if (this.express) this.express = false;
    else if (this.chosen !== null || this.reason) {
      if (this.byKey) document.querySelector<SVGElement>(`[data-route="${this.chosen}"]`)?.focus();
      this.chosen = null;
      this.reason = null;
    } else if (this.halfway) void this.table.takeBack(beginning(this.game));
  }

  /** In the middle of a claim that can be called off. */
  readonly halfway = $derived.by(
    () =>
      this.table.undoable > 0 &&
      !this.paying &&
      ["pay", "substitute", "station_city", "station_pay"].includes(
        this.game.decision?.phase ?? "",
      ),
  );
}
