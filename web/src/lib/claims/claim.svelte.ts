/** Claiming a route: which one the reader points at and chooses, what it costs, how it is paid for. */

import { untrack } from "svelte";
import type { WayInfo, Ways } from "$lib/api/messages";
import { settings } from "$lib/settings.svelte";
import type { Play } from "$lib/table/play.svelte";
import { chainOf, claimable, hasChoice, spare } from "./payments";
import { WaysToPay } from "./ways.svelte";

/** Why a route can't be claimed. */
export interface Reason {
  route: number;
  text: string;
  rule: string;
  title: string;
}

export class Claim {
  pointed = $state<number | null>(null);
  chosen = $state<number | null>(null);
  reason = $state.raw<Reason | null>(null);
  /** The payment whose sets of any cards are being put together, and these cards by kind. */
  making = $state.raw<WayInfo | null>(null);
  any = $state.raw<number[]>([]);
  /** Routes that are listed with what they cost. */
  listed = $state.raw<readonly number[]>([]);
  /** A route that was pressed, until it is known how it can be paid for. */
  #pressed: number | null = null;
  /** The route was chosen by keys, so the focus follows. */
  #byKey = false;
  readonly #ways: WaysToPay;

  /** The routes that can be claimed now. */
  readonly open = $derived.by(() => claimable(this.play.offers));
  /** The ways to pay for the chosen route, if it can be claimed. */
  readonly payments = $derived.by(() => (this.chosen === null ? [] : this.paymentsOf(this.chosen)));

  constructor(private readonly play: Play) {
    this.#ways = new WaysToPay(
      () => play.game.view,
      (route) => play.table.how(route),
    );
    // What is pointed at is asked about, also out of turn, and again when the view has changed.
    $effect(() => {
      const { view, seat, table } = play.game;
      const route = this.chosen ?? this.pointed;
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

  /** What a route would cost that can't be claimed just now; undefined: more than there is. */
  costLater(route: number): WayInfo | undefined {
    return this.open.has(route) ? undefined : this.waysOf(route)?.ways?.[0];
  }

  /** Claims a route: the whole payment, with these cards in its sets. */
  pay(way: WayInfo, any: number[] = spare(this.play.hand, way)): void {
    this.play.act(...chainOf(way, any));
  }

  /** Pays, after it is settled which cards make up the sets. */
  choose(way: WayInfo): void {
    if (!hasChoice(this.play.hand, way)) return this.pay(way);
    this.making = way;
    this.any = spare(this.play.hand, way);
  }

  async press(route: number, how: "mouse" | "touch" | "key"): Promise<void> {
    this.play.table.hurry();
    this.play.opened = "";
    const before = this.chosen;
    this.forget();
    this.#byKey = how === "key";
    if (before === route) return;
    if (this.open.has(route)) return this.#claim(route, how !== "touch" && !settings.confirm);
    this.chosen = route;
    await this.#explain(route);
  }

  /** Claims a route at once if that is plain, or lets the reader choose how to pay. */
  async #claim(route: number, quick: boolean): Promise<void> {
    const decision = this.play.game.decision?.number;
    this.#pressed = route;
    const { ways = [] } = await this.#ways.find(route);
    // Meanwhile the reader may have pressed something else, or the turn may be over.
    if (this.#pressed !== route || this.play.game.decision?.number !== decision) return;
    this.#pressed = null;
    const [best] = ways;
    const plain = settings.thrifty || ways.length === 1;
    if (best && plain && quick && !hasChoice(this.play.hand, best)) this.pay(best);
    else this.chosen = route;
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
    const { chosen } = this;
    if (this.making) this.making = null;
    else if (chosen === null) return false;
    else {
      this.forget();
      if (this.#byKey) document.querySelector<SVGElement>(`[data-route="${chosen}"]`)?.focus();
    }
    return true;
  }

  /** Nothing is chosen any more. */
  forget(): void {
    this.#pressed = null;
    this.chosen = null;
    this.making = null;
    this.reason = null;
  }
}
