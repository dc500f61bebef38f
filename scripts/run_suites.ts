/** Runs the suites on one runtime, in a home and a temp folder of their own, and gives back what was reported. */

import { delimiter, join } from "node:path";
import { bodyId, type Report, type ReportedBody } from "../tests/harness/report.ts";
import { NODE20_DIR } from "./compile_node20.ts";
import { denoDir } from "./deno_dir.ts";
import { PINS } from "./pins.ts";
import { ROOT } from "./root.ts";
import { type CommandResult, interruptCleanups, runCommand } from "./run_command.ts";
import { endSurvivors } from "./survivors.ts";
import { officialSdkPath, toolPath } from "./tools.ts";

/** The runtimes with processes. `node20` runs the built package. */
export const PROCESS_RUNTIMES = ["deno", "bun", "node22", "node24", "node20"] as const;

/** Those that a whole gate runs: Node 24 differs little from 22 and would cost minutes; `--only node24` runs it. */
export const GATE_RUNTIMES = ["deno", "bun", "node22", "node20"] as const;

/**
 * The order in which bodies are taken: from the first or the last, or from the middle on and round. Runtimes run side by
 * side: so what needs most memory does not coincide, and a body that needs an earlier one fails.
 */
const ORDER: Readonly<Record<ProcessRuntime, string>> = {
  deno: "forwards",
  bun: "backwards",
  node22: "forwards,middle",
  node24: "forwards",
  node20: "backwards,middle",
};

/** One of {@linkcode PROCESS_RUNTIMES}. */
export type ProcessRuntime = typeof PROCESS_RUNTIMES[number];

/** Where whole runs leave `<runtime>.json` and `<runtime>.log`. */
export const REPORTS_DIR: string = join(ROOT, ".build", "reports");

/** What a run came to. */
export interface SuiteRun {
  readonly report: Report | undefined;
  /** Faults of the run itself, beside those of its bodies: it crashed, hung at its end, left files behind. */
  readonly faults: readonly string[];
  readonly command: CommandResult;
}

/** Settings of {@linkcode runSuites}. */
export interface RunSuitesOptions {
  /** Part of a suite's path, its name or a body's name. */
  readonly filter?: string;
  /** Shows the runner's output while it runs. */
  readonly echo?: boolean;
  /** Default 25 minutes: a whole run takes about 2 on an idle machine. */
  readonly timeoutMs?: number;
  /** Variables on top of those that every run has. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the suites on one runtime. */
export async function runSuites(runtime: ProcessRuntime, options: RunSuitesOptions = {}): Promise<SuiteRun> {
  const { filter = "", echo = false, timeoutMs = 1_500_000 } = options;
  const home = await Deno.makeTempDir({ prefix: `tether-run-${runtime}-` });
  let survivors: string[] = [];
  const removeHome = (): void => Deno.removeSync(home, { recursive: true });
  interruptCleanups.add(removeHome);
  try {
    const temp = join(home, "tmp");
    await Deno.mkdir(temp);
    // Only a whole run leaves its report in the tree: filtered ones may run side by side.
    const reports = filter === "" ? REPORTS_DIR : home;
    await Deno.mkdir(reports, { recursive: true });
    const reportPath = join(reports, `${runtime}.json`);
    await Deno.remove(reportPath).catch(() => {});
    const command = await commandFor(runtime);
    const roots = runtime === "node20" ? await compiledRoots() : [join(ROOT, "tests")];
    const env = await testEnvironment(home, temp, {
      TETHER_TEST_RUNTIME: runtime,
      TETHER_TEST_REPORT: reportPath,
      TETHER_TEST_FILTER: filter,
      TETHER_TEST_ORDER: ORDER[runtime],
      // Whole runs happen on machines that do other things as well; who works on one suite wants to see a hang soon.
      TETHER_TEST_PATIENCE: filter === "" ? "4" : "1",
      TETHER_TEST_ROOT: roots.join(delimiter),
      TETHER_TEST_COMMAND: JSON.stringify(command),
      // For bodies about Deno's permissions, which every runtime checks alike.
      TETHER_DENO: Deno.execPath(),
      TETHER_OFFICIAL_SDK: await officialSdkPath(),
      ...options.env,
    });
    const result = await runCommand(command[0]!, command.slice(1), {
      cwd: ROOT,
      env,
      echo,
      timeoutMs,
      onExit: async () => void (survivors = await endSurvivors(home)),
    });
    await Deno.writeTextFile(join(reports, `${runtime}.log`), result.output);
    const report = await readReport(reportPath);
    return {
      command: result,
      ...judge(runtime, report, result, { files: await leftovers(temp), processes: survivors }),
    };
  } finally {
    interruptCleanups.delete(removeHome);
    removeHome();
  }
}

/** The folders that compile_node20.ts made; which suites are in which is its business. */
async function compiledRoots(): Promise<string[]> {
  const roots: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(NODE20_DIR)) {
    if (isDirectory) roots.push(join(NODE20_DIR, name));
  }
  return roots.sort();
}

