import type { DiagnosticListener } from "../../core/diagnostics.ts";
import type { ChildHandle, Runtime } from "../../core/runtime.ts";

/** Whether a watchdog can run here, decided before the child is started: only a child in a group of its own can be watched. */
export type LifelinePlan =
  | { readonly possible: true; readonly shell: string }
  | { readonly possible: false; readonly reason: string };

/** Places of a shell; the bare word last, for hosts whose rights name it so. */
const SHELLS = ["/bin/sh", "/usr/bin/sh", "sh"];

/** Looks whether a watchdog can run: POSIX, a shell, and the right to start it. Asks nobody for anything. */
export async function planLifeline(runtime: Runtime): Promise<LifelinePlan> {
  if (runtime.platform === "win32") {
    return { possible: false, reason: "Windows has no process groups that a watchdog could end" };
  }
  const allowed = SHELLS.filter((shell) => runtime.mayRun(shell));
  if (allowed.length === 0) {
    return {
      possible: false,
      reason: "the host may not start a shell (Deno: --allow-run without a list, or with sh in it)",
    };
  }
  for (const shell of allowed) {
    // The bare word cannot be looked at; neither can a path where rights forbid it.
    const facts = shell === "sh" ? UNSEEN : await runtime.fs.stat(shell);
    if (facts !== undefined && (facts.kind === "unknown" || facts.executable)) return { possible: true, shell };
  }
  return { possible: false, reason: "there is no shell (/bin/sh)" };
}

const UNSEEN = { kind: "unknown", executable: false } as const;

/** How long the group has to leave after SIGTERM once the host is gone. */
const TERM_SECONDS = 5;

/**
 * The watchdog. `read` returns when the pipe the host holds is closed by the host's end, however it came; a line means that
 * all is well. No program but `sleep` and `rm` is started, and that only after the host's end, so killing the shell leaves
 * nothing behind. The group is asked for each second so that a number that was given away meanwhile is not signalled. The
 * folder is removed at once, for its secrets, and once more when nobody is left who could have written there.
 *
 * This spelling of `kill` is the only one that dash, bash, busybox ash, mksh and zsh all take: dash knows no
 * `kill -TERM -- -N`, busybox no `--` at all.
 */
const WATCHDOG = `read -r _ && exit
kill -TERM "-$1" 2>/dev/null
alive=$?
[ -z "$3" ] || rm -rf -- "$3"
[ "$alive" = 0 ] || exit
n=0
while [ "$n" -lt "$2" ]; do
  sleep 1
  kill -0 "-$1" 2>/dev/null || break
  n=$((n + 1))
done
[ "$n" -lt "$2" ] || kill -KILL "-$1" 2>/dev/null
[ -z "$3" ] || rm -rf -- "$3"`;

/** What the watchdog needs of its target. */
export type WatchedChild = Pick<ChildHandle, "pid" | "exited">;

/**
 * A watchdog beside one child: when the host is gone, the child's group gets SIGTERM, later SIGKILL. It never lives longer
 * than the child.
 */
export class Lifeline {
  readonly #runtime: Runtime;
  readonly #onDiagnostic: DiagnosticListener;
  #watchdog: ChildHandle | undefined;
  /** Holds the pipe open: a writer that is collected would close it. */
  #pipe: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #ended = false;
  readonly #started: Promise<void>;

  /**
   * Starts the watchdog; nothing has to wait for it. `env` gives the PATH on which the shell finds `sleep`; `folder` was
   * made for the child and goes with the host, for it may hold secrets.
   */
  constructor(
    runtime: Runtime,
    shell: string,
    child: WatchedChild,
    env: Readonly<Record<string, string>>,
    onDiagnostic: DiagnosticListener,
    folder?: string,
  ) {
    this.#runtime = runtime;
    this.#onDiagnostic = onDiagnostic;
    const args = [String(child.pid), String(TERM_SECONDS), ...folder === undefined ? [] : [folder]];
    this.#started = this.#start(shell, args, `${env.PATH ?? ""}:/usr/bin:/bin`);
  }

  /** The child is gone: the watchdog goes too. Resolves when it has. Idempotent. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#started;
    const watchdog = this.#watchdog;
    if (watchdog === undefined) return;
    watchdog.kill("SIGKILL");
    await watchdog.exited;
    await this.#pipe?.close().catch(() => {});
  }

  async #start(shell: string, args: readonly string[], path: string): Promise<void> {
    // Starting a process blocks a while: what the child is to be sent first goes first.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.#ended) return;
    let watchdog: ChildHandle;
    try {
      watchdog = await this.#runtime.spawn({
        command: shell,
        args: ["-c", WATCHDOG, "lifeline", ...args],
        env: { PATH: path },
        // A signal to the host's group must not reach it.
        detached: true,
        stdout: "null",
        stderr: "null",
      });
    } catch (cause) {
      this.#off(`the watchdog did not start: ${cause instanceof Error ? cause.message : String(cause)}`);
      return;
    }
    this.#watchdog = watchdog;
    this.#pipe = watchdog.stdin.getWriter();
    this.#pipe.closed.catch(() => {});
    void watchdog.exited.then(() => {
      if (!this.#ended) this.#off("the watchdog has ended before the CLI");
    });
  }

  #off(reason: string): void {
    if (!this.#ended) this.#onDiagnostic({ kind: "orphan_guard_off", reason });
  }
}
