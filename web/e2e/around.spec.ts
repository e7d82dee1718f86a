import { printed } from "../src/lib/end/signed";
import { createECDH, createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "@playwright/test";
import { prefer, start } from "./player";
import { fromMenu, log, offered, onBoard, player, prompt } from "./parts";
import { begin, finish, open, seat, test } from "./seats";
import { expect } from "./test";

type Words = Record<string, string | undefined>;

interface Facts {
  table: {
    id: string;
    status: string;
    public: boolean;
    chat: boolean;
    clock: object;
    commitment: string;
    result: { seed: string; scores: number[] } | null;
  };
}
const facts = async (page: Page, id: string): Promise<Facts["table"]> =>
  ((await (await page.request.get(`/api/tables/${id}`)).json()) as Facts).table;
const tableOf = (page: Page): string => new URL(page.url()).pathname.split("/").pop() ?? "";

test("everything that a table can have is chosen when it is made", async ({ page }) => {
  await prefer(page, { speed: "instant", welcomed: true, name: "Ada", board: "new_york" });
  await page.goto("/");
  await page.getByText("More options").click();
  await page.getByRole("combobox", { name: "First player" }).selectOption("Player 2 (Normal bot)");
  await page.getByRole("combobox", { name: "Clock" }).selectOption("3 days per move");
  await page
    .getByRole("combobox", { name: "When time runs out" })
    .selectOption("A bot takes over the seat");
  await page
    .getByRole("combobox", { name: "Bots" })
    .selectOption("take at least 1 second per move");
  await page.getByLabel("List this table").check();
  await page.getByLabel("With chat").uncheck();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(log(page)).toContainText("Bot 2 (normal) goes first.");
  await expect(player(page, "Ada")).toContainText("4320:00");
  await expect(page.getByLabel("Say something")).toHaveCount(0);
  expect(await facts(page, tableOf(page))).toMatchObject({
    public: true,
    chat: false,
    clock: { kind: "move", seconds: 259_200, timeout: "seat" },
  });
});

test("an open table is found in the list and joined; later it is watched", async ({ person }) => {
  const [ada, ben, cleo] = [await person(), await person(), await person()];
  for (const [page, name] of [
    [ada, "Ada"],
    [ben, "Ben"],
    [cleo, "Cleo"],
  ] as const)
    await prefer(page, { speed: "instant", welcomed: true, name, board: "new_york" });
  await ada.goto("/");
  await ada.locator(".seats select").selectOption("A friend, by link");
  await ada.getByText("More options").click();
  await ada.getByLabel("List this table").check();
  await ada.getByRole("button", { name: "Open the table and invite" }).click();
  await expect(ada.getByText("Anyone may join", { exact: true })).toBeVisible();
  const id = tableOf(ada);
  await ben.goto("/");
  await ben.locator(`a[href="/t/${id}"]`).filter({ hasText: "Join" }).click();
  await ben.getByRole("button", { name: "Take a seat" }).click();
  await expect(offered(ben)).toBeVisible();
  await ben.goto("/");
  await ben.locator(`a[href="/t/${id}"]`).filter({ hasText: "Resume" }).click();
  await expect(offered(ben)).toBeVisible();
  await cleo.goto("/");
  await expect(cleo.locator(`a[href="/t/${id}"]`).filter({ hasText: "Watch" })).toBeVisible();
  await cleo.getByLabel("Table link or name").fill(ada.url());
  await cleo.getByRole("button", { name: "Go", exact: true }).click();
  await expect(cleo.getByText("You are watching")).toBeVisible();
});

/** What a browser's push service would give. */
function subscription(): object {
  const keys = createECDH("prime256v1");
  const p256dh = keys.generateKeys().toString("base64url");
  const auth = randomBytes(16).toString("base64url");
  return { endpoint: "https://push.example/1", keys: { p256dh, auth } };
}

/** There is no push service here: the browser is told what one would answer. */
async function withPush(context: BrowserContext): Promise<void> {
  await context.grantPermissions(["notifications"]);
  await context.addInitScript((made) => {
    let held: object | null = null;
    const fake = (json: object): object => ({
      toJSON: () => json,
      unsubscribe: () => {
        held = null;
        return Promise.resolve(true);
      },
    });
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(held),
      subscribe: () => Promise.resolve((held = fake(made))),
    });
  }, subscription());
}

