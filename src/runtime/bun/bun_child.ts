import process from "node:process";
import type { ChildHandle, ExitStatus, Signal, SpawnOptions } from "../../core/runtime.ts";
import { type Sink, SinkStream } from "../../core/streams/sink.ts";
import { ProcessGroup } from "../process_group.ts";
import { type BunFileSink, bunGlobal, type BunSubprocess } from "./bun_types.ts";

/** Starts a child. Throws Bun's own error if it would not start. */
export function startBunChild(options: SpawnOptions, isZombie: (pid: number) => boolean): ChildHandle {
  const { command, args, cwd, env, detached = false, stdout = "pipe", stderr = "pipe", user } = options;
  const group = detached && process.platform !== "win32";
  const child = bunGlobal().spawn({
    cmd: [command, ...args],
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user.uid }),
    ...(user?.gid === undefined ? {} : { gid: user.gid }),
    env: { ...env },
    stdin: "pipe",
    stdout: stdout === "null" ? "ignore" : "pipe",
    stderr: stderr === "null" ? "ignore" : "pipe",
    lazy: true,
    windowsHide: true,
    detached: group,
  });
  return new BunChild(child, group, isZombie);
}

class BunChild implements ChildHandle {
  readonly pid: number;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<ExitStatus>;
  readonly #child: BunSubprocess;
  readonly #group: ProcessGroup | undefined;
  readonly #isZombie: (pid: number) => boolean;

  constructor(child: BunSubprocess, detached: boolean, isZombie: (pid: number) => boolean) {
    this.#child = child;
    this.#isZombie = isZombie;
    this.pid = child.pid;
    this.#group = detached ? new ProcessGroup((signal) => sent(() => process.kill(-this.pid, signal))) : undefined;
    this.stdin = new SinkStream(new BunSink(child.stdin, () => this.#gone));
    this.stdout = child.stdout ?? empty();
    this.stderr = child.stderr ?? empty();
    this.exited = child.exited.then(() => this.#ended(), () => this.#ended());
  }

  kill(signal: Signal): boolean {
    if (this.#gone || this.#isZombie(this.pid)) return false;
    return sent(() => this.#child.kill(signal));
  }

  killGroup(signal: Signal): boolean {
    return this.#group?.signal(signal) ?? false;
  }

  groupAlive(): boolean {
    return this.#group?.signal(0) ?? false;
  }

  get #gone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #ended(): ExitStatus {
    this.#group?.leaderEnded();
    const { exitCode, signalCode } = this.#child;
    return signalCode === null ? { code: exitCode, signal: null } : { code: null, signal: signalCode };
  }
}

/**
 * Bun's sink. `node:stream`'s wrapper has no back-pressure on Bun; the sink itself has: its promise settles when the pipe
 * has taken the bytes. To a child that was reaped it "writes" without complaint (1.4.5), so that is asked first.
 */
class BunSink implements Sink {
  readonly linewise = false;
  /** Never: what breaks between two writes is told by the next. */
  readonly broken: Promise<unknown> = new Promise(() => {});
  readonly #sink: BunFileSink;
  readonly #gone: () => boolean;

  constructor(sink: BunFileSink, gone: () => boolean) {
    this.#sink = sink;
    this.#gone = gone;
  }

  async write(data: Uint8Array | string): Promise<void> {
    if (this.#gone()) throw new Error("EPIPE: the child has ended");
    await this.#sink.write(data);
    await this.#sink.flush();
  }

  close(): Promise<void> {
    return ended(this.#sink);
  }

  abort(): Promise<void> {
    return ended(this.#sink);
  }
}

async function ended(sink: BunFileSink): Promise<void> {
  try {
    await sink.end();
  } catch {
    // The end of input of a child that no longer reads is no failure.
  }
}

function empty(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
}

function sent(send: () => unknown): boolean {
  try {
    send();
    return true;
  } catch {
    // ESRCH, or EPERM: nobody there that we could reach.
    return false;
  }
}
