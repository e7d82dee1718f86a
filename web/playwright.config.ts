import { defineConfig } from "@playwright/test";
import { command, emptyStore } from "./e2e/server";

const port = Number(process.env["E2E_PORT"] ?? 8971);

export default defineConfig({
  testDir: "e2e",
  timeout: 240_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  workers: 2,
  retries: 1, // bots play by chance; what passes only at the second try is listed as flaky
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 860 },
    locale: "en-GB",
    actionTimeout: 30_000,
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    screenshot: "only-on-failure", // a trace of every test would make them three times as slow
  },
  webServer: {
    command: command(port, emptyStore()).join(" "),
    url: `http://127.0.0.1:${port}/healthz`,
    timeout: 120_000,
  },
});
