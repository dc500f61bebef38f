/** The samples of README and guide: programs that are run as they stand. */

import { dirname, join } from "node:path";
import { scriptedModel, turn } from "../../src/testing/mod.ts";
import { denoDir } from "../deno_dir.ts";
import { ROOT } from "../root.ts";
import { runCommand } from "../run_command.ts";
import type { Step, StepResult } from "./step.ts";

/** A block of a page that is a whole program. */
export interface Sample {
  readonly page: string;
  /** The line of its fence, from 1. */
  readonly line: number;
  readonly code: string;
}

/** How long a sample may take. */
const SAMPLE_MS = 60_000;

/**
 * The programs of a page: its blocks marked `ts`. A block marked `ts ignore` is a fragment; one marked `ts check-only` is
 * type-checked like the others and not run, because it needs something that no test machine has.
 */
export function samplesOf(page: string, text: string): Sample[] {
  const samples: Sample[] = [];
  const lines = text.split("\n");
  let begin: number | undefined;
  lines.forEach((line, index) => {
    if (begin === undefined) {
      if (/^```(ts|typescript)\s*$/.test(line)) begin = index;
    } else if (/^```\s*$/.test(line)) {
      samples.push({ page, line: begin + 1, code: lines.slice(begin + 1, index).join("\n") });
      begin = undefined;
    }
  });
  if (begin !== undefined) throw new Error(`${page}:${begin + 1}: a block that is never closed`);
  return samples;
}

/** Runs every sample on Deno, with the real CLI on a scripted model where it asks for no other. Each counts. */
export function samplesStep(pages: readonly string[]): Step {
  return { name: "samples run", run: () => runSamples(pages) };
}

async function runSamples(pages: readonly string[]): Promise<StepResult> {
  const waiting: Sample[] = [];
  for (const page of pages) waiting.push(...samplesOf(page, await Deno.readTextFile(join(ROOT, page))));
  const total = waiting.length;
  const faults: string[] = [];
  const cache = await denoDir();
  const lane = async (): Promise<void> => {
    for (let sample = waiting.shift(); sample !== undefined; sample = waiting.shift()) {
      const fault = await runSample(sample, cache);
      if (fault !== undefined) faults.push(`${sample.page}:${sample.line}: ${fault}`);
    }
  };
  await Promise.all([lane(), lane()]);
  if (total === 0) return { passed: 0, failed: 1, details: "There is no sample" };
  return { passed: total - faults.length, failed: faults.length, details: faults.join("\n\n") };
}

/** What is wrong with a sample, if anything: it must end by itself, with code 0 and without an error on stderr. */
async function runSample({ page, line, code }: Sample, cache: string): Promise<string | undefined> {
  // Inside the tree: that is where `@tether/agent` and the packages are found.
  const file = join(ROOT, ".build", "samples", `${page.replace(/\W+/g, "_")}_${line}.ts`);
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeTextFile(file, code);
  const home = await Deno.makeTempDir({ prefix: "tether-sample-" });
  const model = await scriptedModel(Array.from({ length: 20 }, () => () => turn.text("That is done.")));
  try {
    const temp = join(home, "tmp");
    const cwd = join(home, "work");
    for (const folder of [temp, cwd]) await Deno.mkdir(folder);
    const env = { ...model.env(home), TMPDIR: temp, DENO_DIR: cache, NO_COLOR: "1", PATH: Deno.env.get("PATH") ?? "" };
    const args = ["run", "-A", "--no-check", "--config", join(ROOT, "deno.json"), file];
    const result = await runCommand(Deno.execPath(), args, { cwd, env, timeoutMs: SAMPLE_MS });
    if (result.timedOut) return `does not end within ${SAMPLE_MS / 1000} s\n${result.output}`;
    if (result.code !== 0) return `ends with code ${result.code}\n${result.output}`;
    return result.stderr.includes("error:") ? result.stderr : undefined;
  } finally {
    await model.close();
    await Deno.remove(home, { recursive: true });
  }
}
