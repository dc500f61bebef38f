import { assert } from "chai";
import type { Options } from "../../../src/core/options/mod.ts";
import {
  buildEnvironment,
  type EnvironmentContext,
  NESTED_SESSION_VARIABLES,
  PEER_VERSION,
} from "../../../src/transport/process/environment.ts";
import { deepFreeze } from "../../harness/freeze.ts";
import { refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";

const LINUX: EnvironmentContext = { platform: "linux" };
const ALWAYS = {
  CLAUDE_CODE_ENTRYPOINT: "sdk-ts",
  CLAUDE_AGENT_SDK_VERSION: PEER_VERSION,
  CLAUDE_CODE_SDK_READS_SESSION_STATE: "1",
  BUN_ENABLE_CRASH_REPORTING: "0",
};

function build(options: Options, host: Record<string, string> = {}, context = LINUX): Record<string, string> {
  return buildEnvironment(deepFreeze(options), () => deepFreeze(host), context);
}

const never = (): never => {
  throw new Error("the host's environment was read");
};

export default suite("environment", (test) => {
  test("without env the child gets what the host has, and what every session gets", () => {
    assert.deepEqual(build({}, { PATH: "/bin", MAX_MCP_OUTPUT_TOKENS: "9" }), {
      PATH: "/bin",
      MAX_MCP_OUTPUT_TOKENS: "9", // C07
      ...ALWAYS,
    });
  });

  test("C01: env replaces, and then nobody reads the host's", () => {
    const env = buildEnvironment({ env: { PATH: "/x", GONE: undefined } }, never, LINUX);
    assert.deepEqual(env, { PATH: "/x", ...ALWAYS });
  });

  test("tether.extraEnv is laid over both, and undefined takes away", () => {
    const extraEnv = { A: "2", B: undefined, CLAUDE_AGENT_SDK_VERSION: "9", NODE_OPTIONS: "--x" };
    const expected = { ...ALWAYS, A: "2", CLAUDE_AGENT_SDK_VERSION: "9", NODE_OPTIONS: "--x" };
    assert.deepEqual(build({ tether: { extraEnv } }, { A: "1", B: "1" }), expected);
    assert.deepEqual(build({ env: { A: "1", B: "1" }, tether: { extraEnv } }), expected);
  });

  test("C10, C11: a trace of here goes on in the child, and nothing inherited is paired with it", () => {
    const values = { TRACEPARENT: "new", BAGGAGE: "b=1" };
    const trace = { values, continues: true };
    const host = { TRACEPARENT: "stale", TRACESTATE: "stale", BAGGAGE: "stale", OTHER: "x" };
    assert.deepEqual(build({}, host, { ...LINUX, trace }), { ...ALWAYS, OTHER: "x", ...values });
    const stateful = { values: { ...values, TRACESTATE: "fresh" }, continues: true };
    assert.deepEqual(build({}, host, { ...LINUX, trace: stateful }), { ...ALWAYS, OTHER: "x", ...stateful.values });
    assert.deepEqual(build({ env: {} }, host, { ...LINUX, trace: stateful }), { ...ALWAYS, ...stateful.values });
  });

  test("C12: where no trace was running, an inherited one stays, and one is begun only where there is none", () => {
    const inherited = { TRACEPARENT: "old", TRACESTATE: "old" };
    const baggage = { values: { BAGGAGE: "b=1", TRACESTATE: "lost" }, continues: false };
    assert.deepEqual(build({}, inherited, { ...LINUX, trace: baggage }), { ...ALWAYS, ...inherited, BAGGAGE: "b=1" });
    const begun = { values: { TRACEPARENT: "new", TRACESTATE: "new" }, continues: false };
    assert.deepEqual(build({}, inherited, { ...LINUX, trace: begun }), { ...ALWAYS, ...inherited });
    assert.deepEqual(build({}, { TRACESTATE: "old" }, { ...LINUX, trace: begun }), { ...ALWAYS, ...begun.values });
    assert.deepEqual(build({}, inherited, LINUX), { ...ALWAYS, ...inherited });
  });

  test("C13: what the caller wrote of a trace is kept, and no state of another is put to it", () => {
    const trace = { values: { TRACEPARENT: "new", TRACESTATE: "new", BAGGAGE: "b=1" }, continues: true };
    const own = { TRACEPARENT: "mine" };
    const expected = { ...ALWAYS, ...own, BAGGAGE: "b=1" };
    assert.deepEqual(build({ env: own }, {}, { ...LINUX, trace }), expected);
    assert.deepEqual(build({ tether: { extraEnv: own } }, {}, { ...LINUX, trace }), expected);
    assert.deepEqual(build({ env: { BAGGAGE: "mine" } }, {}, { ...LINUX, trace }), {
      ...ALWAYS,
      ...trace.values,
      BAGGAGE: "mine",
    });
    const none = build({ tether: { extraEnv: { TRACEPARENT: undefined } } }, {}, { ...LINUX, trace });
    assert.deepEqual(none, { ...ALWAYS, BAGGAGE: "b=1" });
  });

  test("C02: the entry point is ours, unless someone has chosen another", () => {
    const entry = (options: Options, host = {}) => build(options, host).CLAUDE_CODE_ENTRYPOINT;
    assert.equal(entry({}, { CLAUDE_CODE_ENTRYPOINT: "my-ide" }), "my-ide");
    assert.equal(entry({}, { CLAUDE_CODE_ENTRYPOINT: "" }), "sdk-ts");
    assert.equal(entry({ env: { CLAUDE_CODE_ENTRYPOINT: "mine" } }), "mine");
    assert.equal(entry({ env: { CLAUDE_CODE_ENTRYPOINT: "" } }), "sdk-ts");
    // That of the session around us is not ours.
    assert.equal(entry({}, { CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDECODE: "1" }), "sdk-ts");
    assert.equal(entry({}, { CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_CHILD_SESSION: "1" }), "sdk-ts");
  });

  test("C03: the version is ours, unless env says another", () => {
    assert.equal(build({}, { CLAUDE_AGENT_SDK_VERSION: "0.0.1" }).CLAUDE_AGENT_SDK_VERSION, PEER_VERSION);
    assert.equal(build({ env: { CLAUDE_AGENT_SDK_VERSION: "0.0.1" } }).CLAUDE_AGENT_SDK_VERSION, "0.0.1");
  });

  test("C04: what names the session around us is not passed on, and what env says is", () => {
    const nested = Object.fromEntries(NESTED_SESSION_VARIABLES.map((name) => [name, "1"]));
    assert.deepEqual(build({}, { ...nested, PATH: "/bin" }), { PATH: "/bin", ...ALWAYS });
    assert.deepEqual(build({ env: nested }), { ...nested, ...ALWAYS });
    assert.equal(build({ tether: { extraEnv: { CLAUDECODE: "1" } } }, nested).CLAUDECODE, "1");
    assert.includeMembers([...NESTED_SESSION_VARIABLES], ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"]);
  });

  test("session states are asked for unless someone has decided", () => {
    const name = "CLAUDE_CODE_SDK_READS_SESSION_STATE";
    assert.equal(build({}, { [name]: "0" })[name], "0");
    assert.equal(build({ env: { [name]: "" } })[name], "");
  });

  test("NODE_OPTIONS never reaches the child, DEBUG only as the switch of its own", () => {
    const env = { NODE_OPTIONS: "--inspect", DEBUG: "*" };
    for (const made of [build({ env }), build({}, env)]) assert.notProperty(made, "NODE_OPTIONS");
    assert.notProperty(build({}, env), "DEBUG");
    assert.equal(build({}, { DEBUG_CLAUDE_AGENT_SDK: "1" }).DEBUG, "1");
    assert.notProperty(build({}, { DEBUG_CLAUDE_AGENT_SDK: "0", DEBUG: "*" }), "DEBUG");
  });

  test("C05: options that are variables go over env", () => {
    const made = build({
      enableFileCheckpointing: true,
      toolConfig: { askUserQuestion: { previewFormat: "html" } },
      env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "false", CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: "markdown" },
    });
    assert.equal(made.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING, "true");
    assert.equal(made.CLAUDE_CODE_QUESTION_PREVIEW_FORMAT, "html");
    assert.notProperty(build({ enableFileCheckpointing: false }), "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING");
  });

  test("the config directory goes over everything", () => {
    const options = { env: { CLAUDE_CONFIG_DIR: "/a" }, tether: { configDir: "/b" } };
    assert.equal(build(options).CLAUDE_CONFIG_DIR, "/b");
    assert.equal(build(options, {}, { platform: "linux", configDir: "/c" }).CLAUDE_CONFIG_DIR, "/c");
    assert.equal(build({}, { CLAUDE_CONFIG_DIR: "/a" }).CLAUDE_CONFIG_DIR, "/a");
  });

  test("C06: an inherited PWD follows cwd, a given one is left alone", () => {
    assert.equal(build({ cwd: "/here" }, { PWD: "/there" }).PWD, "/here");
    assert.notProperty(build({ cwd: "sub" }, { PWD: "/there" }), "PWD");
    assert.notProperty(build({ cwd: "/here" }, {}), "PWD");
    assert.equal(build({ cwd: "/here", env: { PWD: "/mine" } }).PWD, "/mine");
    assert.equal(build({}, { PWD: "/there" }).PWD, "/there");
  });

  test("names and values that no environment can hold are refused", () => {
    for (const name of ["", "A=B", "A\0"]) {
      assert.equal(refusedOption(() => build({ env: { [name]: "x" } })), "env");
      assert.equal(refusedOption(() => build({ tether: { extraEnv: { [name]: undefined } } })), "tether.extraEnv");
    }
    assert.equal(refusedOption(() => build({ env: { A: "x\0" } })), "env.A");
    assert.equal(refusedOption(() => build({ env: { A: 1 as never } })), "env.A");
    assert.equal(refusedOption(() => build({ tether: { configDir: "\0" } })), "tether.configDir");
    // What Windows keeps of its own is not passed on.
    assert.deepEqual(build({}, { "=C:": "C:\\x" }), ALWAYS);
  });

  test("on Windows the case of a name does not count", () => {
    const windows: EnvironmentContext = { platform: "win32" };
    const made = build({ tether: { extraEnv: { PATH: "2", temp: undefined } } }, { Path: "1", TEMP: "t" }, windows);
    assert.deepEqual(made, { ...ALWAYS, PATH: "2" });
    assert.deepEqual(build({ tether: { extraEnv: { PATH: "2" } } }, { Path: "1" }), {
      ...ALWAYS,
      Path: "1",
      PATH: "2",
    });
  });
});