test("one is told of one’s turn by the browser, by a sound, and no more when it is off", async ({
  page,
  context,
}) => {
  await withPush(context);
  await page.addInitScript(() => {
    const real = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function (this: AudioContext) {
      document.documentElement.dataset["notes"] = String(
        Number(document.documentElement.dataset["notes"] ?? 0) + 1,
      );
      return real.call(this);
    };
  });
  const told: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/notices")) told.push(request.postDataJSON());
  });
  const html = page.locator("html");
  await start(page, { board: "new_york" });
  await fromMenu(page, "Settings");
  const push = page.getByLabel("Notify me in this browser");
  await push.check();
  await expect(page.getByText("It applies to all your tables.")).toBeVisible();
  expect(told).toMatchObject([{ push: { endpoint: "https://push.example/1" } }]);
  await push.uncheck();
  await expect.poll(() => told.length).toBe(2);
  expect(told[1]).toEqual({});
  const sounds = page.getByLabel("Game sounds");
  await sounds.uncheck();
  const silent = Number((await html.getAttribute("data-notes")) ?? 0);
  await sounds.check();
  await expect
    .poll(async () => Number(await html.getAttribute("data-notes")))
    .toBeGreaterThan(silent);
  await page.getByRole("button", { name: "Close" }).click();
  await offered(page).locator(".choices button").first().click();
  await offered(page).locator("button.main").click();
  await expect(prompt(page)).toContainText("Your turn.");
  const before = Number(await html.getAttribute("data-notes"));
  await page.keyboard.press("d");
  await expect(page.getByText("Your next card")).toBeVisible();
  await page.keyboard.press("d");
  await expect
    .poll(async () => Number(await html.getAttribute("data-notes")))
    .toBeGreaterThan(before);
});

test("an address of one’s own is kept, and one that can’t be used is refused", async ({
  page,
  allow,
}) => {
  allow(/422/);
  await start(page, { board: "new_york" });
  await fromMenu(page, "Settings");
  const address = page.getByLabel("Notify this web address");
  const keep = page.getByRole("button", { name: "Save", exact: true });
  await address.fill("http://192.168.1.1/turn");
  await keep.click();
  await expect(page.getByRole("dialog")).toContainText("Give an https address");
  expect(await page.evaluate(() => localStorage.getItem("branchline"))).not.toContain("192.168");
  await address.fill("https://hook.example/turn");
  const put = page.waitForRequest((request) => request.url().includes("/notices"));
  await keep.click();
  expect((await put).postDataJSON()).toEqual({ webhook: "https://hook.example/turn" });
  await expect(page.getByText("It applies to all your tables.")).toBeVisible();
});

test("cities are named as on the board, or in the reader’s language", async ({ page }) => {
  await start(page, { board: "nordic" });
  const labels = page.locator(".frame svg text");
  await expect(labels.filter({ hasText: "København" })).toHaveCount(1);
  await fromMenu(page, "Settings");
  await page.getByLabel("City names in English").check();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(labels.filter({ hasText: "Copenhagen" })).toHaveCount(1);
  await expect(labels.filter({ hasText: "København" })).toHaveCount(0);
  await page.reload();
  await expect(labels.filter({ hasText: "Gothenburg" })).toHaveCount(1);
});

test("a browser that may not show notices says so", async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(Notification, "permission", { get: () => "denied" }),
  );
  await start(page, { board: "new_york" });
  await fromMenu(page, "Settings");
  await expect(page.getByLabel("Notify me in this browser")).toBeDisabled();
  await expect(page.getByText("This browser blocks notifications")).toBeVisible();
});

test("a pushed notice is shown, and a click on it opens the table", async ({ page, context }) => {
  await context.grantPermissions(["notifications"]);
  await page.goto("/");
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  const [worker] = context.serviceWorkers();
  expect(worker).toBeDefined();
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === scope);
      if (found) resolve(found.registrationId);
    }),
  );
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(scope).origin,
    registrationId: await registered,
    data: JSON.stringify({ table: "abcdefghjkm", board: "New York", text: "It is your turn." }),
  });
  const notices = (): Promise<object[]> =>
    page.evaluate(async () => {
      const shown = await (await navigator.serviceWorker.ready).getNotifications();
      return shown.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  const notice = { title: "New York", body: "It is your turn.", tag: "abcdefghjkm" };
  await expect.poll(notices).toEqual([notice]);
  const opened = await worker?.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow: (path: string) => Promise<void> };
      dispatchEvent: (event: Event) => boolean;
      NotificationEvent: new (type: string, init: object) => Event;
    };
    const path = new Promise((resolve) => {
      scope.clients.openWindow = (wanted) => Promise.resolve(resolve(wanted));
    });
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification }));
    return path;
  });
  expect(opened).toBe("/t/abcdefghjkm");
  await expect.poll(notices).toEqual([]);
});

