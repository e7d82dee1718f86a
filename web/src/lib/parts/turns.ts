/** Being told of one's turn: by a sound, by the browser, by a request to an address of one's own. */

import * as http from "$lib/api/http";
import { settings } from "$lib/settings.svelte";
import { play } from "$lib/sound/player";
import { TURN } from "$lib/sound/sounds";

/** Why the browser can't tell of a turn; empty: it can. */
export type Obstacle = "" | "server" | "browser" | "denied" | "failed";

export async function obstacle(): Promise<Obstacle> {
  if (!("PushManager" in globalThis && "Notification" in globalThis)) return "browser";
  if (Notification.permission === "denied") return "denied";
  return (await http.about()).push ? "" : "server";
}

const worker = async (): Promise<ServiceWorkerRegistration> => {
  await navigator.serviceWorker.register("/sw.js");
  return navigator.serviceWorker.ready;
};

/** Asks the reader and the browser's push service. Called by a click alone. */
export async function allowPush(): Promise<Obstacle> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  try {
    const { pushManager } = await worker();
    await (await pushManager.getSubscription())?.unsubscribe();
    await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: (await http.about()).push,
    });
    settings.push = true;
    return "";
  } catch {
    return "failed";
  }
}

export async function endPush(): Promise<Obstacle> {
  settings.push = false;
  await (await (await worker()).pushManager.getSubscription())?.unsubscribe();
  return "";
}

/** Tells a table how its reader wants to be told. */
export async function tellTable(id: string): Promise<void> {
  const push = settings.push ? await (await worker()).pushManager.getSubscription() : null;
  await http.setNotices(id, {
    ...(push ? { push: push.toJSON() } : {}),
    ...(settings.webhook ? { webhook: settings.webhook } : {}),
  });
}

/** Tells all tables at which the reader plays. */
export async function tellTables(): Promise<void> {
  const mine = (await http.myTables()).filter(({ table }) => table.status !== "over");
  await Promise.all(mine.map(({ table }) => tellTable(table.id)));
}

/** It is the reader's turn at a table that this page shows. */
export async function ring(table: string, board: string, text: string): Promise<void> {
  play(TURN);
  if (!document.hidden || !settings.push || Notification.permission !== "granted") return;
  const notice = { body: text, tag: table, icon: "/icon-192.png", data: { table } };
  await (await worker()).showNotification(board, notice);
}
