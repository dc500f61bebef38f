import { assert } from "chai";
import { type Options, type TetherOptions, validateOptions } from "../../../src/core/options/mod.ts";
import { OPTION_TABLE, TETHER_TABLE } from "../../../src/core/options/option_table.ts";
import { deepFreeze } from "../../harness/freeze.ts";
import { refusal, refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";
import { VirtualClock } from "../../harness/virtual_clock.ts";

/** Options as a program without types may give them. */
const loose = (options: Record<string, unknown>): Options => options as Options;

const callback = () => Promise.resolve(null);

/** One value of each option that is fine on its own. */
const GOOD: Readonly<Record<keyof Options, unknown>> = {
  abortController: new AbortController(),
  additionalDirectories: ["/a"],
  agent: "lead",
  agentProgressSummaries: true,
  agents: { lead: { description: "d", prompt: "p" } },
  allowDangerouslySkipPermissions: true,
  allowedTools: ["Read"],
  betas: ["context-1m-2025-08-07"],
  canUseTool: callback,
  continue: true,
  cwd: "/a",
  debug: true,
  debugFile: "/a/log",
  disallowedTools: ["Write"],
  effort: "low",
  enableFileCheckpointing: true,
  env: { PATH: "/bin", GONE: undefined },
  executable: "node",
  executableArgs: ["--no-warnings"],
  extraArgs: { name: "x", bare: null },
  fallbackModel: "haiku",
  forkSession: true,
  forwardSubagentText: false,
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [callback], timeout: 1, onFailure: "block" }] },
  includeHookEvents: true,
  includePartialMessages: true,
  loadTimeoutMs: 10,
  managedSettings: {},
  maxBudgetUsd: 0.1,
  maxThinkingTokens: 0,
  maxTurns: 0,
  mcpServers: { a: { command: "x" }, b: { type: "sdk", name: "b", instance: {} } },
  mcpServersDelivery: "initialize",
  model: "opus",
  onElicitation: callback,
  onUserDialog: callback,
  outputFormat: { type: "json_schema", schema: {} },
  pathToClaudeCodeExecutable: "/a/claude",
  permissionMode: "default",
  permissionPromptToolName: "mcp__a__b",
  permissionPrompts: "host",
  perTaskStopAffordance: true,
  persistSession: false,
  planModeInstructions: "plan",
  pluginDelivery: "argv",
  plugins: [{ type: "local", path: "./p" }],
  projectConfigRoot: "/a",
  promptSuggestions: true,
  resume: "some title",
  resumeDropsTurn: "x",
  resumeSessionAt: "x",
  sandbox: {},
  sessionId: "5b3c2f10-9b7a-4c7f-8f43-4b1d5f2c7e11",
  sessionStore: { append: callback, load: callback },
  sessionStoreFlush: "eager",
  settings: "/a/settings.json",
  settingSources: [],
  skills: ["pdf"],
  spawnClaudeCodeProcess: callback,
  stderr: () => {},
  strictMcpConfig: true,
  supportedDialogKinds: [],
  systemPrompt: ["a", "b"],
  taskBudget: { total: 1 },
  tether: { limits: {}, timeouts: {}, onDiagnostic: () => {} },
  thinking: { type: "enabled", budgetTokens: 1000 },
  title: "t",
  toolAliases: { Bash: "mcp__box__bash" },
  toolConfig: { askUserQuestion: { previewFormat: "html" } },
  tools: [],
  user: "nobody",
  verbatimPrompts: true,
};

/** Fine values that only fail for want of another option, or of the feature itself. */
const NEEDS_MORE: ReadonlySet<string> = new Set(["resumeDropsTurn", "resumeSessionAt", "sessionStore"]);

