/** How a command ended. */
export interface CommandResult {
  readonly code: number;
  /** stdout and, unless it was left out, stderr, in the order in which they came. */
  readonly output: string;
  readonly stderr: string;
  /** It was ended because it took too long. */
  readonly timedOut: boolean;
  readonly ms: number;
}

/** Settings of {@linkcode runCommand}. */
export interface RunCommandOptions {
  readonly cwd?: string;
  /** Complete when given; inherited when not, without colours. */
  readonly env?: Record<string, string>;
  /** Default 10 minutes. */
  readonly timeoutMs?: number;
  /** Leaves stderr out of the output, for commands whose answer is read by a program. */
  readonly stdoutOnly?: boolean;
  /** Also shown while it runs. */
  readonly echo?: boolean;
  /** Called when the command itself has ended, before what is left of its group is. */
  onExit?(): Promise<void>;
}

const running = new Set<number>();

/**
 * Runs a command in a process group of its own and ends the whole group when its time is over or this process is
 * interrupted, so that nothing a test started outlives the gate.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: RunCommandOptions = {},
): Promise<CommandResult> {
  const startedAt = performance.now();
  const child = new Deno.Command(command, {
    args: [...args],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    // What is read or kept must not be coloured; Deno colours pipes as well.
    ...(options.env === undefined ? { env: { NO_COLOR: "1" } } : { env: options.env, clearEnv: true }),
  }).spawn();
  if (running.size === 0) watchSignals();
  running.add(child.pid);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, options.timeoutMs ?? 600_000);

  const output: string[] = [];
  const stderr: string[] = [];
  const collect = async (
    stream: ReadableStream<Uint8Array>,
    echoTo: typeof Deno.stdout,
    into: string[][],
  ): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      if (options.echo) echoTo.writeSync(chunk);
      const text = decoder.decode(chunk, { stream: true });
      for (const texts of into) texts.push(text);
    }
  };
  const reading = Promise.all([
    collect(child.stdout, Deno.stdout, [output]),
    collect(child.stderr, Deno.stderr, options.stdoutOnly ? [stderr] : [stderr, output]),
  ]);
  const { code } = await child.status;
  await options.onExit?.();
  // A grandchild that kept the pipe must not hold the gate up.
  killGroup(child.pid);
  await reading;
  clearTimeout(timer);
  running.delete(child.pid);
  if (running.size === 0) unwatchSignals();
  return {
    code: timedOut && code === 0 ? 124 : code,
    output: output.join(""),
    stderr: stderr.join(""),
    timedOut,
    ms: performance.now() - startedAt,
  };
}

/** Done, synchronously, when this process is interrupted while a command runs. */
export const interruptCleanups: Set<() => void> = new Set<() => void>();

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const listeners = SIGNALS.map((signal) => () => {
  for (const pid of running) killGroup(pid);
  for (const cleanup of interruptCleanups) cleanup();
  Deno.exit(signal === "SIGINT" ? 130 : 143);
});

function watchSignals(): void {
  SIGNALS.forEach((signal, index) => Deno.addSignalListener(signal, listeners[index]!));
}

function unwatchSignals(): void {
  SIGNALS.forEach((signal, index) => Deno.removeSignalListener(signal, listeners[index]!));
}

function killGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // the whole group is gone
  }
}
