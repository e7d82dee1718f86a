import { expect, test } from "vitest";
import type { BoardFacts, RuleEntry } from "../src/lib/api/facts";
import type { Offer } from "../src/lib/api/messages";
import {
  claimable,
  costAtTurn,
  hasChoice,
  nextStep,
  paymentsOf,
  spare,
  thriftiest,
  type Payment,
} from "../src/lib/claims/payments";
import { keepOffer, keepRange } from "../src/lib/tickets/keep";
import type { View } from "../src/lib/game/view";
import { board } from "./board";

const offer = (action: number, kind: string, more: Partial<Offer> = {}): Offer => ({
  action,
  do: kind,
  notation: "",
  text: "",
  ...more,
});

test("the thriftiest payment has the fewest locomotives", () => {
  const pays = [
    offer(1, "pay", { cards: [0, 1, 2] }),
    offer(2, "pay", { cards: [0, 3, 0] }),
    offer(3, "pay", { cards: [0, 2, 1] }),
  ];
  expect(thriftiest(board, pays).map((pay) => pay.action)).toEqual([2, 3, 1]);
});

test("cards beyond need come after a plain payment with locomotives", () => {
  const pays = [
    offer(1, "pay", { cards: [0, 4, 0], extra: 1 }),
    offer(2, "pay", { cards: [0, 2, 1] }),
  ];
  expect(thriftiest(board, pays)[0]?.action).toBe(2);
});

const claim = (action: number, route: number, card: number): Offer =>
  offer(action, "claim", { route, card });
const ways = (facts: BoardFacts, view: View, claims: Offer[], route: number): Payment[] =>
  paymentsOf(facts, view, 0, 2, claims, route);
const costs = (pays: Payment[]): number[][] => pays.map((pay) => pay.cards);
const withRules = (rules: RuleEntry[]): BoardFacts => ({
  ...board,
  rules: [...board.rules, ...rules.map(({ rule }) => rule)],
  rule_list: [...board.rule_list, ...rules],
});

test("a gray route: every split of every colour, fewest locomotives and the larger pile first", () => {
  const claims = [claim(1, 2, 0), claim(2, 2, 1), claim(3, 2, 2), claim(4, 3, 1)];
  const view = { hand: [3, 5, 3], trains: [9, 9] };
  const pays = ways(board, view, claims, 2);
  expect(costs(pays)).toEqual([
    [0, 3, 0],
    [3, 0, 0],
    [0, 2, 1],
    [2, 0, 1],
    [0, 1, 2],
    [1, 0, 2],
    [0, 0, 3],
  ]);
  expect(pays[0]?.claim.action).toBe(2);
});

test("a ferry's symbols are paid with locomotives", () => {
  const facts = withRules([{ rule: "ferries" }]);
  const view = { hand: [0, 5, 1], trains: [9, 9] };
  expect(costs(ways(facts, view, [claim(1, 3, 1)], 3))).toEqual([[0, 1, 1]]);
});

test("where locomotives do not serve, they are not offered", () => {
  const facts = withRules([{ rule: "locomotive_restriction", allowed: ["ferries", "tunnels"] }]);
  const view = { hand: [2, 4, 4], trains: [9, 9] };
  expect(costs(ways(facts, view, [claim(1, 0, 0)], 0))).toEqual([[2, 0, 0]]);
  expect(ways(facts, view, [claim(1, 5, 1)], 5)).toHaveLength(4);
});

test("sets of any cards stand for a ferry's locomotive", () => {
  const ferries = withRules([{ rule: "ferries" }, { rule: "substitutes", ferry_locomotive: 3 }]);
  const facts = {
    ...ferries,
    route_list: ferries.route_list.map((route, k) => (k === 3 ? { ...route, set_size: 3 } : route)),
  };
  const view = { hand: [2, 3, 1], trains: [9, 9] };
  const pays = ways(facts, view, [claim(1, 3, 1)], 3);
  expect(pays.map(({ cards, sets, any }) => [cards, sets, any])).toEqual([
    [[0, 1, 1], 0, 0],
    [[0, 1, 0], 1, 3],
  ]);
  const [, any] = pays;
  if (!any) throw new Error("no payment with a set");
  expect(hasChoice(view.hand, any)).toBe(true);
  expect(spare(view.hand, any)).toEqual([2, 1, 0]);
  expect(hasChoice([0, 4, 0], any)).toBe(false);
});

test("paying more reaches up to the highest free spot of the mat", () => {
  const lines = [{ colour: "red", spots: [1, 2, 3, 4] }];
  const facts = withRules([{ rule: "province_mat", lines }]);
  const claims = [claim(1, 0, 0)];
  const view = { hand: [5, 0, 0], trains: [9, 9], mat: [0, 0, 0, 2] };
  expect(ways(facts, view, claims, 0).map((pay) => pay.extra)).toEqual([0, 1]);
  expect(ways(facts, { ...view, mat: [0, 0, 0, 0] }, claims, 0)).toHaveLength(3);
  expect(ways(facts, { ...view, trains: [2, 9] }, claims, 0)).toHaveLength(1);
});

