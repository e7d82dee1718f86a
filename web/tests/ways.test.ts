import { expect, test } from "vitest";
import type { Ways } from "../src/lib/api/messages";
import { WaysToPay } from "../src/lib/claims/ways.svelte";
import type { View } from "../src/lib/game/view";

/** A server that answers when it is told to, and the view on show. */
function server() {
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const state = { view: {} as View };
  const ways = new WaysToPay(
    () => state.view,
    (route) =>
      new Promise<Ways>((settle) => {
        asked.push(route);
        answers.push(() => settle({ type: "ways", id: "", route, text: `answer ${asked.length}` }));
      }),
    () => Promise.resolve(),
  );
  /** Lets everything go on that waits for nobody, after the next answer. */
  const answer = async (): Promise<void> => {
    answers.shift()?.();
    await new Promise((go) => setTimeout(go));
  };
  return { asked, answer, state, ways };
}

test("a route is asked about once, and its answer is kept", async () => {
  const { asked, answer, ways } = server();
  ways.want([3]);
  expect(ways.of(3)).toBeUndefined();
  await answer();
  expect(ways.of(3)?.text).toBe("answer 1");
  ways.want([3]);
  expect((await ways.find(3)).text).toBe("answer 1");
  expect(asked).toEqual([3]);
});

test("there is one question at a time, what is waited for first", async () => {
  const { asked, answer, ways } = server();
  ways.want([1, 2]);
  const found = ways.find(7);
  expect(asked).toEqual([1]);
  await answer();
  expect(asked).toEqual([1, 7]);
  await answer();
  expect((await found).route).toBe(7);
  expect(asked).toEqual([1, 7, 2]);
});

test("what nobody looks at any more is not asked", async () => {
  const { asked, answer, ways } = server();
  ways.want([1]);
  ways.want([2]);
  ways.want([3]);
  await answer();
  expect(asked).toEqual([1, 3]);
});

test("when the view changes, answers are forgotten, and what is on its way is asked again", async () => {
  const { asked, answer, state, ways } = server();
  ways.want([4]);
  await answer();
  state.view = { hand: [1] };
  expect(ways.of(4)).toBeUndefined();
  const found = ways.find(4);
  state.view = { hand: [2] };
  await answer();
  expect(ways.of(4)).toBeUndefined();
  await answer();
  expect((await found).text).toBe("answer 3");
  expect(asked).toEqual([4, 4, 4]);
});
