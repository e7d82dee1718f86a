/** What holds for every screen: no violation of WCAG A and AA or of good practice, light and dark. */

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "./test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Looks at a screen, or at a part of it. Of a dark page only the colours are another. */
export async function look(page: Page, screen: string, part?: string): Promise<void> {
  const found = [];
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
  expect.soft(found, screen).toEqual([]);
}
