/** The page that holds the last full run. */

import { join } from "node:path";
import { ROOT } from "../scripts/root.ts";

/** The page. */
export const PAGE: string = join(ROOT, "docs", "benchmarks.md");

const BEGIN = "<!-- results: written by `deno task bench --write-docs` -->";
const END = "<!-- end of results -->";

/** Puts a text between the page's marks. @throws if they are not there. */
export function withResults(page: string, results: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`docs/benchmarks.md has no place for results: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${results.trim()}\n\n${page.slice(end)}`;
}
