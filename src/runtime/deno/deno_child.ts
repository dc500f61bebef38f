import type { ChildHandle, ExitStatus, Signal, SpawnOptions } from "../../core/runtime.ts";
import { ProcessGroup } from "../process_group.ts";

/** Starts a child. Throws Deno's own error if it would not start. */
export function startDenoChild(options: SpawnOptions, isZombie: (pid: number) => boolean): ChildHandle {
  const { command, args, cwd, env, detached = false, stdout = "pipe", stderr = "pipe", user } = options;
  const group = detached && Deno.build.os !== "windows";
  const child = new Deno.Command(command, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user.uid }),
    ...(user?.gid === undefined ? {} : { gid: user.gid }),
    env: { ...env },
    // Without it a child sees the whole environment of the host, also where the host itself may not read it.
    clearEnv: true,
    stdin: "piped",
    stdout: stdout === "null" ? "null" : "piped",
    stderr: stderr === "null" ? "null" : "piped",
    detached: group,
  }).spawn();
  return new DenoChild(child, { group, stdout: stdout === "pipe", stderr: stderr === "pipe", isZombie });
}

interface DenoChildFacts {
  readonly group: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly isZombie: (pid: number) => boolean;
}

class DenoChild implements ChildHandle {
  readonly pid: number;
  /** Deno's own streams already have back-pressure both ways, and a broken pipe rejects. */
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<ExitStatus>;
  readonly #child: Deno.ChildProcess;
  readonly #group: ProcessGroup | undefined;
  readonly #isZombie: (pid: number) => boolean;

  constructor(child: Deno.ChildProcess, facts: DenoChildFacts) {
    this.#child = child;
    this.#isZombie = facts.isZombie;
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = facts.stdout ? child.stdout : empty();
    this.stderr = facts.stderr ? child.stderr : empty();
    this.#group = facts.group
      ? new ProcessGroup((signal) => sent(() => Deno.kill(-this.pid, signal as Deno.Signal)))
      : undefined;
    this.exited = child.status.then(
      ({ code, signal }) => this.#ended(signal === null ? { code, signal } : { code: null, signal }),
      // Deno gives no status for a child that somebody else has reaped.
      () => this.#ended({ code: null, signal: null }),
    );
  }

  kill(signal: Signal): boolean {
    // A child that is gone makes `kill` throw.
    return !this.#isZombie(this.pid) && sent(() => this.#child.kill(signal));
  }

  killGroup(signal: Signal): boolean {
    return this.#group?.signal(signal) ?? false;
  }

  groupAlive(): boolean {
    return this.#group?.signal(0) ?? false;
  }

  #ended(status: ExitStatus): ExitStatus {
    this.#group?.leaderEnded();
    return status;
  }
}

function empty(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
}

function sent(send: () => void): boolean {
  try {
    send();
    return true;
  } catch {
    // Gone, not ours, or (a pid needs the whole run permission) not allowed.
    return false;
  }
}