test("without a connection the page opens and says so", async ({ page, context, allow }) => {
  allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await page.goto("/");
  await page.evaluate(() => navigator.serviceWorker.ready);
  const kept = (): Promise<boolean> =>
    page.evaluate(async () => {
      const files = document.querySelectorAll("script[src], link[rel=stylesheet]");
      const found = await Promise.all(
        [...files].map((file) =>
          caches.match((file as HTMLScriptElement).src || (file as HTMLLinkElement).href),
        ),
      );
      return found.length > 1 && found.every(Boolean);
    });
  await expect.poll(kept).toBe(true);
  await context.setOffline(true);
  await page.goto("/");
  await expect(page.getByRole("alert")).toContainText("The server is not answering.");
  await page.goto("/rules");
  await expect(page.getByText("The server is not answering.").first()).toBeVisible();
  await context.setOffline(false);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
});

test("the page can be installed as an app", async ({
  playwright,
  launchOptions,
  baseURL,
}, info) => {
  // A browser with a profile: what has none may not install anything.
  const context = await playwright.chromium.launchPersistentContext(info.outputPath("profile"), {
    ...launchOptions,
    ...(baseURL && { baseURL }),
  });
  try {
    const page = await context.newPage();
    await page.goto("/");
    await page.evaluate(() => navigator.serviceWorker.ready);
    const devtools = await context.newCDPSession(page);
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    expect(installabilityErrors).toEqual([]);
    const { errors, data } = await devtools.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const { icons, start_url } = JSON.parse(data ?? "") as {
      icons: { src: string; type: string }[];
      start_url: string;
    };
    for (const { src, type } of icons) {
      const answer = await page.request.get(src);
      expect(answer.headers()["content-type"]).toBe(type);
    }
    await context.setOffline(true);
    await page.goto(start_url);
    await expect(page.getByRole("alert")).toContainText("The server is not answering.");
  } finally {
    await context.close();
  }
});

test("the count goes line by line to the scores, and the promised seed is shown", async ({
  person,
}) => {
  const [ada, ben] = [await person(), await person()];
  const table = await seat([ada, ben], { board: "new_york", seed: 24 });
  await begin([ada, ben]);
  await ada.evaluate(() => localStorage.setItem("branchline", '{"speed": "fast"}'));
  const page = await ada.context().newPage();
  await open(page, table);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByText("Is the deal fair?").click();
  const { commitment } = await facts(page, table);
  const menu = page.getByRole("dialog");
  await expect(menu).toContainText(commitment);
  await expect(menu).toContainText("is published at the end of the game.");
  await menu.getByRole("button", { name: "Close" }).click();

  await finish([ada, ben]);
  const [step, end] = [page.locator(".step"), page.locator(".end")];
  const totals = end.locator("td.total");
  await expect(step).toContainText("Routes", { timeout: 20_000 });
  await expect(step).toContainText("Ticket", { timeout: 20_000 });
  await step.getByRole("button", { name: "Skip" }).click();
  await expect(end.getByRole("heading", { level: 2 })).toBeFocused();
  const { result } = await facts(page, table);
  const scores = (result?.scores ?? []).toSorted((a, b) => b - a).map(printed);
  await expect(totals).toHaveText(scores);
  await end.getByText("Is the deal fair?").click();
  await expect(end).toContainText(result?.seed ?? "?");
  await expect(end).toContainText("branchline verify RECORD");
  expect(
    createHash("sha256")
      .update(result?.seed ?? "")
      .digest("hex"),
  ).toBe(commitment);

  await end.getByRole("button", { name: "Show the scoring again" }).click();
  const next = step.getByRole("button", { name: "Next" });
  while (await next.isVisible()) await next.click({ timeout: 1000 }).catch(() => undefined);
  await expect(totals).toHaveText(scores);
});

