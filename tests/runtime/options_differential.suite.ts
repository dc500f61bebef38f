/**
 * The official SDK and Tether, given the same options, before the same stand-in for the CLI: what differs on the command line, in
 * the environment, in `initialize`, or in where it fails, is explained by a row of docs/differences.md or is a fault.
 */

import { assert } from "chai";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { OPTION_TABLE } from "../../src/core/options/option_table.ts";
import { PEER_VERSION } from "../../src/transport/process/environment.ts";
import { CASES } from "../fixtures/options/cases/mod.ts";
import { comparable, predict } from "../fixtures/options/compare_sides.ts";
import { EVERY_ROW, EXPECTED } from "../fixtures/options/expected_differences.ts";
import type { OptionCase } from "../fixtures/options/option_case.ts";
import type { Outcome } from "../fixtures/options/outcome.ts";
import { RECORDER } from "../fixtures/options/recorder.ts";
import { differencesTable, parseDifferences, repositoryFile } from "../harness/differences_table.ts";
import { ownRunArguments, runProgram } from "../harness/run_program.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { tempFolder } from "./children.ts";

/** Areas of the table whose rows are about what a recorder can see. */
const AREAS: ReadonlySet<string> = new Set(["options", "environment"]);

/** Stands for the part of the page that says what this version does not have; the case's option must be named there. */
const NOT_THERE_YET = "not-there-yet";

/** What makes a folder the CLI's own package, of a version that takes everything in `initialize`. */
const PACKAGE = JSON.stringify({ name: "@anthropic-ai/claude-code-linux-x64", version: "2.1.332" });

/** Any body may be the first, which runs both sides. */
const PATIENT = { timeoutMs: 120_000 };

const SIDES = ["official", "tether"] as const;
type Side = typeof SIDES[number];
type Outcomes = Readonly<Record<Side, readonly Outcome[]>>;

/** Hosts that can take turns in one process; a variable that is read only once needs one of its own. */
const PROCESSES = [["plain", "nested", "settled"], ["debugging"]] as const;

let running: Promise<Outcomes> | undefined;

/** What both sides did with every case: run once, by the first body that asks. */
function outcomes(t: TestContext): Promise<Outcomes> {
  running ??= runSides(t);
  return running;
}

async function runSides(t: TestContext): Promise<Outcomes> {
  const folder = tempFolder(t);
  const shared = join(folder, "shared");
  mkdirSync(shared);
  writeFileSync(join(shared, "prompt.md"), "A prompt");
  writeFileSync(join(shared, "cli.mjs"), "");
  writeFileSync(join(shared, "mcp.json"), '{"mcpServers":{}}');
  for (const side of SIDES) {
    CASES.forEach(({ packaged }, index) => {
      const place = join(folder, side, String(index));
      mkdirSync(place, { recursive: true });
      if (packaged === true) writeFileSync(join(place, "package.json"), PACKAGE);
      // All there before anything is started: a file that is open for writing while somebody forks cannot be run.
      for (const name of ["claude", "claude.mjs", "node", "bun"]) {
        writeFileSync(join(place, name), RECORDER, { mode: 0o755 });
      }
    });
  }
  const runs = PROCESSES.map((hosts) => Promise.all(SIDES.map((side) => runSide(t, folder, side, hosts))));
  const found: Record<Side, Outcome[]> = { official: [], tether: [] };
  for (const run of runs) {
    (await run).forEach((part, at) => {
      part.forEach((outcome, index) => {
        if (outcome !== null) found[SIDES[at]!][index] = outcome;
      });
    });
  }
  return found;
}

async function runSide(
  t: TestContext,
  folder: string,
  side: Side,
  hosts: readonly string[],
): Promise<(Outcome | null)[]> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const program = fileURLToPath(new URL(`../fixtures/options/side.${extension}`, import.meta.url));
  const root = join(folder, side);
  const env = {
    PATH: process.env["PATH"] ?? "",
    PWD: process.cwd(),
    HOME: folder,
    TMPDIR: process.env["TMPDIR"] ?? "",
    DENO_DIR: process.env["DENO_DIR"] ?? "",
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    TETHER_OFFICIAL_SDK: officialSdk(),
  };
  const args = [...ownRunArguments(program), side, root, join(folder, "shared"), ...hosts];
  const { code, signal, stderr } = await runProgram(t, process.execPath, args, { env });
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, stderr);
  return JSON.parse(readFileSync(join(root, `${hosts[0]}.json`), "utf8"));
}

