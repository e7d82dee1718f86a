/** What the reader points at and picks at a table: the page's side of a decision. */

import { untrack } from "svelte";
import type { Offer } from "$lib/api/messages";
import { Claim } from "$lib/claims/claim.svelte";
import { placeOf } from "$lib/decisions/offers";
import { beginning } from "$lib/game/fold";
import { shortestWay, type TicketState } from "$lib/game/network";
import type { Table } from "$lib/game/table.svelte";
import { field, ofSeat, one } from "$lib/game/view";
import { actionsOf, phaseDisplay } from "$lib/rules/registry";
import type { Situation } from "$lib/rules/rule";
import { settings } from "$lib/settings.svelte";
import { endsOf, helpfulRoutes, ticketStates } from "$lib/tickets/states";
import { t } from "$lib/words/words.svelte";

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
  ticket = $state<number | null>(null);
  /** The seat whose network is looked at. */
  seat = $state<number | null>(null);
  /** Tickets that are chosen, until they are kept. */
  marked = $state.raw<readonly number[]>([]);
  /** The city that something is built in, from the touch until that is paid or called off. */
  site = $state<number | null>(null);
  /** It was touched, and its offer has not come yet. */
  #touched = false;
  /** The rule whose own part of the claim strip is open; empty: none. */
  opened = $state("");

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
  /** Where the offers are shown: at the side, in the claim strip, in cities of the board. */
  readonly placed = $derived(placeOf(this.offers));
  readonly keeps = $derived(this.offers.filter((offer) => offer.do === "keep"));
  /** Something is to be paid or decided in the claim strip. */
  readonly paying = $derived.by(
    () => this.placed.part !== null || (this.claim.chosen !== null && this.claim.chain.length > 0),
  );
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

  /** The route that the decision in the middle of an action is about. */
  readonly underway = $derived(
    this.game.view && phaseDisplay(this.game.decision?.phase ?? "").route
      ? one(this.game.view, "registers")
      : null,
  );

  readonly tickets = $derived<TicketState[]>(
    this.situation && this.me >= 0
      ? ticketStates(this.situation, this.trains, this.game.joined)
      : [],
  );

  /** The cities to call out: those of the ticket that is looked at, or of the marked ones. */
  readonly cities = $derived.by<number[]>(() => {
    if (this.site !== null) return [this.site];
    return endsOf(this.table.board, this.ticket !== null ? [this.ticket] : this.marked);
  });

  /** The action of a rule that begins with the touch of a city. */
  readonly #builds = $derived.by(() =>
    actionsOf(this.table.board)
      .filter(({ city }) => city)
      .flatMap(({ kinds }) => this.offers.find((offer) => kinds.includes(offer.do)) ?? []),
  );
  /** Cities can be touched, although none is asked for. */
  readonly mayBuild = $derived.by(
    () => this.#builds.length > 0 || (this.site !== null && this.halfway),
  );

  /** The cities of tickets that are still open: marked until the end. */
  readonly marks = $derived.by(() =>
    this.game.table?.status === "over"
      ? []
      : endsOf(
          this.table.board,
          this.tickets.flatMap(({ ticket, done }) => (done ? [] : [ticket])),
        ),
  );

  /** The free routes on the shortest ways of open tickets, with those tickets. */
  readonly helpful = $derived.by(() =>
    helpfulRoutes(this.table.board ?? { route_list: [] }, this.owner, this.tickets),
  );

  readonly way = $derived.by<number[]>(() => {
    const { board } = this.table;
    const ticket = this.ticket === null ? undefined : board?.ticket_list[this.ticket];
    if (!board || !ticket || this.me < 0) return [];
    const way = shortestWay(board, this.owner, this.me, ticket.a, ticket.b, this.hand);
    return way ? [...way.routes, ...way.own] : [];
  });

  readonly #asked = $derived.by(() => this.game.decision?.number);

  readonly claim: Claim;

  constructor(readonly table: Table) {
    this.claim = new Claim(this);
    // A choice that belongs to an older decision is forgotten.
    $effect(() => {
      void this.#asked;
      untrack(() => {
        this.claim.forget();
        this.opened = "";
        if (this.game.decision?.phase === "turn" && !this.#touched) this.site = null;
        this.marked = [];
        this.ticket = null;
      });
    });
    $effect(() => {
      if (this.offers.length > 0) untrack(() => this.#goOn());
    });
    $effect(() => {
      void this.game.decision?.number;
      if (this.table.sent !== null) return;
      const next = this.#next;
      this.#next = null;
      if (next && this.game.decision?.phase === "draw")
        untrack(() => void this.try(next.kind, next.card));
    });
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
    if (offer) this.act(offer.action);
  }

  /** Takes actions one after the other, as a whole. */
  act(...actions: number[]): void {
    this.note = null;
    this.claim.forget();
    this.opened = "";
    void this.table.act(...actions);
  }

  /** A city is touched: what is built there is begun, or moves there from another city. */
  city(city: number): void {
    if (this.site === city) return this.cancel();
    const moves = this.site !== null && this.halfway && this.placed.cities.size === 0;
    this.table.hurry();
    this.site = city;
    this.#touched = true;
    if (moves) void this.table.takeBack(beginning(this.game));
    else this.#goOn();
  }

  /** Goes on to the price of what is built in the city that was touched. */
  #goOn(): void {
    if (!this.#touched || this.site === null) return;
    const { cities } = this.placed;
    const offer = cities.size > 0 ? cities.get(this.site) : this.#builds[0];
    const { site } = this;
    if (offer) this.act(offer.action);
    if (offer && cities.size === 0) return;
    this.#touched = false;
    if (offer) return;
    this.site = null;
    const place = this.table.board?.city_list[site];
    const [at] = cities.values();
    if (place && at) void this.attempt(undefined, at.notation.replace(/\S+$/, place.id));
  }

  cancel(): void {
    this.#touched = false;
    if (this.opened) this.opened = "";
    else if (!this.claim.back() && this.halfway) void this.table.takeBack(beginning(this.game));
  }

  /** In the middle of something that can be called off. */
  readonly halfway = $derived.by(
    () => this.table.undoable > 0 && phaseDisplay(this.game.decision?.phase ?? "").callOff === true,
  );
}
