import { expect, test } from "vitest";
import { chain, networkOf, shortestWay, ticketState } from "../src/lib/game/network";
import { board } from "./board";

const free = [0, 0, 0, 0, 0, 0];

test("a network joins the cities of a seat's own routes only", () => {
  const network = networkOf(board, [1, 0, 2, 0, 1, 0], 0);
  expect(network.joined(3, 1)).toBe(true);
  expect(network.joined(1, 2)).toBe(false);
});

test("the shortest way takes the fewest trains", () => {
  const way = shortestWay(board, free, 0, 0, 2);
  expect(way?.trains).toBe(3);
  expect(way?.routes.toSorted()).toEqual([3, 4]);
});

test("own routes cost nothing, routes of others are no way", () => {
  const way = shortestWay(board, [1, 15, 0, 2, 0, 0], 0, 0, 2);
  expect(way).toEqual({ routes: [2], own: [0], trains: 3 });
});

test("the twin of an own route is no way for the same seat", () => {
  const way = shortestWay(board, [1, 0, 0, 0, 0, 0], 0, 0, 1);
  expect(way).toEqual({ routes: [], own: [0], trains: 0 });
});

test("of equally short ways the hand decides", () => {
  const way = (...hand: number[]) => shortestWay(board, free, 0, 0, 1, hand)?.routes;
  expect(way(2, 0, 0)).toEqual([0]);
  expect(way(0, 2, 0)).toEqual([1]);
  expect(way(1, 2, 0)).toEqual([1]);
  expect(shortestWay(board, free, 0, 0, 2, [0, 4, 0])?.trains).toBe(3);
});

test("a city that is cut off has no way", () => {
  expect(shortestWay(board, [0, 0, 0, 2, 2, 0], 0, 3, 1)).toBeNull();
});

test("a ticket is done when its cities are joined", () => {
  expect(ticketState(board, [0, 0, 0, 1, 1, 0], 0, 5, 0)).toMatchObject({
    done: true,
    beyond: false,
  });
});

test("a ticket is beyond reach with too few trains", () => {
  expect(ticketState(board, free, 0, 2, 0)).toMatchObject({ done: false, beyond: true });
});

test("the chain of a ticket is made of own routes", () => {
  expect(chain(board, [0, 0, 0, 1, 1, 0], 0, 0, 2).toSorted()).toEqual([3, 4]);
  expect(chain(board, free, 0, 0, 2)).toEqual([]);
  expect(chain(board, [1, 0, 1, 1, 1, 1], 0, 0, 2).toSorted()).toEqual([3, 4]);
});