/** Values of the wrong kind, or out of range, and the path that must be named. */
const BAD: readonly (readonly [options: Record<string, unknown>, path: string])[] = [
  [{ abortController: {} }, "abortController"],
  [{ abortController: { signal: {} } }, "abortController"],
  // What is in these is not among their members: they would be read as empty.
  [{ settings: Promise.resolve({ permissions: { deny: ["Bash"] } }) }, "settings"],
  [{ managedSettings: Promise.resolve({}) }, "managedSettings"],
  [{ hooks: new Map([["PreToolUse", []]]) }, "hooks"],
  [{ env: new Map([["A", "b"]]) }, "env"],
  [{ mcpServers: new Map() }, "mcpServers"],
  [{ agents: new Set() }, "agents"],
  [{ tether: Promise.resolve({}) }, "tether"],
  // Lists with holes.
  [{ additionalDirectories: new Array(1) }, "additionalDirectories"],
  [{ disallowedTools: new Array(1) }, "disallowedTools"],
  [{ executableArgs: new Array(1) }, "executableArgs"],
  [{ tools: new Array(1) }, "tools"],
  [{ plugins: new Array(1) }, "plugins[0]"],
  [{ hooks: { PreToolUse: new Array(1) } }, "hooks.PreToolUse[0]"],
  [{ hooks: { PreToolUse: [{ hooks: new Array(1) }] } }, "hooks.PreToolUse[0].hooks[0]"],
  [{ allowedTools: "Read" }, "allowedTools"],
  [{ allowedTools: ["Read", 1] }, "allowedTools"],
  [{ maxTurns: -1 }, "maxTurns"],
  [{ maxTurns: 1.5 }, "maxTurns"],
  [{ maxTurns: NaN }, "maxTurns"],
  [{ maxBudgetUsd: 0 }, "maxBudgetUsd"],
  [{ maxThinkingTokens: NaN }, "maxThinkingTokens"],
  [{ taskBudget: { total: 0 } }, "taskBudget.total"],
  [{ thinking: { type: "enabled", budgetTokens: 0 } }, "thinking.budgetTokens"],
  [{ thinking: { type: "sometimes" } }, "thinking.type"],
  [{ thinking: { type: "adaptive", display: 1 } }, "thinking.display"],
  [{ systemPrompt: { type: "custom" } }, "systemPrompt.prompt"],
  [{ systemPrompt: { type: "preset", preset: "x" } }, "systemPrompt.preset"],
  [{ systemPrompt: { type: "file" } }, "systemPrompt.path"],
  [{ systemPrompt: { type: "other" } }, "systemPrompt.type"],
  [{ systemPrompt: ["a", 1] }, "systemPrompt"],
  [{ hooks: { PreToolUse: {} } }, "hooks.PreToolUse"],
  [{ hooks: { PreToolUse: [{}] } }, "hooks.PreToolUse[0].hooks"],
  [{ hooks: { PreToolUse: [{ hooks: [1] }] } }, "hooks.PreToolUse[0].hooks[0]"],
  [{ hooks: { Stop: [{ hooks: [], timeout: 0 }] } }, "hooks.Stop[0].timeout"],
  [{ hooks: { Stop: [{ hooks: [], onFailure: "maybe" }] } }, "hooks.Stop[0].onFailure"],
  [{ hooks: { Stop: [{ hooks: [], matcher: /x/ }] } }, "hooks.Stop[0].matcher"],
  [{ agents: { a: null } }, "agents.a"],
  [{ agents: { a: { prompt: "p" } } }, "agents.a.description"],
  [{ agents: { a: { description: "d" } } }, "agents.a.prompt"],
  [{ agents: { a: { description: "d", prompt: "p", tools: "Read" } } }, "agents.a.tools"],
  [{ agents: { a: { description: "d", prompt: "p", skills: [1] } } }, "agents.a.skills"],
  [{ agents: { a: { description: "d", prompt: "p", mcpServers: {} } } }, "agents.a.mcpServers"],
  [{ mcpServers: 5 }, "mcpServers"],
  [{ mcpServers: { a: null } }, "mcpServers.a"],
  [{ mcpServers: { a: {} } }, "mcpServers.a.command"],
  [{ mcpServers: { a: { type: "stdio", command: ["x"] } } }, "mcpServers.a.command"],
  [{ mcpServers: { a: { type: "http" } } }, "mcpServers.a.url"],
  [{ mcpServers: { a: { type: "sse", url: new URL("http://x") } } }, "mcpServers.a.url"],
  [{ mcpServers: { "a\nb": { command: "x" } } }, "mcpServers.a\nb"],
  [{ mcpServers: { a: { type: "sdk", name: "a" } } }, "mcpServers.a"],
  [{ mcpServersDelivery: "pigeon" }, "mcpServersDelivery"],
  [{ pluginDelivery: "pigeon" }, "pluginDelivery"],
  [{ plugins: [{ type: "remote", path: "x" }] }, "plugins[0].type"],
  [{ plugins: [{ type: "local" }] }, "plugins[0].path"],
  [{ plugins: [{ type: "local", path: "x", skipMcpDiscovery: "yes" }] }, "plugins[0].skipMcpDiscovery"],
  [{ outputFormat: { type: "xml" } }, "outputFormat.type"],
  [{ outputFormat: { type: "json_schema" } }, "outputFormat.schema"],
  [{ permissionPrompts: "maybe" }, "permissionPrompts"],
  [{ sessionId: "not-a-uuid" }, "sessionId"], // K10
  [{ settingSources: ["user", "global"] }, "settingSources[1]"],
  [{ skills: "pdf" }, "skills"], // B33
  [{ tools: { type: "preset", preset: "x" } }, "tools"],
  [{ toolAliases: { Bash: 1 } }, "toolAliases.Bash"],
  [{ toolConfig: { askUserQuestion: { previewFormat: 1 } } }, "toolConfig.askUserQuestion.previewFormat"],
  [{ settings: "{ not json" }, "settings"],
  [{ cwd: "a\0" }, "cwd"],
  [{ pathToClaudeCodeExecutable: "\0" }, "pathToClaudeCodeExecutable"],
  [{ executableArgs: ["a", "\0"] }, "executableArgs[1]"],
];

