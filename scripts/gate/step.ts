import { ROOT } from "../root.ts";
import { runCommand, type RunCommandOptions } from "../run_command.ts";

/** What a step of the gate came to. */
export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** What there is to say: shown when something failed, or when it is a note. */
  readonly details: string;
}

/** One step of the gate. A step that throws has failed. */
export interface Step {
  readonly name: string;
  run(): Promise<StepResult>;
}

/** A step that is one command: it passes with exit code 0. */
export function commandStep(
  name: string,
  command: string,
  args: readonly string[],
  options: RunCommandOptions = {},
): Step {
  return {
    name,
    async run() {
      const { code, output, timedOut } = await runCommand(command, args, { cwd: ROOT, ...options });
      if (code === 0) return { passed: 1, failed: 0, details: "" };
      const how = timedOut ? "took too long" : `ended with code ${code}`;
      return { passed: 0, failed: 1, details: `${command} ${args.join(" ")} ${how}\n${output}` };
    },
  };
}

/** A step of one of Deno's own commands. */
export function denoStep(name: string, ...args: readonly string[]): Step {
  return commandStep(name, Deno.execPath(), args);
}

/** A step that lists faults: it passes when there are none. */
export function faultStep(name: string, find: () => Promise<readonly string[]>): Step {
  return {
    name,
    async run() {
      const faults = await find();
      return { passed: faults.length === 0 ? 1 : 0, failed: faults.length === 0 ? 0 : 1, details: faults.join("\n") };
    },
  };
}

/** A step that runs files of Deno tests (tools, built package) and counts each test. */
export function denoTestStep(name: string, path: string): Step {
  return {
    name,
    async run() {
      const args = ["test", "-A", "--no-check", path];
      const { code, output, timedOut } = await runCommand(Deno.execPath(), args, { cwd: ROOT });
      return countDenoTests(code, timedOut ? `${output}\nThe run took too long` : output);
    },
  };
}

/** Reads the totals that `deno test` closes with. A run without them, or with an ignored test, has failed. */
export function countDenoTests(code: number, output: string): StepResult {
  const match = /(?:ok|FAILED) \| (\d+) passed.* \| (\d+) failed(?: \| (\d+) ignored)?(?: \| (\d+) filtered out)?/.exec(
    output,
  );
  const passed = Number(match?.[1] ?? 0);
  const failed = Number(match?.[2] ?? 0) + Number(match?.[3] ?? 0) + Number(match?.[4] ?? 0);
  if (code === 0 && failed === 0 && passed > 0) return { passed, failed, details: "" };
  return { passed, failed: Math.max(failed, 1), details: output };
}
