/** Finds the suites of the repository by their file names. For runtimes with a file system. */

import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { Suite } from "./suite.ts";
import { SUITE_CLASSES, type SuiteClass } from "./report.ts";

/** A suite, and the folder it was found in. */
export interface FoundSuite {
  readonly class: SuiteClass;
  readonly path: string;
  readonly suite: Suite;
}

/** The files `<class>/**\/*.suite.<extension>` under a tests folder, sorted. @throws if there are none. */
export function listSuiteFiles(testsDir: string, extension: "ts" | "js"): { class: SuiteClass; path: string }[] {
  const files: { class: SuiteClass; path: string }[] = [];
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

/** Loads every suite. @throws if a file exports none, an empty one, or two suites of one class share a name. */
export async function loadSuites(testsDir: string, extension: "ts" | "js"): Promise<FoundSuite[]> {
  const found: FoundSuite[] = [];
  for (const { class: suiteClass, path } of listSuiteFiles(testsDir, extension)) {
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