/** One value of each member of `tether` that is fine, with what it needs beside it. */
const GOOD_TETHER: Readonly<Record<keyof TetherOptions, Record<string, unknown>>> = {
  clock: { tether: { clock: new VirtualClock() } },
  configDir: { tether: { configDir: "/a" } },
  extraEnv: { tether: { extraEnv: { A: "1", GONE: undefined } } },
  gateAll: { tether: { gateAll: true }, canUseTool: callback },
  isolateConfig: { tether: { isolateConfig: true } },
  limits: { tether: { limits: { maxMessageBytes: 1, queueBytes: 1, stderrTailBytes: 1 } } },
  onDiagnostic: { tether: { onDiagnostic: () => {} } },
  onQuestion: { tether: { onQuestion: callback } },
  timeouts: { tether: { timeouts: { graceMs: 0, termMs: Infinity, controlMs: 1, backgroundMs: undefined } } },
  transport: {
    tether: {
      transport: {
        readable: { getReader: callback },
        writable: { getWriter: callback },
        exited: callback(),
        close: callback,
      },
    },
  },
  wrapTransport: { tether: { wrapTransport: (transport: unknown) => transport } },
};

/** Members of `tether` that cannot work, and the path that must be named. */
const BAD_TETHER: readonly (readonly [options: Record<string, unknown>, path: string])[] = [
  [{ tether: { constructor: 1 } }, "tether.constructor"],
  [{ tether: JSON.parse('{"__proto__":{"gateAll":true}}') }, "tether.__proto__"],
  [{ tether: "x" }, "tether"],
  [{ tether: { limit: {} } }, "tether.limit"],
  [{ tether: { clock: 5 } }, "tether.clock"],
  [{ tether: { clock: { now: () => 0 } } }, "tether.clock.after"],
  [{ tether: { clock: { now: 1, after: callback } } }, "tether.clock.now"],
  [{ tether: { wrapTransport: {} } }, "tether.wrapTransport"],
  [{ tether: { configDir: 5 } }, "tether.configDir"],
  [{ tether: { extraEnv: "A=1" } }, "tether.extraEnv"],
  [{ tether: { gateAll: "yes" } }, "tether.gateAll"],
  [{ tether: { gateAll: true } }, "tether.gateAll"],
  [{ tether: { isolateConfig: 1 } }, "tether.isolateConfig"],
  [{ tether: { isolateConfig: true, configDir: "/a" } }, "tether.isolateConfig"],
  [{ tether: { limits: { queueBites: 1 } } }, "tether.limits.queueBites"],
  [{ tether: { limits: { queueBytes: 0 } } }, "tether.limits.queueBytes"],
  [{ tether: { limits: { maxMessageBytes: 2 ** 40 } } }, "tether.limits.maxMessageBytes"],
  [{ tether: { limits: { stderrTailBytes: "1" } } }, "tether.limits.stderrTailBytes"],
  [{ tether: { onDiagnostic: {} } }, "tether.onDiagnostic"],
  [{ tether: { onQuestion: "yes" } }, "tether.onQuestion"],
  [{ tether: { timeouts: { graceMs: -1 } } }, "tether.timeouts.graceMs"],
  [{ tether: { timeouts: { controlMs: NaN } } }, "tether.timeouts.controlMs"],
  [{ tether: { timeouts: { graceSeconds: 1 } } }, "tether.timeouts.graceSeconds"],
  [{ tether: { transport: "x" } }, "tether.transport"],
  [{ tether: { transport: { readable: {}, writable: {} } } }, "tether.transport"],
  [{ tether: { transport: { write: callback, close: callback } } }, "tether.transport"],
  // A later version's.
  [{ tether: { worker: true } }, "tether.worker"],
  [{ tether: { configDir: "/a", extraEnv: { CLAUDE_CONFIG_DIR: "/b" } } }, "tether.configDir"],
];

