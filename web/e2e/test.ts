/** The `test` of every spec: it fails if the console of any page shows an error, or a page throws. */

import { test as base, type BrowserContext } from "@playwright/test";

export {
  expect,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from "@playwright/test";

/** A page that gets no turn for ten seconds promises its part of the seed too late; the game begins without. */
const LATE_PROMISE = /409 \(Conflict\) \(\/api\/tables\/\w+\/promise\)/;

/** Names an error that this test expects, as `text (path of its source)`. */
export type Allow = (error: RegExp) => void;

export const test = base.extend<{ allow: Allow }>({
  allow: [
    async ({ browser }, use) => {
      const problems: string[] = [];
      const allowed: RegExp[] = [LATE_PROMISE];
      const listen = (context: BrowserContext): void => {
        context.on("weberror", (thrown) => problems.push(String(thrown.error())));
        context.on("console", (message) => {
          if (message.type() !== "error") return;
          const { url } = message.location();
          problems.push(`${message.text()} (${URL.canParse(url) ? new URL(url).pathname : url})`);
        });
      };
      const { newContext } = browser;
      browser.newContext = async (options) => {
        const context = await newContext.call(browser, options);
        listen(context);
        return context;
      };
      await use((error) => allowed.push(error));
      browser.newContext = newContext;
      base
        .expect(problems.filter((problem) => !allowed.some((error) => error.test(problem))))
        .toEqual([]);
    },
    { auto: true },
  ],
});
