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
 * The watchdog: one for all children of a host. Its entries are "pid folder", the first as arguments, others as lines: `+`
 * enters one, `-` with a pid takes one out. `read` fails when the pipe that the host holds is closed by the host's end,
 * however it came. No program but `sleep` and `rm` is started, and that only after the host's end, so killing the shell
 * leaves nothing behind. Each group is asked for every second so that a number that was given away meanwhile is not
 * signalled. A folder is removed at once, for its secrets, and once more when nobody is left who could have written there.
 *
 * This spelling of `kill` is the only one that dash, bash, busybox ash, mksh and zsh all take: dash knows no
 * `kill -TERM -- -N`, busybox no `--` at all.
 */
const WATCHDOG = `seconds=$2
set -- "$1 $3"
while IFS= read -r line; do
  case $line in
  +*) set -- "$@" "\${line#+}" ;;
  -*)
    n=$#
    while [ "$n" -gt 0 ]; do
      entry=$1
      shift
      n=$((n - 1))
      [ "\${entry%% *}" = "\${line#-}" ] || set -- "$@" "$entry"
    done
    ;;
  esac
done
n=$#
while [ "$n" -gt 0 ]; do
  entry=$1
  shift
  n=$((n - 1))
  kill -TERM "-\${entry%% *}" 2>/dev/null && set -- "$@" "$entry"
  [ -z "\${entry#* }" ] || rm -rf -- "\${entry#* }"
done
waited=0
while [ "$#" -gt 0 ]; do
  sleep 1
  waited=$((waited + 1))
  n=$#
  while [ "$n" -gt 0 ]; do
    entry=$1
    shift
    n=$((n - 1))
    if kill -0 "-\${entry%% *}" 2>/dev/null; then
      if [ "$waited" -lt "$seconds" ]; then
        set -- "$@" "$entry"
        continue
      fi
      kill -KILL "-\${entry%% *}" 2>/dev/null
    fi
    [ -z "\${entry#* }" ] || rm -rf -- "\${entry#* }"
  done
done`;

/** What the watchdog needs of its target. */
export type WatchedChild = Pick<ChildHandle, "pid" | "exited">;

/** What is known of a child that is watched. */
interface Watched {
  /** Made for the child; it may hold secrets. */
  readonly folder: string | undefined;
  readonly onDiagnostic: DiagnosticListener;
}

/**
 * A child's place with the watchdog of its host: when the host is gone, the child's group gets SIGTERM, later SIGKILL. The
 * watchdog comes with the first child and goes with the last.
 */
export class Lifeline {
  readonly #watchdog: Watchdog;
  readonly #child: WatchedChild;

  /**
   * Has the child watched; nothing has to wait for it. `env` gives the PATH on which the shell finds `sleep`; `folder` was
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
    let watchdog = watchdogs.get(runtime);
    if (watchdog === undefined) {
      watchdog = new Watchdog(runtime, shell, `${env.PATH ?? ""}:/usr/bin:/bin`);
      watchdogs.set(runtime, watchdog);
    }
    this.#watchdog = watchdog;
    this.#child = child;
    watchdog.add(child, { folder, onDiagnostic });
  }

  /** The child is gone: with the last one the watchdog goes too. Resolves when it has. Idempotent. */
  end(): Promise<void> {
    return this.#watchdog.remove(this.#child);
  }
}

/** The watchdog of each host that has one. */
const watchdogs = new WeakMap<Runtime, Watchdog>();

class Watchdog {
  readonly #runtime: Runtime;
  readonly #watched = new Map<WatchedChild, Watched>();
  readonly #started: Promise<void>;
  #process: ChildHandle | undefined;
  /** Holds the pipe open: a writer that is collected would close it. */
  #pipe: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #over = false;

  constructor(runtime: Runtime, shell: string, path: string) {
    this.#runtime = runtime;
    this.#started = this.#start(shell, path);
  }

  add(child: WatchedChild, watched: Watched): void {
    this.#watched.set(child, watched);
    this.#tell(enter(child, watched));
  }

  async remove(child: WatchedChild): Promise<void> {
    if (this.#watched.delete(child)) this.#tell(`-${child.pid}`);
    if (this.#watched.size > 0) return;
    this.#leave();
    await this.#started;
    if (this.#process === undefined) return;
    this.#process.kill("SIGKILL");
    await this.#process.exited;
    await this.#pipe?.close().catch(() => {});
  }

  async #start(shell: string, path: string): Promise<void> {
    // Starting a process blocks a while: what the child is to be sent first goes first.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const [first] = this.#watched;
    if (this.#over || first === undefined) return;
    const [child, { folder }] = first;
    try {
      this.#process = await this.#runtime.spawn({
        command: shell,
        args: [
          "-c",
          WATCHDOG,
          "lifeline",
          String(child.pid),
          String(TERM_SECONDS),
          ...folder === undefined ? [] : [folder],
        ],
        env: { PATH: path },
        // A signal to the host's group must not reach it.
        detached: true,
        stdout: "null",
        stderr: "null",
      });
    } catch (cause) {
      return this.#off(`the watchdog did not start: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
    this.#pipe = this.#process.stdin.getWriter();
    this.#pipe.closed.catch(() => {});
    if (!this.#watched.has(child)) this.#tell(`-${child.pid}`);
    for (const [other, watched] of this.#watched) if (other !== child) this.#tell(enter(other, watched));
    void this.#process.exited.then(() => this.#off("the watchdog has ended before the CLI"));
  }

  /** Before it has started, and after it has ended, nothing has to be said. */
  #tell(line: string): void {
    // That it no longer reads is seen by its end.
    this.#pipe?.write(ENCODER.encode(`${line}\n`)).catch(() => {});
  }

  /** The next child gets a watchdog of its own. */
  #leave(): void {
    this.#over = true;
    if (watchdogs.get(this.#runtime) === this) watchdogs.delete(this.#runtime);
  }

  #off(reason: string): void {
    if (this.#over) return;
    this.#leave();
    for (const { onDiagnostic } of this.#watched.values()) onDiagnostic({ kind: "orphan_guard_off", reason });
  }
}

const ENCODER = new TextEncoder();

/** A folder whose name would end the line is left to the sweep at the next start. */
function enter({ pid }: WatchedChild, { folder = "" }: Watched): string {
  return `+${pid} ${folder.includes("\n") ? "" : folder}`;
}
