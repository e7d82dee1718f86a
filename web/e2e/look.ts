/** What holds for every screen: no violation of WCAG A and AA or of good practice, light and dark. */

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "./test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

declare global {
  interface Window {
    /** Puts the board back. */
    back?: (() => void) | undefined;
  }
}

/**
 * Takes the board out of the page, unless it is looked at or has the focus: axe reads every element
 * of a page, and most are the board's.
 */
function withoutBoard(part: string): void {
  const ground = document.querySelector(".ground");
  const frame = ground?.parentElement;
  const looked = document.querySelector(part);
  if (!ground || !frame || ground.contains(document.activeElement)) return;
  if (frame.contains(looked) || looked?.contains(frame)) return;
  const next = ground.nextSibling;
  ground.remove();
  window.back = () => frame.insertBefore(ground, next);
}

/** Looks at a screen, or at a part of it. Of a dark page only the colours are another. */
export async function look(page: Page, screen: string, part?: string): Promise<void> {
  const found = [];
  if (part) await page.evaluate(withoutBoard, part);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    const axe = new AxeBuilder({ page }).setLegacyMode();
    axe.options({
      resultTypes: ["violations"],
      runOnly: colorScheme === "light" ? TAGS : { type: "rule", values: ["color-contrast"] },
    });
    if (part) axe.include(part);
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      found.push(`${colorScheme} ${id}: ${nodes.map((node) => node.target.join(" ")).join(" | ")}`);
  }
  await page.evaluate(() => {
    window.back?.();
    window.back = undefined;
  });
  expect.soft(found, screen).toEqual([]);
}
