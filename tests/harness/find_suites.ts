/** Finds the suites of the repository by their file names. For runtimes with a file system. */

import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { Suite } from "./suite.ts";
import { SUITE_CLASSES, type SuiteClass } from "./report.ts";

/** A file that should hold a suite. */
export interface SuiteFile {
  readonly class: SuiteClass;
  readonly path: string;
}

/** A suite, and where it was found. */
export interface FoundSuite extends SuiteFile {
  readonly suite: Suite;
}

/** The files `<class>/**\/*.suite.<extension>` under a tests folder, sorted. @throws if there are none. */
export function listSuiteFiles(testsDir: string, extension: "ts" | "js"): SuiteFile[] {
  const files: SuiteFile[] = [];
  const walk = (suiteClass: SuiteClass, dir: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) walk(suiteClass, path);
      else if (entry.name.endsWith(`.suite.${extension}`)) files.push({ class: suiteClass, path });
    }
  };
  const present = new Set(readdirSync(testsDir));
  for (const suiteClass of SUITE_CLASSES) if (present.has(suiteClass)) walk(suiteClass, join(testsDir, suiteClass));
  if (files.length === 0) throw new Error(`Cannot find any *.suite.${extension} under ${testsDir}`);
  return files.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** Loads suites from their files. @throws if one exports none, an empty one, or two of one class share a name. */
export async function loadSuites(files: readonly SuiteFile[]): Promise<FoundSuite[]> {
  const found: FoundSuite[] = [];
  for (const { class: suiteClass, path } of files) {
    const module = await import(pathToFileURL(path).href) as { default?: Suite };
    const suite = module.default;
    if (suite === undefined || !Array.isArray(suite.bodies)) {
      throw new Error(`${path} has no suite as its default export`);
    }
    if (suite.bodies.length === 0) throw new Error(`${path}: the suite "${suite.name}" has no bodies`);
    if (found.some((other) => other.class === suiteClass && other.suite.name === suite.name)) {
      throw new Error(`${path}: another ${suiteClass} suite is named "${suite.name}" too`);
    }
    found.push({ class: suiteClass, path, suite });
  }
  return found;
}
