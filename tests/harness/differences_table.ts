/** Reads the table of docs/differences.md. For runtimes with a file system. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** One row. */
export interface DifferenceRow {
  readonly id: string;
  readonly area: string;
  readonly official: string;
  readonly tether: string;
  readonly why: string;
}

/** The rows of the table in the repository. */
export function differencesTable(): DifferenceRow[] {
  return parseDifferences(readFileSync(repositoryFile("docs/differences.md"), "utf8"));
}

/** A file of the repository, from wherever this module was compiled to. */
export function repositoryFile(path: string): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start;; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (folder === dirname(folder)) throw new Error(`${path} is in no folder above ${start}`);
  }
}

/** @throws for a table that cannot be read, a row that is not whole, or an id that is there twice. */
export function parseDifferences(text: string): DifferenceRow[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^\| id \| area \| official \| Tether \| why \|$/.test(line));
  if (start === -1) throw new Error("There is no table of differences");
  const rows: DifferenceRow[] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    const cells = line.slice(1, line.lastIndexOf("|")).split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [code = "", area = "", official = "", tether = "", why = ""] = cells;
    const id = /^`([a-z0-9]+(?:-[a-z0-9]+)*)`$/.exec(code)?.[1];
    if (id === undefined || cells.length !== 5 || cells.some((cell) => cell === "")) {
      throw new Error(`A row of the table of differences is not whole: ${line}`);
    }
    if (rows.some((row) => row.id === id)) throw new Error(`Two rows of the table of differences are named ${id}`);
    rows.push({ id, area, official, tether, why });
  }
  return rows;
}

/** Names of the official surface that are left out on purpose: in backticks, in rows of the area `names`. */
export function namesLeftOut(rows: readonly DifferenceRow[] = differencesTable()): Set<string> {
  const named = rows.filter(({ area }) => area === "names").map(({ official }) => official);
  return new Set(named.flatMap((text) => [...text.matchAll(/`(\w+)(?:\(\))?`/g)].map((match) => match[1]!)));
}
