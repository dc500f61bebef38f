import type { Clock } from "../../core/clock.ts";
import type { ExitStatus, Runtime, SpawnOptions } from "../../core/runtime.ts";
import { DrainingReader } from "./draining_reader.ts";

/** What to ask, and how patiently. */
export interface AskOptions extends Pick<SpawnOptions, "command" | "args" | "cwd" | "env"> {
  /** For the deadline. */
  readonly clock: Clock;
  /** It is killed after this many milliseconds. */
  readonly limitMs: number;
  /** About how much of its answer is kept, in characters. */
  readonly maxChars: number;
}

/** What a program has answered. */
export interface ProgramAnswer extends ExitStatus {
  /** Its output, stderr left out. */
  readonly text: string;
}

/** Runs a program that gives a short answer, with nothing on its input. Settles when it is gone. @throws {SpawnError} if it does not start. */
export async function askProgram(runtime: Runtime, options: AskOptions): Promise<ProgramAnswer> {
  const { command, args, cwd, env, clock, limitMs, maxChars } = options;
  const child = await runtime.spawn({ command, args, cwd, env, stderr: "null" });
  const forget = clock.after(limitMs, () => child.kill("SIGKILL"));
  try {
    void child.stdin.close().catch(() => {}); // a program that does not read has nothing to be told
    const output = new DrainingReader(child.stdout, clock);
    // Whoever inherited its output may hold it open for ever.
    void child.exited.then(() => output.childEnded());
    const text = await readShort(output, maxChars);
    return { ...await child.exited, text };
  } finally {
    forget();
  }
}

/** The text of an output, of which no more is kept than an answer can need. */
async function readShort(output: DrainingReader, maxChars: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = await output.read(); bytes !== undefined; bytes = await output.read()) {
    if (text.length < maxChars) text += decoder.decode(bytes, { stream: true });
  }
  return text;
}
