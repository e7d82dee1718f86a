/** The server that the tests play at. PYTHON names an interpreter that has what it needs. */

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const python = process.env["PYTHON"] ?? join(import.meta.dirname, "../../.venv/bin/python");

/** An empty store. */
export const emptyStore = (): string => mkdtempSync(join(tmpdir(), "branchline-e2e-"));

/** The command that serves a store at a port; it refuses nobody for playing much. */
export const command = (port: number, data: string, program = "server.py"): string[] => [
  python,
  join(import.meta.dirname, program),
  ...["serve", "--host", "127.0.0.1", "--port", String(port), "--data", data],
  ...["--limit", "tables_per_address=10000"],
  ...["--limit", "requests_per_second=1000", "--limit", "requests_burst=10000"],
  ...["--limit", "messages_per_second=1000"],
];

/** A server of a test's own, which can fail. */
export class OwnServer {
  readonly address: string;
  #process: ChildProcess | undefined;

  constructor(
    private readonly port: number,
    private readonly data = emptyStore(),
    private readonly program = "server.py",
  ) {
    this.address = `http://127.0.0.1:${port}`;
  }

  /** Starts it, and waits until it answers. */
  async start(): Promise<void> {
    const [program = "", ...options] = command(this.port, this.data, this.program);
    this.#process = spawn(program, options, { stdio: "ignore" });
    while (!(await fetch(`${this.address}/readyz`).catch(() => null))?.ok)
      await new Promise((again) => setTimeout(again, 50));
  }

  /** Nothing it is sent arrives any more. */
  freeze(): void {
    this.#process?.kill("SIGSTOP");
  }

  kill(): void {
    this.#process?.kill("SIGKILL");
  }
}
