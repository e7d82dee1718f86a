// Renews package-lock.json: `npm run lock`.
//
// A registry need not have the binaries for every platform, and npm leaves out of the lock what it
// can't find, but then refuses to install from it. So each optional package that is missing gets
// an entry that says for which platform it is; others skip it.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";

if (!process.argv.includes("--mend")) {
  rmSync(FILE, { force: true });
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], { stdio: "inherit" });
}
const lock = JSON.parse(readFileSync(FILE, "utf8"));
for (const facts of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(facts.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place]) continue;
    const platform = name.match(/[-/](android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)/);
    const wasm = name.includes("wasm32");
    if (!platform && !wasm) continue;
    lock.packages[place] = {
      version,
      cpu: [wasm ? "wasm32" : platform[2]],
      ...(facts.dev ? { dev: true } : {}),
      optional: true,
      ...(wasm ? {} : { os: [platform[1]] }),
      ...(name.endsWith("-musl") ? { libc: ["musl"] } : {}),
    };
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
const text = JSON.stringify(lock, null, 2) + "\n";
if (text.includes('"resolved"')) throw new Error("the lock names addresses");
writeFileSync(FILE, text);
