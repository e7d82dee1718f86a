import { expect, test } from "vitest";
import { markup } from "../src/lib/board/markup";

test("a part has the attributes that it names", () => {
  expect(markup([{ d: "M0 0h1" }])).toBe('<path d="M0 0h1" fill="none"/>');
  expect(markup([{ name: "car", d: "M0 0", fill: "#fff", opacity: 0.3, holes: true }])).toBe(
    '<path class="car" d="M0 0" fill="#fff" fill-opacity="0.3" fill-rule="evenodd"/>',
  );
  expect(
    markup([{ d: "", stroke: "red", width: 2, opacity: 0.5, dash: "1 2", round: "all" }]),
  ).toBe(
    '<path d="" fill="none" stroke="red" stroke-width="2" stroke-opacity="0.5" ' +
      'stroke-dasharray="1 2" stroke-linecap="round" stroke-linejoin="round"/>',
  );
});

test("a line with round ends may have sharp corners", () => {
  expect(markup([{ d: "", stroke: "red", round: "ends" }])).toBe(
    '<path d="" fill="none" stroke="red" stroke-linecap="round"/>',
  );
});

test("parts lie one above the other", () => {
  expect(markup([{ d: "M1 1" }, { d: "M2 2" }])).toMatch(/M1 1.*M2 2/);
  expect(markup([])).toBe("");
});

test("nothing that a board's file says is markup", () => {
  expect(markup([{ d: '"/><script>&', stroke: "<b>", width: 1 }])).toBe(
    '<path d="&quot;/&gt;&lt;script&gt;&amp;" fill="none" stroke="&lt;b&gt;" stroke-width="1"/>',
  );
});
