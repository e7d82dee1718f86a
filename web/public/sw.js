// Keeps the page's shell, so that it opens at once and says so when there is no connection.
// Nothing of a game is kept: what the server says is always fresh.
// Shows whose turn it is when the server tells, and opens the table.

const SHELL = "branchline";

/** Keeps a page and the files that it names, and forgets those of an older one. */
async function keep(page) {
  const text = await page.clone().text();
  const kept = await (await caches.open(SHELL)).match("/");
  if (kept && (await kept.text()) === text) return;
  await caches.delete(SHELL);
  const cache = await caches.open(SHELL);
  await cache.put("/", page);
  await cache.addAll(["/icon.svg", ...(text.match(/\/assets\/[^"]+/g) ?? [])]);
}

self.addEventListener("install", (event) => {
  event.waitUntil(fetch("/").then(keep));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function freshElseKept(event) {
  try {
    const answer = await fetch(event.request);
    const page = answer.ok && answer.headers.get("content-type")?.startsWith("text/html");
    if (page) event.waitUntil(keep(answer.clone()));
    return answer;
  } catch {
    return (await caches.match("/")) ?? Response.error();
  }
}

async function keptElseFresh(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/api/")) return;
  if (event.request.mode === "navigate") event.respondWith(freshElseKept(event));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(keptElseFresh(event.request));
});

self.addEventListener("push", (event) => {
  const { table, board, text } = event.data.json();
  const notice = { body: text, tag: table, renotify: true, icon: "/icon-192.png", data: { table } };
  event.waitUntil(self.registration.showNotification(board, notice));
});

async function show(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => new URL(page.url).pathname === path);
  return open ? open.focus() : self.clients.openWindow(path);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(`/t/${event.notification.data.table}`));
});