export default suite("option checks", (test) => {
  test("there are the 70 options of the official SDK, one that Python has, and one of ours", () => {
    assert.lengthOf(Object.keys(OPTION_TABLE), 72);
    assert.sameMembers(Object.keys(OPTION_TABLE), Object.keys(GOOD));
  });

  test("each option is taken on its own, and options are never changed (P09)", () => {
    for (const [name, value] of Object.entries(GOOD)) {
      if (NEEDS_MORE.has(name)) continue;
      assert.doesNotThrow(() => validateOptions(deepFreeze(loose({ [name]: value }))), undefined, undefined, name);
    }
  });

  test("undefined is an option left out", () => {
    validateOptions(loose(Object.fromEntries(Object.keys(GOOD).map((name) => [name, undefined]))));
  });

  test("null is no value of any option", () => {
    for (const name of Object.keys(GOOD)) {
      assert.equal(refusedOption(() => validateOptions(loose({ [name]: null }))), name);
    }
  });

  test("a name that every object has is a name like any other", () => {
    for (const name of ["constructor", "toString", "__proto__"]) {
      assert.doesNotThrow(() => validateOptions(loose(JSON.parse(`{"${name}":1,"extraArgs":{"${name}":"x"}}`))));
    }
  });

  test("a value of the wrong kind is refused by its path", () => {
    for (const [options, path] of BAD) {
      assert.equal(refusedOption(() => validateOptions(loose(options))), path, JSON.stringify(options));
    }
  });

  test("each member of tether is taken, and refused by its path where it cannot work", () => {
    assert.sameMembers(Object.keys(TETHER_TABLE), Object.keys(GOOD_TETHER));
    for (const [name, options] of Object.entries(GOOD_TETHER)) {
      assert.doesNotThrow(() => validateOptions(deepFreeze(loose(options))), undefined, undefined, name);
    }
    for (const [options, path] of BAD_TETHER) {
      assert.equal(refusedOption(() => validateOptions(loose(options))), path, JSON.stringify(options));
    }
    for (const name of Object.keys(GOOD_TETHER)) {
      validateOptions(loose({ tether: { [name]: undefined } }));
      assert.equal(refusedOption(() => validateOptions(loose({ tether: { [name]: null } }))), `tether.${name}`);
    }
  });

  test("what only Python's options have is taken in each form, and refused in every other", () => {
    const good = [
      { systemPrompt: { type: "file", path: "/a" } },
      { mcpServers: "/a/mcp.json" },
      { mcpServers: '{"mcpServers":{}}' },
      { mcpServers: "" },
      { user: "nobody" },
    ];
    for (const options of good) validateOptions(deepFreeze(loose(options)));
    const bad: readonly (readonly [options: Record<string, unknown>, path: string])[] = [
      [{ systemPrompt: { type: "file", path: 5 } }, "systemPrompt.path"],
      [{ mcpServers: ["/a/mcp.json"] }, "mcpServers"],
      [{ user: 1000 }, "user"],
      [{ user: "a\0" }, "user"],
    ];
    for (const [options, path] of bad) {
      assert.equal(refusedOption(() => validateOptions(loose(options))), path, JSON.stringify(options));
    }
  });

  test("B31: skill names that would be more than a name in a rule are refused", () => {
    const names = [
      "",
      " ",
      "a)",
      "a(b",
      "a,b",
      "a\u0000",
      "a\u007f",
      "a\u0085",
      "\ufeffa",
      "a\ud83d",
      "\udc00a",
      " a",
      "a ",
    ];
    for (const name of [...names, "*", "a:*", "a *", "/a", "a\\\\b", "a\\", "a),Bash(*"]) {
      assert.equal(refusedOption(() => validateOptions({ skills: ["ok", name] })), "skills[1]", JSON.stringify(name));
    }
  });

  test("B32: ordinary skill names pass", () => {
    validateOptions({ skills: ["pdf-tools", "my_skill.v2", "plugin:pdf", "two words", "a\\b", "größe", "日本", "👍"] });
  });

  test("no message repeats what was given", () => {
    const secret = "sk-very-secret";
    const given = [
      { settings: `{ ${secret}` },
      { sessionId: secret },
      { mcpServersDelivery: secret },
      { settingSources: [secret] },
      { tether: { configDir: 1, extraEnv: { [secret]: "x" } } },
    ];
    for (const options of given) {
      const error = refusal(() => validateOptions(loose(options)));
      assert.notInclude(error.message, secret);
      assert.notInclude(String(error.cause), secret);
    }
  });

  test("an in-process server is looked for and not read: its instance may throw before it is connected", () => {
    const server = {
      type: "sdk",
      name: "a",
      get instance(): never {
        throw new Error("read");
      },
    };
    validateOptions(loose({ mcpServers: { a: server } }));
    // A copy with other settings has lost the getter and kept the symbol.
    validateOptions(loose({ mcpServers: { a: { type: "sdk", name: "a", timeout: 1, [Symbol("tools")]: {} } } }));
  });
});
