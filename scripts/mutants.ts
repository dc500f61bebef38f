/**
 * `deno task mutants [part of a name]`: shows that the fuzz suites can fail. Faults are planted, one at a time, in a copy of
 * the tree; for each it is told which property caught it. Ends with code 1 if one survives, or can no longer be planted.
 */

import { dirname, join } from "node:path";
import { type Mutant, MUTANTS } from "./mutants/list.ts";
import { ROOT } from "./root.ts";
import { runCommand } from "./run_command.ts";

const copy = await Deno.makeTempDir({ prefix: "tether-mutants-" });
let good = true;
try {
  for (const name of ["src", "tests", "mod.ts", "deno.json", "deno.lock"]) {
    await runCommand("cp", ["-R", join(ROOT, name), copy]);
  }
  await Deno.symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const [only = ""] = Deno.args;
  for (const mutant of MUTANTS.filter(({ name }) => name.includes(only))) good = await tryOne(mutant) && good;
} finally {
  await Deno.remove(copy, { recursive: true });
}
if (!good) Deno.exit(1);

/** Plants one fault, runs the suites that should catch it, and takes it out again. */
async function tryOne({ name, file, from, to, suites }: Mutant): Promise<boolean> {
  const path = join(copy, file);
  const source = await Deno.readTextFile(path);
  if (source.split(from).length !== 2) {
    console.log(`STALE     ${name}: its text is not there, or not once, in ${file}`);
    return false;
  }
  await Deno.writeTextFile(path, source.replace(from, () => to));
  try {
    const caught = await caughtBy(suites);
    console.log(
      `${caught === undefined ? "SURVIVED " : "caught   "} ${name}${caught === undefined ? "" : `: ${caught}`}`,
    );
    return caught !== undefined;
  } finally {
    await Deno.writeTextFile(path, source);
  }
}

/** The first property that fails, by its name; undefined if none does. */
async function caughtBy(suites: string): Promise<string | undefined> {
  const report = join(copy, "report.json");
  const { code, output } = await runCommand(
    Deno.execPath(),
    ["test", "-A", "--no-check", "--fail-fast", "tests/run/deno.test.ts"],
    {
      cwd: copy,
      timeoutMs: 120_000,
      env: {
        ...inherited("PATH", "HOME", "DENO_DIR"),
        TMPDIR: dirname(copy),
        NO_COLOR: "1",
        TETHER_TEST_FILTER: suites,
        TETHER_TEST_REPORT: report,
        TETHER_TEST_SETTLE_MS: "200",
      },
    },
  );
  if (code === 0) return undefined;
  const { bodies } = JSON.parse(await Deno.readTextFile(report)) as { bodies: { name: string; outcome: string }[] };
  const failed = bodies.find(({ outcome }) => outcome === "failed");
  // A fault that hangs the runtime itself leaves no word of the body.
  return failed?.name ?? `the run came to nothing (${output.trim().split("\n").at(-1)})`;
}

function inherited(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}
