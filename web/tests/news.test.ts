import { expect, test } from "vitest";
import type { EntryInfo, EventInfo } from "../src/lib/api/messages";
import {
  beat,
  folded,
  freshRoutes,
  haste,
  lastMove,
  loud,
  spoken,
  told,
  worthShowing,
} from "../src/lib/log/news";
import { minutes, special } from "../src/lib/start/special";
import { board } from "./board";

const event = (name: string, values: Record<string, unknown> = {}, text = name): EventInfo => ({
  event: name,
  seat: 1,
  text,
  values,
});
const entry = (...events: EventInfo[]): EntryInfo => ({
  number: 1,
  at: 0,
  kind: "moved",
  seat: 1,
  events,
});

test("equal sentences in a row become one with a number", () => {
  const drawn = event("CardDrawn", {}, "B draws a card.");
  const other = event("RouteClaimed", { route: 3 }, "B claims.");
  expect(told(entry(drawn, drawn, other, drawn))).toEqual([
    ["B draws a card.", 2],
    ["B claims.", 1],
    ["B draws a card.", 1],
  ]);
});

test("lines of a move that say the same become one, of the same event", () => {
  const drawn = event("CardDrawn", {}, "B draws a card.");
  const own = event("CardDrawn", { card: 2 }, "You draw a red card.");
  expect(folded([drawn, drawn, drawn, own])).toEqual([
    [drawn, 3],
    [own, 1],
  ]);
});

test("what only moves cards about is not told", () => {
  expect(loud(event("DisplayFilled"))).toBe(false);
  expect(loud(event("TurnsLeft", { turns: 0 }))).toBe(false);
  expect(loud(event("TurnsLeft", { turns: 1 }))).toBe(true);
});

test("chat is spoken with its speaker", () => {
  expect(spoken({ number: 1, at: 0, kind: "said", name: "Ada", text: "Hi" })).toEqual(["Ada: Hi"]);
});

test("the routes that light up are found in the events", () => {
  const found = freshRoutes(
    entry(event("RouteClaimed", { route: 7 }), event("RouteClosed", { route: 8 })),
  );
  expect(found).toEqual([7]);
  const tunnel = entry(event("TunnelTried", { route: 4 }), event("RouteClaimed", { route: 4 }));
  expect(freshRoutes(tunnel)).toEqual([4]);
});

test("own moves are shown only if they brought a surprise", () => {
  expect(worthShowing(entry(event("CardTaken")), 1)).toBe(false);
  expect(worthShowing(entry(event("CardDrawn")), 1)).toBe(true);
  expect(worthShowing(entry(event("CardTaken")), 0)).toBe(true);
});

test("no entry is shown for long", () => {
  const turned = event("TunnelCardTurnedUp");
  expect(beat(entry(turned))).toBeGreaterThan(300);
  expect(beat(entry(...new Array<EventInfo>(50).fill(turned)))).toBeLessThan(5000);
});

test("a board without rules of its own is a classic", () => {
  expect(special({ ...board, rules: ["deck", "longest_path"] })).toEqual([
    "classic",
    "longest_path",
  ]);
  expect(special({ ...board, rules: ["draft", "second_draft", "festivals"] })).toEqual([
    "festivals",
    "second_draft",
  ]);
  expect(minutes({ ...board, trains: 15 })).toBe(10);
});

test("what waits never takes long to be shown", () => {
  let time = 0;
  for (let left = 40; left > 0; left--) time += 600 * haste(600 * (left - 1));
  expect(time).toBeLessThan(5000);
  expect(haste(1500)).toBe(1);
});

test("the last move of a seat is told without its name", () => {
  const moved = (seat: number, text: string): EntryInfo =>
    ({ number: 1, kind: "moved", seat, events: [{ event: "X", seat, text }] }) as EntryInfo;
  const entries = [moved(0, "Ben claims it."), moved(1, "You draw."), moved(0, "Ben draws.")];
  expect(lastMove(entries, 0, "Ben")).toBe("Draws.");
  expect(lastMove(entries, 1, "Ada")).toBe("You draw.");
  expect(lastMove(entries, 2, "Cleo")).toBe("");
});

test("of a turn the claim is told, not its cards, nor what came after it", () => {
  const told = (name: string): EventInfo => event(name, {}, `Ben ${name}`);
  const claim = entry(told("CardsPlayed"), told("RouteClaimed"));
  const mat = entry(told("TrainPlacedOnMat"));
  expect(lastMove([claim, mat], 1, "Ben")).toBe("RouteClaimed");
  const cards = [entry(told("CardTaken")), entry(told("CardDrawn"))];
  expect(lastMove([claim, { ...mat, seat: 0 }, ...cards], 1, "Ben")).toBe("CardTaken");
});
