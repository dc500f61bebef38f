/** Checks of files as text: length, names, and words that have no place in the repository. */

import { listFiles } from "./list_files.ts";
import { ROOT } from "./root.ts";
import { runCommand } from "./run_command.ts";

/** One file. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** What was found. A warning does not fail the gate. */
export interface FileFaults {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Most lines a hand-written file may have, and where it starts to be long. */
export const LINE_LIMITS = { hard: 500, soft: 300 } as const;

/** Files that may be longer than the hard limit, and why. */
const LONG_FILES: Readonly<Record<string, string>> = {};

/** A word that must not stand in some files. */
interface Forbidden {
  readonly what: string;
  readonly pattern: RegExp;
  /** Where it may stand all the same. */
  readonly except?: RegExp;
}

/** These hold the patterns themselves, and what they must find. */
const SELF = /^(scripts\/check_files\.ts|tests\/scripts\/)/;

const FORBIDDEN: readonly Forbidden[] = [
  { what: "a path of a machine", pattern: /(?<![\w.])\/(work|farm|root|mnt)\// },
  // Tests need paths that look real, and recordings put such in place of real ones; nothing is at them.
  {
    what: "a path of a machine",
    pattern: /(?<![\w.])\/(tmp|home|Users)\//,
    except: /^(tests|src\/testing\/record)\/|^docs\/guide\/testing\.md$/,
  },
  {
    what: "a package registry's host",
    pattern: /\b(registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.jsr\.io|deb\.debian\.org)\b/,
  },
  { what: "a JSR specifier (nothing may depend on JSR alone)", pattern: /["'`]jsr:/ },
  { what: "an open end", pattern: /\b(TODO|FIXME|XXX)\b/ },
  { what: "a type check switched off", pattern: /@ts-(nocheck|ignore)\b/ },
  { what: "a lint rule switched off for a whole file", pattern: /deno-lint-ignore-file/ },
  { what: "a test that is switched off or runs alone", pattern: /\b(test|it|describe|Deno\.test)\.(only|skip|todo)\(/ },
  { what: "a page that is not in the repository", pattern: /\bspec:? (?:[A-Z]{3,} ?§|[A-Z]\d{2}\b)/ },
  { what: "a row of a list that is not in the repository", pattern: /\(rows? \d+\b|\b[A-Z]\d{2}, rows? \d+\b/ },
  { what: "an issue number", pattern: /\b([Ii]ssue|PR|[Pp]ull request) #?\d+/ },
];

/** What a number at the head of a body's name may count. */
const COUNTED =
  "[KMG]i?B|bytes|ms|s|seconds|minutes|queries|(?:[a-z]+ )?calls|requests|messages|frames|lines|sessions|servers|hooks|times|of";

/** A body whose name begins, after ids of behaviours, with a number that is no amount: nobody can look it up. */
const BARE_NUMBER = new RegExp(
  `\\b(?:test|body|Deno\\.test)\\(\\s*["'\`](?:[A-Z]\\d{2},? )*(\\d{1,3} (?!(?:${COUNTED})\\b)\\S*)`,
  "g",
);

/** Checks some files. `registry` is the host this machine installs from: it must not be named either. */
export function checkFiles(files: readonly TextFile[], registry?: string): FileFaults {
  const errors: string[] = [];
  const warnings: string[] = [];
  const forbidden = registry === undefined ? FORBIDDEN : [...FORBIDDEN, {
    what: "the host packages were installed from",
    pattern: new RegExp(`(?<![\\w.-])${registry.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
  }];
  for (const { path, text } of files) {
    const lines = text.split("\n");
    if (path.endsWith(".ts")) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      if (/^(utils?|helpers?|misc|common)\.ts$/.test(name)) {
        errors.push(`${path}: a file is named after what it exports`);
      }
      if (!/^[a-z0-9_.]+$/.test(name)) errors.push(`${path}: file names are in snake_case`);
      const length = lines.length - (text.endsWith("\n") ? 1 : 0);
      if (length > LINE_LIMITS.hard && !Object.hasOwn(LONG_FILES, path)) {
        errors.push(`${path}: ${length} lines, ${LINE_LIMITS.hard} at most`);
      } else if (length > LINE_LIMITS.soft) warnings.push(`${path}: ${length} lines, better ${LINE_LIMITS.soft}`);
    }
    if (SELF.test(path)) continue;
    for (const { what, pattern, except } of forbidden) {
      if (except?.test(path)) continue;
      const at = lines.findIndex((line) => pattern.test(line));
      if (at !== -1) errors.push(`${path}:${at + 1}: ${what}: ${pattern.exec(lines[at]!)![0]}`);
    }
    if (!path.startsWith("tests/")) continue;
    for (const match of text.matchAll(BARE_NUMBER)) {
      const line = text.slice(0, match.index).split("\n").length;
      errors.push(`${path}:${line}: a body's name begins with a number that is no amount: ${match[1]}`);
    }
  }
  return { errors, warnings };
}

/** The host that npm is set up to install from. */
export async function registryHost(): Promise<string | undefined> {
  const result = await runCommand("npm", ["config", "get", "registry"], { cwd: ROOT, stdoutOnly: true });
  return URL.canParse(result.output.trim()) ? new URL(result.output.trim()).host : undefined;
}

/** Reads the text files among some; a NUL byte tells the others. */
export async function readTextFiles(paths: readonly string[]): Promise<TextFile[]> {
  const files = await Promise.all(
    paths.map(async (path) => ({ path, text: await Deno.readTextFile(`${ROOT}/${path}`) })),
  );
  return files.filter(({ text }) => !text.includes("\0"));
}

if (import.meta.main) {
  const files = await readTextFiles(await listFiles());
  const { errors, warnings } = checkFiles(files, await registryHost());
  for (const warning of warnings) console.error(`long: ${warning}`);
  for (const error of errors) console.error(error);
  console.log(`${files.length} files, ${errors.length} faults, ${warnings.length} long`);
  if (errors.length > 0) Deno.exit(1);
}
