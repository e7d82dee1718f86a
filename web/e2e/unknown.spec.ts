/** A rule that the page has never heard of can be played all the same. */

import type { Decision, Offer } from "../src/lib/api/messages";
import { hand, log, prompt } from "./parts";
import { begin, open, seat, test } from "./seats";
import { emptyStore, OwnServer } from "./server";
import { expect, type Page } from "./test";

/** Lets the page hear of some offers as of a kind that it can't know. */
async function disguise(page: Page, kind: string): Promise<void> {
  const strange = (offer: Offer, k: number): Offer =>
    offer.do === kind
      ? { action: offer.action, do: "toy", notation: "toy", text: `Play with the toy ${k}` }
      : offer;
  await page.routeWebSocket(/\/socket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((data) => {
      const message = JSON.parse(String(data)) as { decision?: Decision | null };
      if (message.decision) message.decision.offers = message.decision.offers.map(strange);
      socket.send(JSON.stringify(message));
    });
  });
}

const toys = (page: Page) => page.getByRole("button", { name: /^Play with the toy/ });

for (const text of [false, true])
  test(`what can be done in a turn is a button, ${text ? "in text mode" : "on the table"}`, async ({
    person,
  }) => {
    const [ada, ben] = [await person(), await person()];
    const table = await seat([ada, ben], { board: "usa", seed: 3, settings: { text } });
    await begin([ada, ben]);
    await disguise(ada, "draw");
    if (text) await ada.goto(`/t/${table}`);
    else await open(ada, table);
    await expect(toys(ada)).toHaveCount(1);
    await toys(ada).click();
    await expect(ada.getByText("You draw").first()).toBeVisible();
    if (!text) await expect(hand(ada, 5)).toBeVisible();
  });

for (const text of [false, true])
  test(`a decision is all buttons, ${text ? "in text mode" : "on the table"}`, async ({
    person,
  }) => {
    const [ada, ben] = [await person(), await person()];
    const table = await seat([ada, ben], { board: "usa", seed: 3, settings: { text } });
    await disguise(ada, "keep");
    await ada.goto(`/t/${table}`);
    await expect(toys(ada)).not.toHaveCount(0);
    await toys(ada).first().click();
    await expect(toys(ada)).toHaveCount(0);
    if (text) await expect(ada.getByText("Ben is thinking.")).toBeVisible();
    else await expect(prompt(ada)).toContainText("Ben is thinking.");
    if (!text) await expect(log(ada)).toContainText("You have chosen.");
  });

for (const text of [false, true])
  test(`a rule that nothing knows is played, ${text ? "in text mode" : "on the table"}`, async ({
    person,
  }) => {
    const port = Number(process.env["E2E_PORT"] ?? 8971) + (text ? 102 : 101);
    const server = new OwnServer(port, emptyStore(), "toy_server.py");
    try {
      await server.start();
      const [ada, ben] = [await person(server.address), await person(server.address)];
      const table = await seat([ada, ben], { board: "picnics", seed: 1, settings: { text } });
      await begin([ada, ben]);
      // A board without a stored drawing is drawn by a process that stands back behind all others.
      await ada.request.get(`${server.address}/api/boards/picnics/drawing`, { timeout: 60_000 });
      if (text) await ada.goto(`/t/${table}`);
      else await open(ada, table);
      await ada.getByRole("button", { name: "picnic 1" }).click();
      await expect(ada.getByRole("button", { name: "picnic small" })).toBeVisible();
      await ada.getByRole("button", { name: "picnic large" }).click();
      await expect(ada.getByText("PicnicHeld city=0 size=1").first()).toBeVisible();
      await Promise.all([ada.close(), ben.close()]); // before the server goes
    } finally {
      server.kill();
    }
  });