test("the guided game gives each hint once, also after a reload", async ({ page }) => {
  await prefer(page, { speed: "instant" });
  await page.goto("/");
  await page.getByRole("button", { name: "Start the guided game" }).click();
  const guide = page.locator(".guide");
  await expect(guide).toContainText("Tickets are your goals.");
  await offered(page).locator(".choices button").first().click();
  await offered(page).locator("button.main").click();
  await expect(guide).toContainText("One thing a turn.");
  await guide.getByRole("button", { name: "Got it" }).click();
  await expect(guide).toContainText("Find your way.");
  await page.keyboard.press("d");
  await expect(guide).toContainText("And a second card.");
  await page.reload();
  await expect(guide).toContainText("And a second card.");
  await page.keyboard.press("d");
  await expect(prompt(page)).toContainText("Your turn.");
  await expect(guide.getByText(/One thing|Find your way|second card/)).toHaveCount(0);
});

for (const lang of ["en", "fr"])
  test(`every hint is whole on a phone (${lang})`, async ({ page }) => {
    const words = JSON.parse(readFileSync(`src/generated/${lang}.json`, "utf8")) as Words;
    const names = Object.keys(words).flatMap((key) => /^guide\.(.+)_title$/.exec(key)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(10);
    await page.setViewportSize({ width: 844, height: 390 });
    await prefer(page, { speed: "instant", lang });
    await page.goto("/");
    await page.getByRole("button", { name: words["guide.begin"] ?? "", exact: true }).click();
    /** Each of these hints in the place of the one that is shown: those that don't fit. */
    const cut = (hints: string[]): Promise<string[]> =>
      page.locator(".guide").evaluate(
        (guide, texts) =>
          texts.filter((text) => {
            const paragraph = guide.querySelector("p");
            if (paragraph) paragraph.textContent = text;
            return guide.scrollHeight > guide.clientHeight;
          }),
        hints.map((name) => {
          const [title = "", text = ""] = [words[`guide.${name}_title`], words[`guide.${name}`]];
          return `${title} ${text}`.replaceAll(/\{(\w+)[^}]*\}/g, "$1");
        }),
      );
    const choices = offered(page).locator(".choices button");
    await expect(choices.first()).toBeVisible();
    expect(await cut(["tickets"])).toEqual([]);
    await choices.first().click();
    await offered(page).locator("button.main").click();
    await expect(page.locator("[data-strip]")).toBeVisible();
    const others = names.filter((name) => name !== "tickets");
    expect(await cut(others)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await cut(names)).toEqual([]);
  });

test("whoever follows the arrow makes the first five moves of the guided game", async ({
  page,
}) => {
  await prefer(page, { speed: "instant" });
  await page.goto("/");
  await page.getByRole("button", { name: "Start the guided game" }).click();
  const guide = page.locator(".guide");
  const arrow = page.locator("[data-points-at]");
  for (let n = 1; n <= 5; n++) {
    const named = guide.getByText(`Move ${n} of 5:`);
    await expect(named).toBeVisible();
    // A ticket or two and the button; a card; a route and the button.
    await expect(async () => {
      if ((await named.count()) > 0) {
        const at = (await arrow.getAttribute("data-points-at", { timeout: 1000 })) ?? "";
        await page.locator(at).focus();
        await page.keyboard.press("Enter");
      }
      await expect(named).toHaveCount(0, { timeout: 1000 });
    }).toPass();
  }
  await expect(prompt(page)).toContainText(/Your turn\.|Your next card/);
  await expect(guide.getByText(/Move \d of 5/)).toHaveCount(0);
});

test("a ferry explains itself the first time, at any table", async ({ page }) => {
  await start(page, { board: "europe", settings: { hints: true } });
  await offered(page).locator(".choices button").nth(0).click();
  await offered(page).locator(".choices button").nth(1).click();
  await offered(page).locator("button.main").click();
  await expect(prompt(page)).toContainText("Your turn.");
  await onBoard(page, /^Athina–Smyrna/).focus();
  await page.keyboard.press("Enter");
  const guide = page.locator(".guide");
  await expect(guide).toContainText("A ferry.");
  await expect(page.locator("[data-points-at]")).toBeVisible();
  await guide.getByRole("button", { name: "Got it" }).click();
  await expect(guide).toHaveCount(0);
});
