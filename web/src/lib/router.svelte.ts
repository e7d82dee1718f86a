/** Which screen the address names. */

export type Screen =
  | { name: "start" }
  | { name: "table"; id: string; token: string }
  | { name: "replay"; table: string; record: string }
  | { name: "rules"; board: string }
  | { name: "me" }
  | { name: "lost" };

export function screenOf(path: string, query = "", hash = ""): Screen {
  const search = new URLSearchParams(query);
  const [first = "", second = "", ...rest] = path.split("/").filter(Boolean);
  if (first === "" && rest.length === 0) return { name: "start" };
  if (first === "t" && second && rest.length === 0) {
    return { name: "table", id: second, token: /^#move=(.+)/.exec(hash)?.[1] ?? "" };
  }
  if (first === "replay" && !second)
    return { name: "replay", table: search.get("t") ?? "", record: search.get("r") ?? "" };
  if (first === "rules" && rest.length === 0)
    return { name: "rules", board: second || (search.get("board") ?? "") };
  if (first === "me" && !second) return { name: "me" };
  return { name: "lost" };
}

/** The address of a board's rules, or of one of them. */
export const rulesAt = (board = "", rule = ""): string =>
  `/rules${board && `/${board}`}${rule && `#${rule}`}`;

const here = (): Screen => screenOf(location.pathname, location.search, location.hash);

class Router {
  screen = $state.raw<Screen>({ name: "start" });

  start(): void {
    this.screen = here();
    addEventListener("popstate", () => (this.screen = here()));
    document.addEventListener("click", (event) => {
      const link = (event.target as Element | null)?.closest("a");
      if (!link || event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
      if (link.pathname.startsWith("/api/")) return;
      if (link.pathname === location.pathname && link.search === location.search && link.hash)
        return;
      event.preventDefault();
      this.go(link.pathname + link.search + link.hash);
    });
  }

  go(to: string): void {
    history.pushState(null, "", to);
    this.screen = here();
    scrollTo(0, 0);
  }
}

export const router = new Router();
