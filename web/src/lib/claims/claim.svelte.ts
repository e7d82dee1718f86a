/**
 * Claiming a route, and paying in general: what the reader points at and chooses, the cards in the
 * slots, the decision that follows, and the actions that one button sends.
 */

import { untrack } from "svelte";
import type { Offer, WayInfo, Ways } from "$lib/api/messages";
import { partOf } from "$lib/decisions/offers";
import { settings } from "$lib/settings.svelte";
import type { Play } from "$lib/table/play.svelte";
import { t } from "$lib/words/words.svelte";
import { chainOf, claimable, offersFor } from "./payments";
import { best, cardsOf, fill, put, same, swap, swapSet, type Paid, type Slot } from "./slots";
import { WaysToPay } from "./ways.svelte";

/** Why a route can't be claimed. */
export interface Reason {
  route: number;
  text: string;
  rule: string;
  title: string;
}

/** What can be paid: a way to claim a route, or an offer that takes cards. */
export type Payable = Omit<WayInfo, "text" | "card"> & { card?: number };

export class Claim {
  pointed = $state<number | null>(null);
  chosen = $state<number | null>(null);
  /** A route that the strip names and the reader looks at there. */
  near = $state<number | null>(null);
  reason = $state.raw<Reason | null>(null);
  /** A card of the hand that was touched before a route: only what it pays for is lit. */
  card = $state<number | null>(null);
  /** A card of the hand that is dragged over the board: it shows what dropping it would choose. */
  dragged = $state<number | null>(null);
  /** Routes that are listed with what they cost. */
  listed = $state.raw<readonly number[]>([]);
  /** The payment and the answer to the decision after it, as far as the reader has changed them. */
  #wish = $state.raw<Paid<Payable> | null>(null);
  #pick = $state.raw<number | null>(null);
  /** A route that was pressed, until it is known how it can be paid for. */
  #pressed: number | null = null;
  /** The route was chosen by keys, so the focus follows. */
  #byKey = false;
  readonly #ways: WaysToPay;

  /** The routes that can be claimed now. */
  readonly open = $derived.by(() => claimable(this.play.offers));
  /** Those of them that the touched card pays for. */
  readonly shown = $derived.by(() => {
    const { board } = this.play.table;
    return board && this.card !== null && this.chosen === null
      ? claimable(offersFor(board, this.play.offers, this.card))
      : this.open;
  });
  /** The route that is shown. */
  readonly route = $derived.by(() => this.chosen ?? this.pointed);
  /** The ways to pay for what is shown: an open decision, or a route, also out of turn. */
  readonly ways = $derived.by<Payable[]>(() => {
    const { part } = this.play.placed;
    if (part) return part.offers.flatMap(payable);
    return this.route === null ? [] : (this.waysOf(this.route)?.ways ?? []);
  });
  /** The payment in the slots. */
  readonly paid = $derived.by<Paid<Payable> | null>(() => {
    const wish = this.#wish;
    const again = wish && this.ways.find((way) => same(way, wish.way));
    if (again) return fill(this.play.hand, again, wish.any);
    const begins = this.chosen === null && !this.play.placed.part;
    const card = (begins ? this.dragged : null) ?? this.card ?? -1;
    const with_ = this.ways.filter(({ cards }) => (cards[card] ?? 0) > 0);
    const first = best(with_.length > 0 ? with_ : this.ways, this.#needed);
    return first ? fill(this.play.hand, first) : null;
  });
  /** Cards of the hand that lie in the slots, by kind. */
  readonly laid = $derived.by(() =>
    this.paid && (this.chosen !== null || this.play.placed.part) ? cardsOf(this.paid) : [],
  );
  /** The decision to be answered with the payment: the one that is open, or that follows it. */
  readonly next = $derived.by(() => {
    const { part } = this.play.placed;
    if (part) return { ...part, offers: part.offers.filter(({ cards }) => !cards) };
    const way = this.paid?.way;
    const found = way && !way.reveals ? partOf(way.offers ?? []) : null;
    return found?.choice ? found : null;
  });
  /** The answer to it that is marked. */
  readonly picked = $derived.by<Offer | undefined>(() => {
    const { next, play } = this;
    if (!next?.choice || !play.situation) return undefined;
    const wish = next.offers.find(({ action }) => action === this.#pick);
    return wish ?? next.best?.(next.offers, play.situation) ?? next.offers[0];
  });
  /** What the button sends; empty: it can't be pressed. */
  readonly chain = $derived.by<number[]>(() => {
    const { paid, picked, chosen, play } = this;
    const then = picked ? [picked.action] : [];
    if (play.placed.part) return paid ? paid.way.actions : then;
    if (!paid || chosen === null || !this.open.has(chosen)) return [];
    return [...chainOf(paid), ...then];
  });

  /** The colours that the ways of the reader's tickets need elsewhere. */
  readonly #needed = $derived.by(
    () =>
      new Set(
        [...this.play.helpful.keys()].flatMap((k) =>
          k === this.route ? [] : (this.play.table.board?.route_list[k]?.colour ?? []),
        ),
      ),
  );

  constructor(private readonly play: Play) {
    this.#ways = new WaysToPay(
      () => play.game.view,
      (route) => play.table.how(route),
    );
    // What is pointed at is asked about, also out of turn, and again when the view has changed.
    $effect(() => {
      const { view, seat, table } = play.game;
      const { route } = this;
      if (!view || seat < 0 || table?.status !== "playing") return;
      const routes = [...(route === null ? [] : [route]), ...this.listed];
      untrack(() => this.#ways.want(routes));
    });
  }

  /** How a route can be paid for, as far as the server has told. */
  waysOf(route: number): Ways | undefined {
    return this.#ways.of(route);
  }

  /** The ways to claim a route now; empty until the server has answered. */
  paymentsOf(route: number): WayInfo[] {
    return this.open.has(route) ? (this.waysOf(route)?.ways ?? []) : [];
  }

  /** Asks before all others how a route can be paid for. */
  async ask(route: number): Promise<void> {
    await this.#ways.find(route);
  }

  /** What a route would cost that can't be claimed just now; undefined: more than there is. */
  costLater(route: number): WayInfo | undefined {
    return this.open.has(route) ? undefined : this.waysOf(route)?.ways?.[0];
  }

  /** A card of the hand is touched: it goes into the slots, or shows what it pays for. */
  touch(kind: number): void {
    this.play.table.hurry();
    if (this.chosen === null && !this.play.placed.part) {
      this.card = this.card === kind ? null : kind;
      return;
    }
    if (!this.#change(this.#with(kind))) this.play.tell(t("strip.no_room"));
  }

  /** Whether a card of the hand could go into the slots. */
  takes(kind: number): boolean {
    return this.#with(kind) !== null;
  }

  #with(kind: number): Paid<Payable> | null {
    return this.paid && put(this.ways, this.play.hand, this.paid, kind);
  }

  /** What becomes of the payment when a slot is touched; null: nothing else can go there. */
  swapped(slot: Slot): Paid<Payable> | null {
    return this.paid && swap(this.ways, this.play.hand, this.paid, slot);
  }

  /** What becomes of it when a whole set is touched. */
  unset(): Paid<Payable> | null {
    return this.paid && swapSet(this.ways, this.play.hand, this.paid);
  }

  swap(slot: Slot): void {
    this.#change(this.swapped(slot));
  }

  swapSet(): void {
    this.#change(this.unset());
  }

  #change(to: Paid<Payable> | null): boolean {
    if (to) this.#wish = to;
    return to !== null;
  }

