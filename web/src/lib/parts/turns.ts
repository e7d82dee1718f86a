/** Being told of one's turn: by a sound, by the browser, by a request to an address of one's own. */

import * as http from "$lib/api/http";
import { settings } from "$lib/settings.svelte";

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
  if (settings.sound) chime();
  if (!document.hidden || !settings.push || Notification.permission !== "granted") return;
  const notice = { body: text, tag: table, icon: "/icon-192.png", data: { table } };
  await (await worker()).showNotification(board, notice);
}

let audio: AudioContext | undefined;

/** Two soft notes. */
export function chime(): void {
  audio ??= new AudioContext();
  void audio.resume();
  for (const [k, pitch] of [659, 880].entries()) {
    const at = audio.currentTime + k * 0.16;
    const note = audio.createOscillator();
    const loudness = audio.createGain();
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(0.12, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    note.connect(loudness).connect(audio.destination);
    note.start(at);
    note.stop(at + 0.5);
  }
}
