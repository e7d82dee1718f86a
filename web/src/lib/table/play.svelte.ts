/** What the reader points at and picks at a table: the page's side of a decision. */

import { untrack } from "svelte";
import type { Offer, WayInfo, Ways } from "$lib/api/messages";
import { chainOf, claimable, hasChoice, spare } from "$lib/claims/payments";
import { WaysToPay } from "$lib/claims/ways.svelte";
import { placeOf } from "$lib/decisions/offers";
import { beginning } from "$lib/game/fold";
import { shortestWay, type TicketState } from "$lib/game/network";
import type { Table } from "$lib/game/table.svelte";
import { field, ofSeat, one } from "$lib/game/view";
import { phaseDisplay } from "$lib/rules/registry";
import type { Situation } from "$lib/rules/rule";
import { settings } from "$lib/settings.svelte";
import { endsOf, helpfulRoutes, ticketStates } from "$lib/tickets/states";
import { t } from "$lib/words/words.svelte";

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
  /** An offer of a city that waits for a yes. */
  site = $state.raw<Offer | null>(null);
  /** The rule whose own sheet is open; empty: none. */
  opened = $state("");
  /** The payment whose sets of any cards are being put together, and these cards by kind. */
  making = $state.raw<WayInfo | null>(null);
  any = $state.raw<number[]>([]);
  /** A route that was pressed, until it is known how it can be paid for. */
  #pressed: number | null = null;
  /** Routes that are listed with what they cost. */
  listed = $state.raw<readonly number[]>([]);
  readonly ways = new WaysToPay(
    () => this.game.view,
    (route) => this.table.how(route),
  );
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
  /** Where the offers are shown: on a sheet, in cities of the board, or as plain buttons. */
  readonly placed = $derived(placeOf(this.offers));
  /** The ways to pay for the chosen route, if it can be claimed. */
  readonly payments = $derived(this.chosen === null ? [] : this.paymentsOf(this.chosen));
  /** A sheet covers the lower part of the board. */
  readonly sheetOpen = $derived(
    this.placed.sheet !== null || this.payments.length > 0 || this.opened !== "",
  );
  readonly keeps = $derived(this.offers.filter((offer) => offer.do === "keep"));
  /** A decision about something other than tickets is on its sheet. */
  readonly choosing = $derived(this.placed.sheet !== null && this.keeps.length === 0);
  /** What the decision is about, as a heading. */
  readonly question = $derived((this.game.decision?.text ?? "").replace(/[\s\u00a0]*:$/, ""));
  readonly lastRound = $derived(this.game.view ? one(this.game.view, "last") : 0);

  readonly situation = $derived.by<Situation | null>(() => {
    const { board } = this.table;
    const { view, table } = this.game;
    return board && view ? { board, view, me: this.me, seats: table?.seats ?? [] } : null;
  });
  /** Own cards that lie on the table in the middle of an action. */
  readonly laid = $derived(
    this.game.view && phaseDisplay(this.game.decision?.phase ?? "").laid
      ? field(this.game.view, "laid")
      : [],
  );

  readonly tickets = $derived<TicketState[]>(
    this.situation && this.me >= 0
      ? ticketStates(this.situation, this.trains, this.game.joined)
      : [],
  );

  /** The cities to call out: those of the ticket that is looked at, or of the marked ones. */
  readonly cities = $derived.by<number[]>(() => {
    if (this.site?.city !== undefined) return [this.site.city];
    return endsOf(this.table.board, this.ticket !== null ? [this.ticket] : this.marked);
  });

  /** The cities of tickets that are still open: always marked. */
  readonly marks = $derived.by(() =>
    endsOf(
      this.table.board,
      this.tickets.flatMap(({ ticket, done }) => (done ? [] : [ticket])),
    ),
  );

  /** The free routes on the shortest ways of open tickets, with those tickets. */
  readonly helpful = $derived(helpfulRoutes(this.tickets));

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
        this.opened = "";
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
    // What is pointed at is asked about, also out of turn, and again when the view has changed.
    $effect(() => {
      const { view, table } = this.game;
      const route = this.chosen ?? this.pointed;
      if (!view || this.me < 0 || table?.status !== "playing") return;
      const routes = [...(route === null ? [] : [route]), ...this.listed];
      untrack(() => this.ways.want(routes));
    });
  }

  /** How a route can be paid for, as far as the server has told. */
  waysOf(route: number): Ways | undefined {
    return this.ways.of(route);
  }

  /** The ways to claim a route now; empty until the server has answered. */
  paymentsOf(route: number): WayInfo[] {
    return this.open.has(route) ? (this.ways.of(route)?.ways ?? []) : [];
  }

  /** What a route would cost that can't be claimed just now; undefined: more than there is. */
  costLater(route: number): WayInfo | undefined {
    return this.open.has(route) ? undefined : this.ways.of(route)?.ways?.[0];
  }

  /** Claims a route: the whole payment, with these cards in its sets. */
  pay(way: WayInfo, any: number[] = spare(this.hand, way)): void {
    this.#act(...chainOf(way, any));
  }

  /** Pays, after it is settled which cards make up the sets. */
  choose(way: WayInfo): void {
    if (!hasChoice(this.hand, way)) return this.pay(way);
    this.making = way;
    this.any = spare(this.hand, way);
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
    if (offer) this.#act(offer.action);
  }

  #act(...actions: number[]): void {
    this.note = null;
    this.chosen = null;
    this.making = null;
    this.reason = null;
    this.opened = "";
    void this.table.act(...actions);
  }

  async press(route: number, how: "mouse" | "touch" | "key"): Promise<void> {
    this.table.hurry();
    this.byKey = how === "key";
    this.reason = null;
    this.making = null;
    this.opened = "";
    if (this.chosen === route) this.chosen = null;
    else if (this.open.has(route)) await this.#claim(route, how !== "touch" && !settings.confirm);
    else {
      this.chosen = route;
      await this.#explain(route);
    }
  }

  /** Claims a route at once if that is plain, or lets the reader choose how to pay. */
  async #claim(route: number, quick: boolean): Promise<void> {
    const decision = this.game.decision?.number;
    this.#pressed = route;
    const { ways = [] } = await this.ways.find(route);
    // Meanwhile the reader may have pressed another route, or the turn may be over.
    if (this.#pressed !== route || this.game.decision?.number !== decision) return;
    this.#pressed = null;
    const [best] = ways;
    const plain = settings.thrifty || ways.length === 1;
    if (best && plain && quick && !hasChoice(this.hand, best)) this.pay(best);
    else this.chosen = route;
  }

  /** Tells why a route can't be claimed. */
  async #explain(route: number): Promise<void> {
    if (this.me < 0 || this.game.table?.status !== "playing") return;
    const because = await this.table.why({ route });
    if (!because || this.chosen !== route) return;
    const { text, rule = "", title = "" } = because;
    this.reason = { route, text, rule, title };
  }

  /** Takes the offer of a city, or asks first. */
  city(city: number): void {
    const offer = this.placed.cities.get(city);
    if (settings.confirm) this.site = offer ?? null;
    else this.take(offer);
  }

  cancel(): void {
    if (this.making) this.making = null;
    else if (this.opened) this.opened = "";
    else if (this.chosen !== null || this.reason) {
      if (this.byKey) document.querySelector<SVGElement>(`[data-route="${this.chosen}"]`)?.focus();
      this.chosen = null;
      this.reason = null;
    } else if (this.halfway) void this.table.takeBack(beginning(this.game));
  }

  /** In the middle of something that can be called off. */
  readonly halfway = $derived.by(
    () => this.table.undoable > 0 && phaseDisplay(this.game.decision?.phase ?? "").callOff === true,
  );
}
