import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ServerMessage } from "../src/lib/api/messages";
import { backoff, TableSocket, type Link, type Wire } from "../src/lib/api/socket";

class FakeWire implements Wire {
  sent: Record<string, unknown>[] = [];
  onopen: Wire["onopen"] = null;
  onmessage: Wire["onmessage"] = null;
  onclose: Wire["onclose"] = null;
  constructor(readonly path: string) {}
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.onclose = null;
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let wires: FakeWire[];
let links: Link[];
let heard: ServerMessage[];
let since: number;

function socket(): TableSocket {
  return new TableSocket(
    "abc",
    {
      since: () => since,
      speech: () => "lang=fr",
      receive: (message) => heard.push(message),
      link: (state) => links.push(state),
    },
    (path) => {
      const wire = new FakeWire(path);
      wires.push(wire);
      return wire;
    },
  );
}
const at = (k: number): FakeWire => wires[k] ?? new FakeWire("none");

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  links = [];
  heard = [];
  since = 0;
});
afterEach(() => vi.useRealTimers());

test("it asks for what it has missed, in the reader's language", () => {
  since = 12;
  socket().connect();
  expect(at(0).path).toBe("/api/tables/abc/socket?since=12&lang=fr");
});

test("a wish waits for the welcome, and its answer settles it", async () => {
  const line = socket();
  line.connect();
  const answer = line.ask({ type: "act", decision: 3, action: 9 });
  expect(at(0).sent).toEqual([]);
  at(0).hear({ type: "welcome" });
  expect(at(0).sent).toMatchObject([{ type: "act", decision: 3, action: 9 }]);
  at(0).hear({ type: "done", id: at(0).sent[0]?.["id"], number: 5 });
  await expect(answer).resolves.toMatchObject({ type: "done", number: 5 });
});

test("what was not answered is sent again under the same id", () => {
  const line = socket();
  line.connect();
  at(0).hear({ type: "welcome" });
  void line.ask({ type: "act", decision: 1, action: 2 });
  at(0).onclose?.({ code: 1006 });
  expect(links.at(-1)).toBe("lost");
  vi.advanceTimersByTime(2000);
  at(1).hear({ type: "welcome" });
  expect(at(1).sent).toEqual(at(0).sent);
});

test("what was answered is not sent again", () => {
  const line = socket();
  line.connect();
  at(0).hear({ type: "welcome" });
  void line.ask({ type: "say", text: "hello" });
  at(0).hear({ type: "done", id: at(0).sent[0]?.["id"], number: 1 });
  at(0).onclose?.({ code: 1006 });
  vi.advanceTimersByTime(2000);
  at(1).hear({ type: "welcome" });
  expect(at(1).sent).toEqual([]);
});

test("a long silence counts as a lost connection", () => {
  socket().connect();
  at(0).hear({ type: "welcome" });
  vi.advanceTimersByTime(70_000);
  expect(links).toContain("lost");
});

test("a closed socket stays closed", () => {
  const line = socket();
  line.connect();
  line.close();
  vi.advanceTimersByTime(60_000);
  expect(wires).toHaveLength(1);
});

test("the wait grows and has an end", () => {
  expect(backoff(0, 0.5)).toBe(400);
  expect(backoff(3, 0.5)).toBe(3200);
  expect(backoff(20, 0.5)).toBe(4_000);
  expect(backoff(20, 1)).toBe(5_000);
});

test("a nudge connects at once what waits or is silent, and leaves alone what is well", () => {
  const line = socket();
  line.connect();
  at(0).hear({ type: "welcome" });
  line.nudge();
  expect(wires).toHaveLength(1);
  at(0).onclose?.({ code: 1006 });
  line.nudge();
  expect(wires).toHaveLength(2);
  at(1).hear({ type: "welcome" });
  vi.setSystemTime(Date.now() + 40_000);
  line.nudge();
  expect(wires).toHaveLength(3);
  at(2).onclose?.({ code: 4404 });
  line.nudge();
  expect(wires).toHaveLength(3);
});
