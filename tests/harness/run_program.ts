/** Runs another program to its end. For runtimes with processes. */

import { spawn } from "node:child_process";
import process from "node:process";
import type { TestContext } from "./suite.ts";

/** How a program ended, and what it said. */
export interface ProgramResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with exactly the given environment and no input; it is killed if the body is over first. */
export function runProgram(
  t: TestContext,
  command: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly cwd?: string },
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
    t.cleanup(() => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    });
  });
}

/** The Deno that facts about Deno are checked with: this very one, else the one the gate names in `TETHER_DENO`. */
export function denoPath(): string {
  if (process.versions["deno"] !== undefined) return process.execPath;
  const path = process.env["TETHER_DENO"];
  if (path === undefined || path === "") throw new Error("TETHER_DENO must hold the path of a Deno");
  return path;
}

/** The arguments with which this runtime runs a module, everything allowed. */
export function ownRunArguments(module: string): string[] {
  return process.versions["deno"] === undefined ? [module] : ["run", "-A", "--no-prompt", module];
}
