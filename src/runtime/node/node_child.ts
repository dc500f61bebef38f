import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { deferred } from "../../core/deferred.ts";
import type { ChildHandle, ExitStatus, Signal, SpawnOptions } from "../../core/runtime.ts";
import { ProcessGroup } from "../process_group.ts";
import { pullReadable, pushWritable } from "./node_streams.ts";

/** Starts a child. Rejects with Node's own error if it would not start. */
export async function startNodeChild(
  options: SpawnOptions,
  isZombie: (pid: number) => boolean,
): Promise<ChildHandle> {
  const { command, args, cwd, env, detached = false, stdout = "pipe", stderr = "pipe", user } = options;
  const child = spawn(command, [...args], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user.uid }),
    ...(user?.gid === undefined ? {} : { gid: user.gid }),
    env: { ...env },
    stdio: ["pipe", stdout === "null" ? "ignore" : "pipe", stderr === "null" ? "ignore" : "pipe"],
    windowsHide: true,
    detached: detached && process.platform !== "win32",
  });
  // Listeners go on at once: events of a short-lived child come in the very next turn.
  const handle = new NodeChild(child, detached, isZombie);
  await started(child);
  return handle;
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    // Stays for good: a signal that cannot be sent is an `error` event too.
    child.on("error", reject);
  });
}

class NodeChild implements ChildHandle {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #group: ProcessGroup | undefined;
  readonly #isZombie: (pid: number) => boolean;
  #gone = false;

  constructor(child: ChildProcess, detached: boolean, isZombie: (pid: number) => boolean) {
    this.#child = child;
    this.#isZombie = isZombie;
    this.#group = detached && process.platform !== "win32"
      ? new ProcessGroup((signal) => sent(() => process.kill(-this.pid, signal)))
      : undefined;
    this.stdin = pushWritable(child.stdin as Writable);
    this.stdout = readableOrEmpty(child.stdout);
    this.stderr = readableOrEmpty(child.stderr);
    const exit = deferred<ExitStatus>();
    this.exited = exit.promise;
    child.once("exit", (code, signal) => {
      this.#gone = true;
      this.#group?.leaderEnded();
      exit.resolve(signal === null ? { code, signal } : { code: null, signal });
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
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
}

function readableOrEmpty(source: Readable | null): ReadableStream<Uint8Array> {
  if (source !== null) return pullReadable(source);
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
}

function sent(send: () => boolean): boolean {
  try {
    return send();
  } catch {
    // ESRCH, or EPERM: nobody there that we could reach.
    return false;
  }
}
