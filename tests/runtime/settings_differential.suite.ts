/** The settings functions and the constants of the official SDK, and ours, beside each other. */

import { assert } from "chai";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject } from "../../src/core/json.ts";
import { changedCases, oddCases, type SettingsCase } from "../fixtures/settings/settings_cases.ts";
import { ownRunArguments, runProgram } from "../harness/run_program.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { OFFICIAL_SETTINGS_KEYS } from "../pins/official_settings_keys.ts";
import { tempFolder } from "./children.ts";

/** What a side wrote. */
interface Side {
  readonly resolved: readonly JsonObject[];
  readonly matches: readonly { readonly denied: boolean[]; readonly warnings: string[] }[];
  readonly constants: JsonObject;
}

const SEED = 20_261_130;
const CASES: readonly SettingsCase[] = [...oddCases(OFFICIAL_SETTINGS_KEYS), ...changedCases(SEED, 480)];

const FAMILIES = ["opus", "mythos", "opusplan", "default"];
const FORMS = [
  (f: string) => f,
  (f: string) => `${f}-4`,
  (f: string) => `${f}-4.8`,
  (f: string) => `claude-${f}`,
  (f: string) => `claude-${f}-4`,
  (f: string) => `claude-${f}-4-8`,
  (f: string) => `claude-4-8-${f}`,
  (f: string) => `claude-${f}-4-123`,
  (f: string) => `us.anthropic.claude-${f}-4-8-v1:0`,
  (f: string) => `x/claude-${f}-4-8`,
  (f: string) => `x/${f}`,
];
const ENDS = [
  "",
  "[1m]",
  "[200k]",
  "-20260101",
  "@20260101",
  "-latest",
  "-fast-v1",
  "-eap",
  "-eap-v1",
  "x",
  "@x",
  ":0",
];
const NAMES = FAMILIES.flatMap((family) => FORMS.flatMap((form) => ENDS.map((end) => form(family) + end)));
/** Every name as an entry, against the names of its own family and some of another. */
const DENIED = NAMES.map((entry, index) => {
  const size = FORMS.length * ENDS.length;
  const first = index - index % size;
  return { models: [...NAMES.slice(first, first + size), ...NAMES.slice(0, 40)], entry };
});

let running: Promise<readonly [official: Side, tether: Side]> | undefined;

function sides(t: TestContext): Promise<readonly [official: Side, tether: Side]> {
  running ??= (async () => {
    const folder = tempFolder(t);
    const cases = join(folder, "cases.json");
    writeFileSync(cases, JSON.stringify({ cases: CASES, denied: DENIED }));
    return await Promise.all([runSide(t, "official", folder, cases), runSide(t, "tether", folder, cases)]);
  })();
  return running;
}

async function runSide(t: TestContext, side: string, folder: string, cases: string): Promise<Side> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const program = fileURLToPath(new URL(`../fixtures/settings/side.${extension}`, import.meta.url));
  const own = join(folder, side);
  mkdirSync(own);
  const out = join(own, "out.json");
  const { code, signal, stderr } = await runProgram(t, process.execPath, [
    ...ownRunArguments(program),
    side,
    own,
    cases,
    out,
  ], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      TMPDIR: process.env["TMPDIR"] ?? "",
      DENO_DIR: process.env["DENO_DIR"] ?? "",
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
      TETHER_OFFICIAL_SDK: process.env["TETHER_OFFICIAL_SDK"] ?? "",
    },
  });
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, stderr);
  return JSON.parse(readFileSync(out, "utf8").replaceAll(own, "/own")) as Side;
}

/** What both must say. A source of which nothing counts is a source that says nothing. */
function comparable(resolved: JsonObject): JsonObject {
  const { errors: _ours, sources, effective, provenance, ...rest } = resolved;
  const saying = (sources as JsonObject[]).filter(({ settings }) =>
    isJsonObject(settings) && Object.keys(settings).length > 0
  );
  const known = Object.entries(provenance as JsonObject).filter(([key]) => key in (effective as JsonObject));
  return { ...rest, effective, sources: saying, provenance: Object.fromEntries(known) };
}

/** Any body may be the first, which runs both sides. */
const PATIENT = { timeoutMs: 120_000 };

export default suite("settings, compared with the official SDK", (test) => {
  test("resolveSettings() and filterEscalatingDefaultMode(): the same settings, sources and origins", async (t) => {
    const [official, tether] = await sides(t);
    assert.lengthOf(official.resolved, CASES.length);
    CASES.forEach((item, index) => {
      assert.deepEqual(
        comparable(tether.resolved[index]!),
        comparable(official.resolved[index]!),
        JSON.stringify(item),
      );
    });
  }, PATIENT);

  test("matchDeniedModels(): the same names denied, as many warnings", async (t) => {
    const [official, tether] = await sides(t);
    assert.lengthOf(official.matches, DENIED.length);
    DENIED.forEach(({ models, entry }, index) => {
      const [theirs, ours] = [official.matches[index]!, tether.matches[index]!];
      const differing = models.filter((_, at) => theirs.denied[at] !== ours.denied[at]);
      assert.isEmpty(differing, `by the entry "${entry}"`);
      assert.strictEqual(ours.warnings.length, theirs.warnings.length, `for the entry "${entry}"`);
    });
  }, PATIENT);

  test("the constants have the same values in the same order", async (t) => {
    const [official, tether] = await sides(t);
    assert.sameMembers(Object.keys(official.constants), [
      "BUILTIN_TOOL_NAMES",
      "EXIT_REASONS",
      "HOOK_EVENTS",
      "LEGACY_TOOL_NAME_ALIASES",
      "ORG_POLICY_LIMIT_PREFIXES",
      "SYSTEM_PROMPT_DYNAMIC_BOUNDARY",
      "USAGE_LIMIT_ERROR_PREFIXES",
      "USAGE_TRANSITION_PREFIXES",
      "USAGE_WARNING_PREFIXES",
    ]);
    for (const [name, value] of Object.entries(official.constants)) {
      assert.strictEqual(JSON.stringify(tether.constants[name]), JSON.stringify(value), name);
    }
  }, PATIENT);
});
