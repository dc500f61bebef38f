import { type Clock, systemClock } from "../../core/clock.ts";
import { type DiagnosticListener, guardedListener } from "../../core/diagnostics.ts";
import { CLIConnectionError } from "../../core/errors/mod.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../core/limits.ts";
import type { ChildHandle, ExitStatus, Runtime } from "../../core/runtime.ts";
import type { CloseOptions, Transport, TransportExit } from "../transport.ts";
import { refuseBatchScript } from "./batch_script.ts";
import { ChildInput } from "./child_input.ts";
import { type ChildOutput, childOutput } from "./child_output.ts";
import { sweepGroup } from "./group_sweep.ts";
import { killWindowsTree } from "./kill_tree.ts";
import { Lifeline, planLifeline } from "./lifeline.ts";
import { liveChildren } from "./live_children.ts";
import { maskArgv } from "./mask_argv.ts";
import { Shutdown } from "./shutdown.ts";
import { StderrReader } from "./stderr_reader.ts";
import { sweepOnce } from "./sweep_leftovers.ts";
import { resolveUser } from "./user_ids.ts";

/** What {@linkcode startProcess} starts, and how patient it is. */
export interface StartProcessOptions {
  /** A path, or a bare word that the system looks up. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Default: the host's. */
  readonly cwd?: string | undefined;
  /** The whole environment of the child: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** The account to run under, by name or number (POSIX). Default: the host's. */
  readonly user?: string | number | undefined;
  /** Sizes, in bytes. */
  readonly limits?: {
    /** How much of the end of stderr the exit carries. Default 16 KiB. */
    readonly stderrTailBytes?: number | undefined;
  } | undefined;
  /** Patience, in milliseconds; `Infinity` waits for ever. */
  readonly timeouts?: {
    /** From the end of input to SIGTERM, where `close()` does not say. Default 5 s. */
    readonly graceMs?: number | undefined;
    /** From SIGTERM to SIGKILL. Default 5 s. */
    readonly termMs?: number | undefined;
  } | undefined;
  /** Gets stderr line by line, blank ends cut, empty lines left out; a very long line comes in pieces of 1 MiB. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /** Hears `orphan_guard_off`, `process_forced`, `callback_failed`. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
  /** Whether a watchdog ends the child if the host is killed. Default true; where none can run, `orphan_guard_off` says so. */
  readonly lifeline?: boolean | undefined;
  /** A folder that was made for the child: the watchdog takes it away if the host is killed. */
  readonly folder?: string | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** For the grace and what follows it. Default: `clock`. */
  readonly deadlines?: Clock | undefined;
}

/** A transport to a child process. */
export interface ProcessTransport extends Transport {
  /** The child's process id. */
  readonly pid: number;
  /** What it writes; see {@linkcode ChildOutput} for how it ends. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What was started, values masked. */
  readonly description: NonNullable<Transport["description"]>;
}

/**
 * Starts a child and gives the pipe to it.
 *
 * Stderr is read from the start whether or not anybody listens. When the child ends by itself, its output stays readable to the
 * last byte it wrote; `exited` settles once it is reaped and its stderr was read. A process that inherited the child's
 * output and outlives it delays nothing: see {@linkcode ChildOutput}. The first child of a host also has the folders removed that
 * killed hosts have left: see {@linkcode sweepOnce}. If the host ends in an orderly way the child gets
 * SIGTERM; if it is killed, the watchdog sees to that.
 *
 * @throws {SpawnError} if it would not start; nothing is left behind then.
 * @throws {CLIConnectionError} `batch_script_refused` for a `.cmd` or `.bat` on Windows.
 */
export async function startProcess(runtime: Runtime, options: StartProcessOptions): Promise<ProcessTransport> {
  const { command, args, cwd, env } = options;
  const onDiagnostic = guardedListener(options.onDiagnostic);
  refuseBatchScript(command, runtime.platform);
  const user = options.user === undefined ? undefined : await resolveUser(runtime, options.user);
  const plan = options.lifeline === false ? undefined : await planLifeline(runtime);
  const detached = plan?.possible === true;
  const child = await runtime.spawn({ command, args, cwd, env, detached, user });
  // Beside the child's own start, which it must not delay.
  const sweep = sweepOnce(runtime);
  const unregister = liveChildren(runtime).add(child, options.folder);
  const lifeline = plan?.possible
    ? new Lifeline(runtime, plan.shell, child, env, onDiagnostic, options.folder)
    : undefined;
  if (plan?.possible === false) onDiagnostic({ kind: "orphan_guard_off", reason: plan.reason });
  return new ChildTransport(child, {
    description: { argv: maskArgv(command, args), cwd, pid: child.pid },
    env,
    tailBytes: options.limits?.stderrTailBytes ?? DEFAULT_LIMITS.stderrTailBytes,
    graceMs: options.timeouts?.graceMs ?? DEFAULT_TIMEOUTS.graceMs,
    termMs: options.timeouts?.termMs ?? DEFAULT_TIMEOUTS.termMs,
    onStderr: options.onStderr,
    onDiagnostic,
    clock: options.clock ?? systemClock,
    deadlines: options.deadlines,
    force: (signal) => {
      if (runtime.platform === "win32") void killWindowsTree(runtime, child, env);
      else if (!child.killGroup(signal)) child.kill(signal);
    },
    reaped: unregister,
    gone: async () => void await Promise.all([lifeline?.end(), sweep]),
  });
}

