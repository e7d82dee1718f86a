/** How routes can be paid for: asked of the server, and kept until the view changes. */

import type { Ways } from "$lib/api/messages";
import type { View } from "$lib/game/view";

/** At least so many milliseconds between two questions: a server answers only so many a second. */
const PAUSE = 60;

const pause = (): Promise<void> => new Promise((go) => setTimeout(go, PAUSE));

interface Waiting {
  route: number;
  settle: (ways: Ways) => void;
}

export class WaysToPay {
  /** The answers, and the view that they are for. */
  #known = $state.raw<{ view: View | null; answers: ReadonlyMap<number, Ways> }>({
    view: null,
    answers: new Map(),
  });
  #waiting: Waiting[] = [];
  #wanted: readonly number[] = [];
  #asking = false;

  constructor(
    private readonly view: () => View | null,
    private readonly ask: (route: number) => Promise<Ways | null>,
    private readonly rest: () => Promise<void> = pause,
  ) {}

  /** What the server has answered for the view on show; undefined: nothing yet. */
  of(route: number): Ways | undefined {
    return this.#known.view === this.view() ? this.#known.answers.get(route) : undefined;
  }

  /** Asks about a route before all others. */
  find(route: number): Promise<Ways> {
    const known = this.of(route);
    if (known) return Promise.resolve(known);
    return new Promise((settle) => {
      this.#waiting.push({ route, settle });
      void this.#run();
    });
  }

  /** Asks about these routes, in this order, and no longer about those that were wanted before. */
  want(routes: readonly number[]): void {
    this.#wanted = routes;
    void this.#run();
  }

  /** One question at a time; one without an answer is asked again. */
  async #run(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    for (;;) {
      const routes = [...this.#waiting.map(({ route }) => route), ...this.#wanted];
      const route = routes.find((k) => this.of(k) === undefined);
      if (route === undefined) break;
      const view = this.view();
      const answer = await this.ask(route);
      if (answer && view === this.view()) this.#keep(view, route, answer);
      await this.rest();
    }
    this.#asking = false;
  }

  #keep(view: View | null, route: number, answer: Ways): void {
    const before = this.#known.view === view ? this.#known.answers : [];
    this.#known = { view, answers: new Map([...before, [route, answer]]) };
    for (const waiting of this.#waiting) if (waiting.route === route) waiting.settle(answer);
    this.#waiting = this.#waiting.filter((waiting) => waiting.route !== route);
  }
}