test("cards that lift the train no higher are not offered, unless an Express card makes them", () => {
  const lines = [{ colour: "red", spots: [1, 2, 3, 4, 5] }];
  const facts = withRules([
    { rule: "province_mat", lines },
    { rule: "express_cards", values: [1, 2] },
  ]);
  const view = { hand: [5, 0, 0], trains: [9, 9], mat: [0, 0, 2, 0, 0], express: [0, 0, 1, 1] };
  const extras = (more: View): number[] =>
    ways(facts, { ...view, ...more }, [claim(1, 0, 0)], 0).map((pay) => pay.extra);
  expect(extras({})).toEqual([0, 2, 3]);
  expect(extras({ express: [1, 0, 1, 1] })).toEqual([0, 1, 2, 3]);
});

test("the same cards are offered once: locomotives pay for spaces first, then the first colour", () => {
  const ferries = withRules([{ rule: "ferries" }, { rule: "substitutes", ferry_locomotive: 3 }]);
  const facts = {
    ...ferries,
    route_list: ferries.route_list.map((route, k) =>
      k === 3 ? { ...route, set_size: 3, colour: null } : route,
    ),
  };
  const view = { hand: [1, 3, 2], trains: [9, 9] };
  const sets = (colour: number): (number[] | undefined)[] =>
    ways(facts, view, [claim(1, 3, colour)], 3)
      .filter((pay) => pay.sets > 0)
      .map((pay) => pay.room);
  expect(sets(0)).toEqual([[0, 3, 0]]); // one red card, three of the other colour
  expect(sets(1)).toEqual([]); // red could pay for the space in place of the other colour
  expect(sets(2)).toEqual([
    [1, 3, 1],
    [1, 3, 2],
  ]); // a locomotive and a set, or two sets
});

test("the steps of a payment follow the offers", () => {
  const pay = { claim: claim(1, 3, 1), cards: [0, 1, 0], extra: 0, sets: 1, any: 3 };
  const whole = [2, 2, 0];
  const pays = [
    offer(7, "pay", { cards: [0, 1, 1], sets: 0, extra: 0 }),
    offer(8, "pay", { cards: [0, 1, 0], sets: 1, extra: 0 }),
  ];
  const subs = [0, 1, 2].map((card) => offer(20 + card, "substitute", { card }));
  const next = (offers: Offer[], laid: number[]): number | undefined =>
    nextStep(offers, { laid }, pay, whole)?.action;
  expect(next(pays, [0, 0, 0])).toBe(8);
  expect(next(subs, [0, 1, 0])).toBe(20);
  expect(next(subs, [2, 1, 0])).toBe(21);
  expect(next([offer(1, "draw")], [0, 0, 0])).toBeUndefined();
});

test("claimable routes are those with an offer", () => {
  expect([...claimable([offer(1, "claim", { route: 4 }), offer(2, "draw")])]).toEqual([4]);
});

test("tickets to keep: the range and the offer for a choice", () => {
  const keeps = [[3], [5], [3, 5]].map((tickets, k) => offer(k, "keep", { tickets }));
  expect(keepRange(keeps)).toEqual({ tickets: [3, 5], least: 1, most: 2 });
  expect(keepOffer(keeps, new Set([5]))?.action).toBe(1);
  expect(keepOffer(keeps, new Set([5, 3]))?.action).toBe(2);
  expect(keepOffer(keeps, new Set())).toBeUndefined();
});

test("at another's turn a free route costs the least that the hand allows, or can't be paid", () => {
  const cost = (route: number, view: View): number[] | undefined =>
    costAtTurn(board, { trains: [9, 9], owner: [0, 0, 0, 0, 0, 0], ...view }, 0, 2, route)?.cards;
  expect(cost(0, { hand: [2, 5, 1] })).toEqual([2, 0, 0]);
  expect(cost(0, { hand: [1, 5, 1] })).toEqual([1, 0, 1]);
  expect(cost(0, { hand: [0, 5, 1] })).toBeUndefined();
  expect(cost(2, { hand: [0, 3, 3] })).toEqual([0, 3, 0]);
  expect(cost(2, { hand: [0, 0, 3] })).toEqual([0, 0, 3]);
  expect(cost(0, { hand: [2, 2, 0], owner: [0, 1, 0, 0, 0, 0] })).toBeUndefined();
  expect(cost(0, { hand: [2, 2, 0], owner: [2, 15, 0, 0, 0, 0] })).toBeUndefined();
  expect(cost(0, { hand: [2, 2, 0], trains: [1, 9] })).toBeUndefined();
});