/** What a {@linkcode ChildTransport} needs beside its child. */
export interface ChildTransportOptions {
  /** What was started, values masked. */
  readonly description: NonNullable<Transport["description"]>;
  /** For masking. */
  readonly env: Readonly<Record<string, string>>;
  /** How much of the end of stderr is kept. */
  readonly tailBytes: number;
  /** From the end of input to SIGTERM. */
  readonly graceMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number;
  /** Gets stderr line by line. */
  readonly onStderr: ((line: string) => void) | undefined;
  /** Guarded already. */
  readonly onDiagnostic: DiagnosticListener;
  /** For every wait. */
  readonly clock: Clock;
  /** For the grace and what follows it. Default: `clock`. */
  readonly deadlines: Clock | undefined;
  /** Sends a signal to the child and what belongs to it. */
  force(signal: "SIGTERM" | "SIGKILL"): void;
  /** The child has been reaped. */
  reaped(): void;
  /** The child is gone, and so is its group if it had to be forced; `exited` waits for it. */
  gone(): Promise<void>;
  /** What the one who started it has to say of it, for the end of its stderr. */
  failures?(): readonly string[];
}

/** The transport over a running child, however it was started. */
export class ChildTransport implements ProcessTransport {
  readonly pid: number;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly exited: Promise<TransportExit>;
  readonly description: NonNullable<Transport["description"]>;
  readonly #child: ChildHandle;
  readonly #options: ChildTransportOptions;
  readonly #input: ChildInput;
  readonly #output: ChildOutput;
  readonly #stderr: StderrReader;
  readonly #shutdown: Shutdown;

  /** Takes the child over: its stderr is read from now on. */
  constructor(child: ChildHandle, options: ChildTransportOptions) {
    const { clock, env, tailBytes, onStderr, onDiagnostic } = options;
    this.#child = child;
    this.#options = options;
    this.pid = child.pid;
    this.description = options.description;
    this.#input = new ChildInput(child.stdin);
    this.#output = childOutput(child.stdout, clock);
    this.#stderr = new StderrReader(child.stderr, { tailBytes, env, onLine: onStderr, onDiagnostic, clock });
    this.#shutdown = new Shutdown(
      {
        endInput: () => this.#input.end(),
        signal: (signal) => {
          onDiagnostic({ kind: "process_forced", signal, pid: this.pid });
          options.force(signal);
        },
      },
      options.termMs,
      options.deadlines ?? clock,
    );
    this.writable = this.#input.writable;
    this.readable = this.#output.readable;
    this.exited = this.#watch();
  }

  /** Never rejects. Output that was not read yet stays readable. */
  async close(options: CloseOptions = {}): Promise<void> {
    this.#shutdown.begin(options.graceMs ?? this.#options.graceMs);
    await this.exited;
  }

  async #watch(): Promise<TransportExit> {
    const status = await this.#child.exited;
    this.#shutdown.childEnded();
    this.#options.reaped();
    this.#input.fail(new CLIConnectionError(`The CLI has ended (${describeExit(status)})`, { code: "process_ended" }));
    this.#output.childEnded();
    this.#stderr.childEnded();
    // One that leaves by itself may leave something running. One that was killed had no say in what it leaves.
    const crashed = !this.#shutdown.forced && status.signal !== null && this.#child.killGroup("SIGTERM");
    if (this.#shutdown.forced || crashed) await sweepGroup(this.#child, this.#options.termMs, this.#options.clock);
    await Promise.all([this.#options.gone(), this.#stderr.done]);
    const told = [this.#stderr.tail(), ...this.#options.failures?.() ?? []].filter((text) => text !== "");
    return { ...status, stderrTail: told.join("\n") };
  }
}

/** How a child ended, in words. */
export function describeExit({ code, signal }: ExitStatus): string {
  if (signal !== null) return `by ${signal}`;
  return code === null ? "its exit code is unknown" : `exit code ${code}`;
}
