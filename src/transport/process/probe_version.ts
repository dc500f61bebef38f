import type { Clock } from "../../core/clock.ts";
import type { Runtime } from "../../core/runtime.ts";
import { DrainingReader } from "./draining_reader.ts";
import type { CliCandidate } from "./located_cli.ts";

/** How long a CLI may take to tell its version (spec A09). */
export const PROBE_MS = 2_000;

/** What to ask, and how. */
export interface ProbeOptions {
  /** The CLI. */
  readonly cli: CliCandidate;
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its folder. */
  readonly cwd: string | undefined;
  /** For the deadline. */
  readonly clock: Clock;
}

/**
 * Asks a CLI for its version by `-v`; for those that do not tell it when they are initialized. Undefined if it does not say
 * within {@linkcode PROBE_MS}: not knowing is no reason to complain (spec A10). Settles when the process is gone; never rejects.
 */
export async function probeVersion(runtime: Runtime, options: ProbeOptions): Promise<string | undefined> {
  const { cli, env, cwd, clock } = options;
  try {
    const child = await runtime.spawn({ command: cli.command, args: [...cli.args, "-v"], cwd, env, stderr: "null" });
    const forget = clock.after(PROBE_MS, () => child.kill("SIGKILL"));
    try {
      void child.stdin.close().catch(() => {}); // a program that does not read has nothing to be told
      const output = new DrainingReader(child.stdout, clock);
      // Whoever inherited its output may hold it open for ever.
      void child.exited.then(() => output.childEnded());
      const text = await readShort(output);
      await child.exited;
      return /\d+\.\d+\.\d+/.exec(text)?.[0];
    } finally {
      forget();
    }
  } catch {
    // It started once, so this says nothing about the query.
    return undefined;
  }
}

/** The text of an output, of which no more is kept than a version can need. */
async function readShort(output: DrainingReader): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = await output.read(); bytes !== undefined; bytes = await output.read()) {
    if (text.length < 1_024) text += decoder.decode(bytes, { stream: true });
  }
  return text;
}
