/** What a measured process was told to do, and how it answers: JSON in its first argument, JSON as a line of its output. */

import { writeSync } from "node:fs";
import process from "node:process";

/** What every measured process is told. */
export interface Assignment<Parameters> {
  /** The program that stands in for the CLI, or the CLI. */
  readonly cli: string;
  /** The complete environment of that program, without a script. */
  readonly cliEnv: Readonly<Record<string, string>>;
  /** An empty folder to run it in. */
  readonly folder: string;
  /** The SDK under measurement; none for limits. */
  readonly sdk?: SdkPlace;
  /** What this program alone is told. */
  readonly parameters: Parameters;
}

/** Where an SDK is. */
export interface SdkPlace {
  readonly name: "tether" | "official";
  /** URL of its main module. */
  readonly url: string;
  /** URL of the Zod that it takes schemas of. */
  readonly zodUrl: string;
}

/** Reads the assignment of this process. */
export function readAssignment<Parameters>(): Assignment<Parameters> {
  return JSON.parse(process.argv[2]!) as Assignment<Parameters>;
}

/** Says what was measured and ends the process: nothing that an SDK left running may change the next measurement. */
export function report(figures: Readonly<Record<string, unknown>>): never {
  writeSync(1, `${JSON.stringify(figures)}\n`);
  process.exit(0);
}

/** Tells the stopwatch that something has happened. */
export function mark(name: string): void {
  writeSync(1, `@@${name}\n`);
}
