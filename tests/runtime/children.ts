/** Starts real children for the suites of this folder, and looks after them from outside. Needs a POSIX `sh`. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Diagnostic } from "../../src/core/diagnostics.ts";
import type { Runtime } from "../../src/core/runtime.ts";
import { detectRuntime } from "../../src/runtime/detect.ts";
import {
  type ProcessTransport,
  startProcess,
  type StartProcessOptions,
} from "../../src/transport/process/process_transport.ts";
import type { TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";

/** The environment children get unless a body says otherwise. */
export const CHILD_ENV: Readonly<Record<string, string>> = { PATH: "/usr/local/bin:/usr/bin:/bin" };

/** The runtime under test. */
export const host: Runtime = await detectRuntime();

/** A started child and what was heard of it. */
export interface Started {
  readonly transport: ProcessTransport;
  readonly diagnostics: Diagnostic[];
  /** What the `stderr` callback got. */
  readonly lines: string[];
}

/** Starts a program. It is gone, and its output let go, when the body is over. */
export async function start(
  t: TestContext,
  command: string,
  args: readonly string[],
  options: Partial<StartProcessOptions> = {},
): Promise<Started> {
  const diagnostics: Diagnostic[] = [];
  const lines: string[] = [];
  const transport = await startProcess(host, {
    command,
    args,
    cwd: "/",
    env: CHILD_ENV,
    onStderr: (line) => lines.push(line),
    onDiagnostic: (event) => diagnostics.push(event),
    ...options,
  });
  t.cleanup(async () => {
    await transport.close({ graceMs: 0 });
    if (!transport.readable.locked) await transport.readable.cancel();
  });
  return { transport, diagnostics, lines };
}

/** Starts a shell script. */
export function startScript(
  t: TestContext,
  script: string,
  options: Partial<StartProcessOptions> = {},
): Promise<Started> {
  return start(t, "/bin/sh", ["-c", script], options);
}

/** Reads to the end of a stream. */
export async function readBytes(readable: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = readable.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    size += next.value.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Reads a stream to its end, as text. */
export async function readText(readable: ReadableStream<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await readBytes(readable));
}

/** Waits for the first text of a stream and leaves the rest in it. */
export async function firstText(readable: ReadableStream<Uint8Array>): Promise<string> {
  const reader = readable.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  return new TextDecoder().decode(value);
}

/** Whether a process runs. One that has ended and only waits to be reaped does not. */
export function isRunning(pid: number): boolean {
  if (!existsSync("/proc/self/stat")) return signalled(pid);
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** The command lines of running processes that hold a text, this one's aside. */
export function runningWith(text: string): { readonly pid: number; readonly commandLine: string }[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    const pid = Number(name);
    try {
      const commandLine = readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0").join(" ").trim();
      return pid !== process.pid && commandLine.includes(text) && isRunning(pid) ? [{ pid, commandLine }] : [];
    } catch {
      return []; // it ended between the listing and the read
    }
  });
}

/** A text that no other process has on its command line. */
export function newMark(): string {
  return `mark-${crypto.randomUUID()}`;
}

/** Ends every process that has a text on its command line, so that a failed body leaves none behind. */
export function killWith(text: string): void {
  for (const { pid } of runningWith(text)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}

/** A folder of its own, gone when the body is over. */
export function tempFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tether-runtime-")));
  // A watchdog may be clearing up in there at this moment: Bun then stops halfway and says nothing.
  t.cleanup(() =>
    until(() => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      return !existsSync(folder);
    })
  );
  return folder;
}

/** Lets time pass. For a body that must see that something does not happen. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function signalled(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