function officialSdk(): string {
  const path = process.env["TETHER_OFFICIAL_SDK"];
  if (path === undefined || path === "") {
    throw new Error("TETHER_OFFICIAL_SDK must name the module of the official SDK");
  }
  return path;
}

/** A program's outcome comes as JSON; so must what it is compared with. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function compare(item: OptionCase, { official, tether }: Outcomes): void {
  const index = CASES.indexOf(item);
  const where = `${item.option}: ${item.name}`;
  const { expected, idle } = predict(item, official[index]!);
  const texts = [official[index], tether[index]].map((outcome) => JSON.stringify(outcome).slice(0, 2_000));
  // What a runner prints of a difference is seldom the part that differs.
  const story = `${where}\nofficial: ${texts[0]}\nTether:   ${texts[1]}\n`;
  assert.deepEqual(asJson(comparable(tether[index]!)), asJson(expected), story);
  assert.isEmpty(idle, `${where}: these rows say nothing of it`);
}

export default suite("options, compared with the official SDK", (test) => {
  for (const option of new Set(CASES.map((item) => item.option))) {
    test(`${option}: as in the official SDK, but for what docs/differences.md says`, async (t) => {
      const found = await outcomes(t);
      for (const item of CASES) if (item.option === option) compare(item, found);
    }, PATIENT);
  }

  test("every option is compared, with kinds of values that have names of their own", () => {
    const compared = new Set(CASES.map((item) => item.option));
    assert.isEmpty(Object.keys(OPTION_TABLE).filter((option) => !compared.has(option)));
    const names = CASES.map((item) => `${item.option}: ${item.name}`);
    assert.lengthOf(new Set(names), names.length);
  });

  test("every row a case names is in the table, and every row about options is shown by a case", () => {
    const rows = differencesTable();
    const used = new Set([...EVERY_ROW, ...CASES.flatMap((item) => item.rows)]);
    const known = new Set(rows.map(({ id }) => id));
    assert.isEmpty([...used].filter((id) => !known.has(id) && id !== NOT_THERE_YET), "rows that are not in the table");
    const about = rows.filter(({ area }) => AREAS.has(area)).map(({ id }) => id);
    assert.isEmpty(about.filter((id) => !used.has(id)), "rows that no case shows");
    assert.isEmpty(Object.keys(EXPECTED).filter((id) => !used.has(id)), "predictions that no case needs");
  });

  test("what is not there yet is said to be so", () => {
    const page = readFileSync(repositoryFile("docs/differences.md"), "utf8");
    const section = /^## Not there yet\n(.*?)^## /ms.exec(page)?.[1] ?? "";
    for (const item of CASES) {
      if (item.rows.includes(NOT_THERE_YET)) assert.include(section, `\`${item.option}\``);
    }
  });

  test("the official SDK is of the version that this one is at par with", () => {
    const manifest = readFileSync(join(dirname(officialSdk()), "package.json"), "utf8");
    assert.equal((JSON.parse(manifest) as { version: string }).version, PEER_VERSION);
  });

  test("a difference that no row explains, and a row that explains none, are found", () => {
    const item = { option: "model", name: "made up", options: () => ({}), rows: ["debug-log"], host: "plain" } as const;
    const started = { program: "claude", cwd: "/", argv: ["--output-format", "x", "--model=a"], env: {}, files: {} };
    const { expected, idle } = predict(item, { started });
    assert.deepEqual(idle, ["debug-log"]);
    assert.notDeepEqual(comparable({ started }), expected);
    assert.throws(() => predict({ ...item, rows: ["never-heard-of"] }, { started }), "never-heard-of");
  });

  test("a table with a row that is not whole, or twice there, is refused", () => {
    const head = "| id | area | official | Tether | why |\n|---|---|---|---|---|\n";
    const row = "| `a-b` | options | x | y | z |\n";
    assert.deepEqual(parseDifferences(`# Page\n\n${head}${row}`), [
      { id: "a-b", area: "options", official: "x", tether: "y", why: "z" },
    ]);
    assert.throws(() => parseDifferences(`${head}| \`a\` | options | x | y | |\n`), "not whole");
    assert.throws(() => parseDifferences(`${head}| a | options | x | y | z |\n`), "not whole");
    assert.throws(() => parseDifferences(head + row + row), "a-b");
    assert.throws(() => parseDifferences("# Page\n"), "no table");
  });
});
