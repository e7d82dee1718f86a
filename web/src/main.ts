import { mount } from "svelte";
import App from "./App.svelte";
import "./fonts.css";
import "./app.css";

const target = document.getElementById("app");
if (target) mount(App, { target });

// A face that arrived with the first letter that needs it, in the middle of a move, would lay out and
// draw the whole page anew. The table has been asked for before.
for (const face of document.fonts) face.load().catch(() => undefined);

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js"));
}