async function commandFor(runtime: ProcessRuntime): Promise<string[]> {
  switch (runtime) {
    case "deno":
      return [Deno.execPath(), "test", "-A", "--no-check", "tests/run/deno.test.ts"];
    case "bun":
      return [await toolPath("bun"), "tests/run/direct.ts"];
    case "node22":
    case "node24":
      return [await toolPath(runtime), ...NODE_FLAGS, "tests/run/node.test.ts"];
    case "node20":
      return [await toolPath("node20"), "--test-reporter=tap", join(NODE20_DIR, "tests", "run", "node.test.js")];
  }
}

const NODE_FLAGS = [
  "--test-reporter=tap",
  // Type stripping is what we are here for, and there is no package.json on purpose: deno.json is the manifest.
  "--disable-warning=ExperimentalWarning",
  "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
];

/** What a test may see of the machine: no account, no settings of the user, no variable of a session it runs in. */
async function testEnvironment(
  home: string,
  temp: string,
  own: Record<string, string>,
): Promise<Record<string, string>> {
  const kept = ["PATH", "LANG", "LC_ALL", "TZ", "SystemRoot", "CI"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), HOME: home, TMPDIR: temp, DENO_DIR: await denoDir(), NO_COLOR: "1", ...own };
}

async function readReport(path: string): Promise<Report | undefined> {
  const text = await Deno.readTextFile(path).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text) as Report;
}

async function leftovers(temp: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(temp)) if (entry.name.startsWith("tether-")) names.push(entry.name);
  return names;
}

/** Joins what the bodies reported with what their runner thought of them. */
export function judge(
  runtime: ProcessRuntime,
  report: Report | undefined,
  command: CommandResult,
  left: { readonly files: readonly string[]; readonly processes: readonly string[] },
): Pick<SuiteRun, "report" | "faults"> {
  const faults: string[] = [];
  if (command.timedOut) faults.push(`${runtime}: did not end within its time (${Math.round(command.ms / 1000)} s)`);
  if (left.files.length > 0) faults.push(`${runtime}: left in the temp folder: ${left.files.join(", ")}`);
  if (left.processes.length > 0) faults.push(`${runtime}: left running: ${left.processes.join("; ")}`);
  if (report === undefined) {
    return {
      report,
      faults: [...faults, `${runtime}: ended with code ${command.code} and without a report\n${command.output}`],
    };
  }
  const refused = new Map(notOkIds(command.output).map(({ id, words }) => [id, words]));
  const bodies = report.bodies.map((body): ReportedBody =>
    body.outcome === "passed" && refused.has(bodyId(body))
      ? { ...body, outcome: "failed", error: `the runner failed it:\n${refused.get(bodyId(body))}` }
      : body
  );
  const failed = bodies.some((body) => body.outcome !== "passed");
  if (command.code !== 0 && !failed && faults.length === 0) {
    faults.push(
      `${runtime}: every body passed, but the runner ended with code ${command.code}\n${command.output.slice(-4_000)}`,
    );
  }
  if (command.code === 0 && failed) faults.push(`${runtime}: bodies failed, but the runner ended with code 0`);
  return { report: { ...report, bodies }, faults };
}

/**
 * The failed tests with what is said of them: in TAP (Node, the direct runner), and as Deno prints them (its TAP hides load
 * errors).
 */
function notOkIds(output: string): { id: string; words: string }[] {
  const tap = [...output.matchAll(/^not ok \d+ - (.*)$/gm)].map((match) => ({
    id: match[1]!.replace(/\\([\\#])/g, "$1"),
    words: output.slice(match.index).split("\n").slice(1, 20).join("\n"),
  }));
  const deno = [...output.matchAll(/^(.+) \.\.\. FAILED \(/gm)].map((match) => {
    const at = output.indexOf(`\n${match[1]} => `);
    return { id: match[1]!, words: at === -1 ? "" : output.slice(at + 1).split("\n\n")[0]! };
  });
  return [...tap, ...deno];
}

/** Which runtime a short name means. @throws for an unknown one. */
export function runtimeNamed(name: string): ProcessRuntime {
  if (name === "node") return "node22";
  const found = PROCESS_RUNTIMES.find((runtime) => runtime === name);
  if (found === undefined) {
    throw new Error(`"${name}" is none of ${PROCESS_RUNTIMES.join(", ")}, node (= node ${PINS.node22})`);
  }
  return found;
}
