import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

// A real server with an empty store. PYTHON names an interpreter that has what the server needs.
const port = Number(process.env["E2E_PORT"] ?? 8971);
const python = process.env["PYTHON"] ?? join(import.meta.dirname, "../.venv/bin/python");
const data = mkdtempSync(join(tmpdir(), "branchline-e2e-"));

export default defineConfig({
  testDir: "e2e",
  timeout: 120_000,
  workers: 1,
  retries: 0,
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 860 },
    locale: "en-GB",
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
    trace: "retain-on-failure",
  },
  webServer: {
    command: `${python} -m branchline.cli serve --host 127.0.0.1 --port ${port} --data ${data}`,
    url: `http://127.0.0.1:${port}/healthz`,
    timeout: 60_000,
  },
});
