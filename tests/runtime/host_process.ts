/** Runs `fixtures/process/host_program` as a host that can be killed. */

import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { HostTask, HostWord } from "../fixtures/process/host_program.ts";
import { ownRunArguments } from "../harness/run_program.ts";
import type { TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";

/** A host that runs, and what it has told. */
export class HostProcess {
  readonly words: HostWord[] = [];
  stderr = "";
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;

  constructor(child: ChildProcess) {
    this.#child = child;
    let rest = "";
    child.stdout!.on("data", (chunk) => {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.words.push(JSON.parse(line) as HostWord);
    });
    child.stderr!.on("data", (chunk) => this.stderr += String(chunk));
    this.#closed = new Promise((resolve) => child.once("close", () => resolve()));
  }

  /** The words of one kind so far. */
  all<W extends HostWord["word"]>(word: W): Extract<HostWord, { word: W }>[] {
    return this.words.filter((told): told is Extract<HostWord, { word: W }> => told.word === word);
  }

  /** Everything the child has written. */
  get output(): string {
    return this.all("output").map(({ text }) => text).join("");
  }

  /** Waits for a word. */
  async heard<W extends HostWord["word"]>(word: W): Promise<Extract<HostWord, { word: W }>> {
    await until(() => this.all(word).length > 0 || this.words.some((told) => told.word === "failed"));
    const [told] = this.all(word);
    if (told === undefined) throw new Error(`The host failed: ${JSON.stringify(this.words)}`);
    return told;
  }

  /** Ends it as nothing in it can notice. */
  async kill(signal: "SIGKILL" | "SIGTERM" | "SIGINT" = "SIGKILL"): Promise<void> {
    process.kill(this.#child.pid!, signal);
    await this.#closed;
  }

  /** Waits for its end. */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  /** Sees to it that it is gone. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(this.#child.pid!, "SIGKILL");
    await this.#closed;
  }
}

/** How the host is run, if not by this runtime with everything allowed. */
export interface HostCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A program of `fixtures/process`, in the form this run has it: source, or compiled. */
export function processFixture(name: string): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`../fixtures/process/${name}.${extension}`, import.meta.url));
}

/** The host program. */
export function hostProgram(): string {
  return processFixture("host_program");
}

/** Starts a host. It is gone when the body is over. */
export function startHost(t: TestContext, task: HostTask, run?: HostCommand): HostProcess {
  const { command, args } = run ?? { command: process.execPath, args: ownRunArguments(hostProgram()) };
  const kept = ["PATH", "DENO_DIR", "HOME", "TMPDIR"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const child = spawn(command, [...args, JSON.stringify(task)], {
    env: { ...Object.fromEntries(kept), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const host = new HostProcess(child);
  t.cleanup(() => host.stop());
  return host;
}
