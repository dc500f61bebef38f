/**
 * The real CLI for end-to-end suites: finds the pinned one, gives each run a home of its own, and drives it with plain
 * lines over stdin and stdout, so that what a suite sees is the CLI's and not the product's.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject } from "../../src/core/json.ts";
import { cliEnvironment } from "../../src/testing/mod.ts";
import { Watch } from "../../src/testing/watch.ts";
import type { TestContext } from "../harness/suite.ts";

/** The CLI that the repository pins. */
export interface PinnedCli {
  readonly path: string;
  readonly version: string;
}

/** Finds the pinned CLI for this machine in node_modules. @throws if it is not installed: end-to-end suites never skip. */
export function pinnedCli(): PinnedCli {
  const wrapper = realpathSync(join(nodeModules(), "@anthropic-ai", "claude-code"));
  const musl = process.platform === "linux" && !existsSync("/lib64/ld-linux-x86-64.so.2") &&
    !existsSync("/lib/ld-linux-aarch64.so.1");
  const name = `claude-code-${process.platform}-${process.arch}${musl ? "-musl" : ""}`;
  // Beside the wrapper (npm, and Deno's store), or in a node_modules of its own.
  const folders = [join(dirname(wrapper), name), join(wrapper, "node_modules", "@anthropic-ai", name)];
  const folder = folders.find((candidate) => existsSync(candidate));
  if (folder === undefined) {
    throw new Error(`The pinned CLI is not installed: @anthropic-ai/${name} is in none of ${folders.join(", ")}`);
  }
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return { path: join(folder, process.platform === "win32" ? "claude.exe" : "claude"), version };
}

function nodeModules(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start;; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules");
    if (existsSync(join(candidate, "@anthropic-ai", "claude-code"))) return candidate;
    if (folder === dirname(folder)) {
      throw new Error(`@anthropic-ai/claude-code is in no node_modules above ${start}: run "deno install"`);
    }
  }
}

/** Folders of one run, all inside one temp folder. */
export interface CliHome {
  /** HOME. */
  readonly home: string;
  /** CLAUDE_CONFIG_DIR. */
  readonly configDir: string;
  /** An empty working folder. */
  readonly cwd: string;
}

/** Makes the folders of one run; they go when the body is over. Call it before anything that uses them is started. */
export async function makeCliHome(t: TestContext): Promise<CliHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "tether-e2e-")));
  t.cleanup(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(root, "home");
  const folders = { home, configDir: join(home, ".claude"), cwd: join(root, "work") };
  await mkdir(folders.configDir, { recursive: true });
  await mkdir(folders.cwd);
  return folders;
}

/** The complete environment for a CLI in these folders. `extra` is laid over it. */
export function cliEnvFor(
  model: { readonly url: string },
  folders: CliHome,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return cliEnvironment({ url: model.url, home: folders.home, configDir: folders.configDir, sandbox: true, extra });
}

/** How a CLI is started. */
export interface StartOptions {
  /** After the three that make it talk JSON. */
  readonly args?: readonly string[];
  /** Laid over the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: new ones. */
  readonly folders?: CliHome;
}

/** One running CLI. */
export class CliRun {
  /** Every line of output so far, parsed. */
  readonly frames: JsonObject[] = [];
  readonly folders: CliHome;
  /** Code and signal, once it has ended and its output was read to the end. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly #child: ChildProcess;
  readonly #watch: Watch = new Watch();
  #stderr = "";
  #requests = 0;
  #over = false;

  constructor(child: ChildProcess, folders: CliHome) {
    this.#child = child;
    this.folders = folders;
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    // In pieces, so that a line of megabytes is not searched again with every chunk.
    let rest: string[] = [];
    child.stdout!.on("data", (chunk: Uint8Array) => {
      rest.push(decoder.decode(chunk, { stream: true }));
      if (!rest.at(-1)!.includes("\n")) return;
      const lines = rest.join("").split("\n");
      rest = [lines.pop() ?? ""];
      for (const line of lines) {
        const frame: unknown = JSON.parse(line);
        if (!isJsonObject(frame)) throw new Error(`The CLI wrote a line that is no object: ${line.slice(0, 80)}`);
        this.frames.push(frame as JsonObject);
      }
      this.#watch.changed();
    });
    child.stderr!.on("data", (chunk: Uint8Array) => this.#stderr += new TextDecoder().decode(chunk));
    // Writing to a CLI that has ended is seen at `exited`.
    child.stdin!.on("error", () => {});
    this.exited = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        this.#over = true;
        this.#watch.end();
        resolve({ code, signal });
      });
    });
    // A failure to start also shows in whatever the body waits for.
    this.exited.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Writes one line. */
  send(frame: JsonObject): void {
    this.#child.stdin!.write(JSON.stringify(frame) + "\n");
  }

