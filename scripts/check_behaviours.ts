/**
 * `deno run -A scripts/check_behaviours.ts`: compares `tests/behaviours.md` with what tests cite. Every id is cited by a test, or
 * its line carries a reason why there is none; never both. Nothing is cited that is not on the page.
 *
 * A citation is an id anywhere in a suite or a Deno test but in the comment at the head of its file, which says what the file
 * is about. A range (`X01–X09`) cites nothing: whoever writes one has not looked at each.
 */

import { join } from "node:path";
import { listFiles } from "./list_files.ts";
import { ROOT } from "./root.ts";

/** The page. */
const PAGE = "tests/behaviours.md";

/** One line of the page. */
export interface Behaviour {
  readonly id: string;
  /** Why no test cites it. */
  readonly reason?: string;
}

/** A file of tests. */
export interface TestSource {
  readonly path: string;
  readonly text: string;
}

/** Reads the page. What it finds wrong with a line goes to `faults`. */
export function parseBehaviours(markdown: string, faults: string[]): Behaviour[] {
  const found: Behaviour[] = [];
  for (const [index, line] of markdown.split("\n").entries()) {
    if (!/^\s*[-*] /.test(line)) continue;
    const match = /^- ([A-Z]\d{2}): (\S.*?)(?: — no test:(.*))?$/.exec(line);
    const [, id, , reason] = match ?? [];
    if (id === undefined) faults.push(`${PAGE}:${index + 1}: is no behaviour ("- X01: words")`);
    else if (found.some((other) => other.id === id)) faults.push(`${PAGE}:${index + 1}: ${id} is there twice`);
    else if (reason !== undefined && reason.trim() === "") {
      faults.push(`${PAGE}:${index + 1}: ${id} has an empty reason`);
    } else found.push({ id, ...reason === undefined ? {} : { reason: reason.trim() } });
  }
  return found;
}

/** The ids that tests cite, and where. Only letters that the page uses are taken for ids. */
export function citations(sources: readonly TestSource[], behaviours: readonly Behaviour[]): Map<string, string[]> {
  const letters = [...new Set(behaviours.map(({ id }) => id[0]))].join("");
  const cited = new Map<string, string[]>();
  if (letters === "") return cited;
  const range = new RegExp(`\\b[${letters}]\\d{2}\\s*[-–—…]\\s*[${letters}]\\d{2}\\b`, "g");
  const id = new RegExp(`\\b[${letters}]\\d{2}\\b`, "g");
  for (const { path, text } of sources) {
    const body = text.replace(/^\s*\/\*\*[^]*?\*\//, "").replace(range, "");
    for (const [match] of body.matchAll(id)) {
      const places = cited.get(match) ?? [];
      if (!places.includes(path)) places.push(path);
      cited.set(match, places);
    }
  }
  return cited;
}

/** Every difference between page and tests, in words. */
export function compareBehaviours(markdown: string, sources: readonly TestSource[]): string[] {
  const faults: string[] = [];
  const behaviours = parseBehaviours(markdown, faults);
  if (behaviours.length === 0) faults.push(`${PAGE} lists nothing`);
  const cited = citations(sources, behaviours);
  for (const { id, reason } of behaviours) {
    const places = cited.get(id);
    if (places === undefined && reason === undefined) faults.push(`${id} is cited by no test and carries no reason`);
    if (places !== undefined && reason !== undefined) {
      faults.push(`${id} carries a reason for having no test, and ${places.join(", ")} cites it`);
    }
  }
  const known = new Set(behaviours.map(({ id }) => id));
  for (const [id, places] of cited) {
    if (!known.has(id)) faults.push(`${id} is not on the page; ${places.join(", ")} cites it`);
  }
  return faults;
}

/** Compares what is in the repository. */
export async function checkBehaviours(): Promise<string[]> {
  const paths = (await listFiles()).filter((path) => /^tests\/(?!fixtures\/).*\.(suite|test)\.ts$/.test(path));
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await Deno.readTextFile(join(ROOT, path)) })),
  );
  return compareBehaviours(await Deno.readTextFile(join(ROOT, PAGE)), sources);
}

if (import.meta.main) {
  const faults = await checkBehaviours();
  for (const fault of faults) console.error(fault);
  console.log(faults.length === 0 ? "Every behaviour is cited, or says why not" : `${faults.length} faults`);
  Deno.exit(faults.length === 0 ? 0 : 1);
}