  /** Marks an answer to the decision that follows. */
  pick(offer: Offer): void {
    this.#pick = offer.action;
  }

  /** Sends what the slots show. */
  do(): void {
    const { chain, chosen } = this;
    const { underway } = this.play;
    if (chain.length === 0) return;
    const inStrip = document.activeElement?.closest("[data-strip]");
    this.play.act(...chain);
    if (inStrip) focusBoard(chosen ?? underway);
  }

  /** Chooses a route; one that is chosen is let go. */
  async press(route: number, how: "mouse" | "touch" | "key"): Promise<void> {
    const before = this.chosen;
    const { card } = this;
    this.#leave();
    if (before === route) return;
    await this.#choose(route, card, how === "key");
  }

  /** A card of the hand is dropped on a route. */
  async drop(route: number, card: number): Promise<void> {
    this.#leave();
    await this.#choose(route, card, false);
  }

  #leave(): void {
    this.play.table.hurry();
    this.play.opened = "";
    this.forget();
  }

  async #choose(route: number, card: number | null, byKey: boolean): Promise<void> {
    this.card = card;
    this.#byKey = byKey;
    if (this.open.has(route) && settings.thrifty && card === null) return this.#payAtOnce(route);
    this.chosen = route;
    if (byKey) await focusButton();
    if (!this.open.has(route)) await this.#explain(route);
  }

  /** Claims a route with the thriftiest payment; the decision after it is asked. */
  async #payAtOnce(route: number): Promise<void> {
    const decision = this.play.game.decision?.number;
    this.#pressed = route;
    const { ways = [] } = await this.#ways.find(route);
    // Meanwhile the reader may have pressed something else, or the turn may be over.
    if (this.#pressed !== route || this.play.game.decision?.number !== decision) return;
    this.#pressed = null;
    const first = best(ways, this.#needed);
    if (first) this.play.act(...chainOf(fill(this.play.hand, first)));
  }

  /** Tells why a route can't be claimed. */
  async #explain(route: number): Promise<void> {
    if (this.play.me < 0 || this.play.game.table?.status !== "playing") return;
    const because = await this.play.table.why({ route });
    if (!because || this.chosen !== route) return;
    const { text, rule = "", title = "" } = because;
    this.reason = { route, text, rule, title };
  }

  /** Goes back one step; false if there was nothing to go back from. */
  back(): boolean {
    const { chosen, card } = this;
    if (chosen === null && card === null) return false;
    this.forget();
    if (chosen !== null && this.#byKey) focusBoard(chosen);
    return true;
  }

  /** Nothing is chosen any more. */
  forget(): void {
    this.#pressed = null;
    this.chosen = null;
    this.near = null;
    this.card = null;
    this.reason = null;
    this.#wish = null;
    this.#pick = null;
  }
}

/** An offer that takes cards, as a way to pay. */
const payable = ({ action, cards, sets, extra }: Offer): Payable[] =>
  cards
    ? [{ actions: [action], cards, ...(sets ? { sets } : {}), ...(extra ? { extra } : {}) }]
    : [];

/** The focus goes to the strip's button, once it is there. */
async function focusButton(): Promise<void> {
  await new Promise(requestAnimationFrame);
  document.querySelector<HTMLElement>("[data-strip] [data-do]")?.focus();
}

/** The focus goes back to the board, to the route it came from. */
function focusBoard(route: number | null): void {
  document.querySelector<SVGElement>(`[data-route="${route ?? 0}"]`)?.focus();
}