  /** Sends a prompt; returns the uuid it was given. */
  prompt(content: string, fields: JsonObject = {}): string {
    const uuid = crypto.randomUUID();
    this.send({
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: null,
      session_id: "",
      uuid,
      ...fields,
    });
    return uuid;
  }

  /** Sends a control request and waits for its answer. @throws with the CLI's text if it is an error. */
  async request(subtype: string, fields: JsonObject = {}): Promise<JsonObject> {
    const id = `e2e_${++this.#requests}`;
    this.send({ type: "control_request", request_id: id, request: { subtype, ...fields } });
    const answer = await this.waitFor(
      `the answer to ${subtype}`,
      (frame) => frame.type === "control_response" && isJsonObject(frame.response) && frame.response.request_id === id,
    );
    const response = answer.response as JsonObject;
    if (response.subtype !== "success") throw new Error(`${subtype}: ${String(response.error)}`);
    return isJsonObject(response.response) ? response.response as JsonObject : {};
  }

  /** Answers a control request of the CLI. */
  respond(request: JsonObject, response: JsonObject): void {
    this.send({
      type: "control_response",
      response: { subtype: "success", request_id: request.request_id, response },
    });
  }

  /** The `nth` (from 1) frame that fits, waiting for it. */
  waitFor(what: string, fits: (frame: JsonObject) => boolean, nth = 1, timeoutMs = 30_000): Promise<JsonObject> {
    return this.#watch.until(
      () => this.frames.filter(fits)[nth - 1],
      timeoutMs,
      () =>
        new Error(
          `Waited for ${what}; ${this.#over ? "the CLI ended" : "it did not come"}. ` +
            `Frames: ${this.frames.map(kindOf).join(" ")}. stderr: ${this.#stderr}`,
        ),
    );
  }

  /** The `nth` result, waiting for it. */
  result(nth = 1, timeoutMs?: number): Promise<JsonObject> {
    return this.waitFor(`result ${nth}`, (frame) => frame.type === "result", nth, timeoutMs);
  }

  /** Ends its input and waits for its end. */
  async end(): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    this.#child.stdin!.end();
    return await this.exited;
  }

  /** Sees to it that it is gone. */
  async stop(): Promise<void> {
    if (this.#over) return;
    this.#child.stdin!.end();
    this.#child.kill("SIGTERM");
    await this.exited;
  }
}

/** Starts the pinned CLI against a model. It is gone when the body is over. */
export async function startCli(
  t: TestContext,
  model: { readonly url: string },
  options: StartOptions = {},
): Promise<CliRun> {
  const folders = options.folders ?? await makeCliHome(t);
  const args = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];
  const child = spawn(pinnedCli().path, [...args, ...options.args ?? []], {
    cwd: folders.cwd,
    env: cliEnvFor(model, folders, { CLAUDE_CODE_SDK_READS_SESSION_STATE: "1", ...options.env }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const run = new CliRun(child, folders);
  t.cleanup(() => run.stop());
  return run;
}

function kindOf(frame: JsonObject): string {
  return [frame.type, frame.subtype, frame.state].filter((word) => typeof word === "string").join("/");
}
