import { expect, test } from "vitest";
import type { EntryInfo, EventInfo } from "../../src/lib/api/messages";
import { tunnelOf } from "../../src/lib/rules/tunnels/tunnel";

const told = (event: string, seat: number, values: Record<string, unknown> = {}): EventInfo => ({
  event,
  seat,
  text: "",
  values,
});
const entry = (...events: EventInfo[]): EntryInfo => ({ number: 1, at: 0, kind: "moved", events });

test("a tunnel counts the colour that was played and locomotives", () => {
  const turned = [0, 1, 2].map((card) => told("TunnelCardTurnedUp", -1, { card }));
  const red = tunnelOf(entry(told("TunnelTried", 0, { route: 7, cards: [2, 0, 1] }), ...turned), 2);
  expect(red.cards.map(({ hit }) => hit)).toEqual([true, false, true]);
  expect(red.due).toBe(2);
  const wild = tunnelOf(
    entry(told("TunnelTried", 0, { route: 7, cards: [0, 0, 3] }), ...turned),
    2,
  );
  expect(wild.due).toBe(1);
});
