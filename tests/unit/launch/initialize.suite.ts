import { assert } from "chai";
import {
  awaitsInitialize,
  buildInitialize,
  checkInitialize,
  checkInitializeAnswer,
} from "../../../src/client/initialize.ts";
import { CLIConnectionError } from "../../../src/core/errors/mod.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Options } from "../../../src/core/options/mod.ts";
import { createSdkMcpServer } from "../../../mod.ts";
import { deepFreeze } from "../../harness/freeze.ts";
import { refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";

/** As it goes over the wire. */
const build = (options: Options, sources = {}): JsonObject =>
  JSON.parse(JSON.stringify(buildInitialize(deepFreeze(options), sources)));

const EMPTY = { systemPrompt: [""] };

/** Options, and the fields they make. */
const TABLE: readonly (readonly [options: Options, fields: Record<string, unknown>])[] = [
  [{}, EMPTY],
  [{ systemPrompt: "" }, EMPTY],
  [{ systemPrompt: "s" }, { systemPrompt: ["s"] }],
  [{ systemPrompt: ["a", "b"] }, { systemPrompt: ["a", "b"] }],
  [{ systemPrompt: [] }, { systemPrompt: [] }],
  [{ systemPrompt: { type: "custom", prompt: "s" } }, { systemPrompt: ["s"] }],
  [{ systemPrompt: { type: "custom", prompt: ["s"], snapshot: false } }, {
    systemPrompt: ["s"],
    systemPromptSnapshot: false,
  }],
  [{ systemPrompt: { type: "preset", preset: "claude_code" } }, {}],
  [{ systemPrompt: { type: "preset", preset: "claude_code", append: "", excludeDynamicSections: false } }, {
    appendSystemPrompt: "",
    excludeDynamicSections: false,
  }], // B03
  [{ systemPrompt: { type: "preset", preset: "claude_code", snapshot: true } }, { systemPromptSnapshot: true }],
  [{ systemPrompt: { type: "file", path: "/p" } }, {}],
  [{ outputFormat: { type: "json_schema", schema: { type: "object" } } }, { ...EMPTY, jsonSchema: { type: "object" } }],
  [{ planModeInstructions: "p" }, { ...EMPTY, planModeInstructions: "p" }],
  [{ toolAliases: { A: "B" } }, { ...EMPTY, toolAliases: { A: "B" } }],
  [{ agents: {} }, { ...EMPTY, agents: {} }],
  [{ agents: { a: { description: "d", prompt: "p", tools: undefined, effort: 5 } } }, {
    ...EMPTY,
    agents: { a: { description: "d", prompt: "p", effort: 5 } },
  }], // H05
  [{ title: "" }, { ...EMPTY, title: "" }],
  [{ skills: ["a"] }, { ...EMPTY, skills: ["a"] }], // H03
  [{ skills: [] }, { ...EMPTY, skills: [] }],
  [{ skills: "all" }, EMPTY],
  [{ promptSuggestions: false }, { ...EMPTY, promptSuggestions: false }],
  [{ agentProgressSummaries: true }, { ...EMPTY, agentProgressSummaries: true }],
  [{ forwardSubagentText: false }, { ...EMPTY, forwardSubagentText: false }], // H04
  [{ perTaskStopAffordance: true }, { ...EMPTY, perTaskStopAffordance: true }],
  [{ supportedDialogKinds: [] }, { ...EMPTY, supportedDialogKinds: [] }],
  [{ model: "m", cwd: "/a", env: {}, allowedTools: ["Read"], hooks: {} }, EMPTY],
];

function failure(call: () => unknown): CLIConnectionError {
  try {
    call();
  } catch (error) {
    assert.instanceOf(error, CLIConnectionError);
    return error as CLIConnectionError;
  }
  throw new Error("nothing was refused");
}

export default suite("initialize request", (test) => {
  test("each option makes its field, and options are never changed (H02, P09)", () => {
    for (const [options, fields] of TABLE) {
      assert.deepEqual(build(options), fields as JsonObject, JSON.stringify(options));
    }
  });

  test("fields keep the order of the TypeScript SDK", () => {
    const made = build({
      perTaskStopAffordance: true,
      supportedDialogKinds: [],
      forwardSubagentText: true,
      agentProgressSummaries: true,
      promptSuggestions: true,
      skills: [],
      title: "t",
      agents: {},
      systemPrompt: {
        type: "preset",
        preset: "claude_code",
        append: "a",
        snapshot: true,
        excludeDynamicSections: true,
      },
      toolAliases: {},
      planModeInstructions: "p",
      outputFormat: { type: "json_schema", schema: {} },
    }, {
      delivered: { mcpServers: {} },
      sdkMcpServerManifests: {},
      sdkMcpServerConfigs: {},
      sdkMcpServers: [],
      hooks: {},
    });
    assert.deepEqual(Object.keys(made), [
      "hooks",
      "sdkMcpServers",
      "sdkMcpServerConfigs",
      "sdkMcpServerManifests",
      "jsonSchema",
      "appendSystemPrompt",
      "systemPromptSnapshot",
      "excludeDynamicSections",
      "planModeInstructions",
      "toolAliases",
      "agents",
      "title",
      "skills",
      "promptSuggestions",
      "agentProgressSummaries",
      "forwardSubagentText",
      "supportedDialogKinds",
      "perTaskStopAffordance",
      "mcpServers",
    ]);
  });

  test("what callbacks announce goes over what options say", () => {
    const made = build({ supportedDialogKinds: ["a"] }, { supportedDialogKinds: ["b"], hooks: { Stop: [] } });
    assert.deepEqual(made, { hooks: { Stop: [] }, ...EMPTY, supportedDialogKinds: ["b"] });
  });

  test("a server of this program inside an agent is named, and its instance stays here", () => {
    const circle: Record<string, unknown> = { connect: () => {}, close: () => {} };
    circle.self = circle;
    const server = { type: "sdk", name: "other", timeout: 5, instance: circle } as const;
    const nothing = { type: "sdk", name: "n" } as const;
    const mcpServers = ["x", { s: server, t: { command: "c" } }, { u: server }, { n: nothing }];
    const agents = { a: { description: "d", prompt: "p", mcpServers } };
    const made = JSON.parse(JSON.stringify(buildInitialize({ agents })));
    assert.deepEqual(made.agents.a.mcpServers, ["x", { t: { command: "c" } }, "s", "u", { n: nothing }]);
  });

  test("H06: 300 kB of agents arrive whole", () => {
    const agents = { a: { description: "d", prompt: "x".repeat(300_000) } };
    assert.deepEqual(build({ agents }).agents, agents as never);
  });

  test("what JSON has no word for is refused by its option, before there is a process", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const odd of [1n, NaN, () => {}, Symbol("x"), circle, [undefined]]) {
      const agent = { description: "d", prompt: "p", odd };
      assert.equal(refusedOption(() => checkInitialize({ agents: { a: agent } })), "agents.a");
      const outputFormat = { type: "json_schema", schema: { odd } } as const;
      assert.equal(refusedOption(() => checkInitialize({ outputFormat })), "outputFormat.schema");
    }
    const server = createSdkMcpServer({ name: "s" });
    checkInitialize({ agents: { a: { description: "d", prompt: "p", mcpServers: [{ s: server }] } } });
  });

  test("prompts wait for what was delivered, and for a hook that blocks on failure", () => {
    const blocking: Options = { hooks: { PreToolUse: [{ hooks: [], onFailure: "block" }] } };
    assert.isFalse(awaitsInitialize({}));
    assert.isFalse(awaitsInitialize({ hooks: { PreToolUse: [{ hooks: [], onFailure: "continue" }] } }));
    assert.isTrue(awaitsInitialize(blocking));
    assert.isTrue(awaitsInitialize({}, { mcpServers: {} }));
  });

  test("an answer that says everything was taken is fine", () => {
    const delivered = { settings: {}, managedSettings: {}, disallowedTools: [], mcpServers: {}, plugins: [] };
    const answer = {
      settings_applied: true,
      managed_settings_applied: true,
      disallowed_tools_applied: true,
      mcp_servers_applied: true,
      plugins_applied: true,
    };
    assert.deepEqual(checkInitializeAnswer({}, delivered, answer), []);
    assert.deepEqual(checkInitializeAnswer({}, {}, {}), []);
  });

  test("a session does not go on without what protects it, or with a CLI that knows no such field", () => {
    for (const field of ["settings", "managedSettings", "disallowedTools"]) {
      const name = `${field.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}_applied`;
      for (const answer of [{}, { [name]: false }]) {
        assert.equal(failure(() => checkInitializeAnswer({}, { [field]: {} }, answer)).code, "initialize_not_applied");
      }
    }
    for (const field of ["mcpServers", "plugins"]) {
      assert.equal(failure(() => checkInitializeAnswer({}, { [field]: {} }, {})).code, "initialize_not_applied");
    }
  });

  test("servers and plugins that were not all taken are a warning", () => {
    const warnings = checkInitializeAnswer({}, { mcpServers: {}, plugins: [] }, {
      mcp_servers_applied: false,
      plugins_applied: false,
    });
    assert.deepEqual(warnings.map(({ option, code }) => [option, code]), [
      ["mcpServers", "CLAUDE_SDK_MCP_SERVERS_NOT_APPLIED"],
      ["plugins", "plugins_not_applied"],
    ]);
  });

  test("K09: a hook that blocks on failure needs a CLI that can", () => {
    const options: Options = { hooks: { PreToolUse: [{ hooks: [], onFailure: "block" }] } };
    checkInitializeAnswer(options, {}, { hook_on_failure_supported: true, hooks_applied: true });
    for (const answer of [{}, { hook_on_failure_supported: true, hooks_applied: false }]) {
      assert.equal(failure(() => checkInitializeAnswer(options, {}, answer)).code, "initialize_not_applied");
    }
  });
});
