import { assert } from "chai";
import { type Options, validateOptions } from "../../../src/core/options/mod.ts";
import { OPTION_TABLE } from "../../../src/core/options/option_table.ts";
import { deepFreeze } from "../../harness/freeze.ts";
import { refusal, refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";

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
  [{ mcpServers: { a: null } }, "mcpServers.a"],
  [{ mcpServers: { "a\nb": { command: "x" } } }, "mcpServers.a\nb"],
  [{ mcpServers: { a: { type: "sdk", name: "a" } } }, "mcpServers.a"],
  [{ mcpServersDelivery: "pigeon" }, "mcpServersDelivery"],
  [{ pluginDelivery: "pigeon" }, "pluginDelivery"],
  [{ plugins: [{ type: "remote", path: "x" }] }, "plugins[0].type"],
  [{ plugins: [{ type: "local" }] }, "plugins[0].path"],
  [{ outputFormat: { type: "xml" } }, "outputFormat.type"],
  [{ outputFormat: { type: "json_schema" } }, "outputFormat.schema"],
  [{ permissionPrompts: "maybe" }, "permissionPrompts"],
  [{ sessionId: "not-a-uuid" }, "sessionId"], // K10
  [{ settingSources: ["user", "global"] }, "settingSources[1]"],
  [{ skills: "pdf" }, "skills"], // B33
  [{ tools: { type: "preset", preset: "x" } }, "tools"],
  [{ toolAliases: { Bash: 1 } }, "toolAliases.Bash"],
  [{ toolConfig: { askUserQuestion: { previewFormat: 1 } } }, "toolConfig.askUserQuestion.previewFormat"],
  [{ tether: { limit: {} } }, "tether.limit"],
  [{ tether: { limits: { queueBites: 1 } } }, "tether.limits.queueBites"],
  [{ tether: { timeouts: { graceMs: -1 } } }, "tether.timeouts.graceMs"],
  [{ tether: { onQuestion: "yes" } }, "tether.onQuestion"],
  [{ settings: "{ not json" }, "settings"],
  [{ cwd: "a\0" }, "cwd"],
  [{ pathToClaudeCodeExecutable: "\0" }, "pathToClaudeCodeExecutable"],
  [{ executableArgs: ["a", "\0"] }, "executableArgs[1]"],
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

  test("a value of the wrong kind is refused by its path", () => {
    for (const [options, path] of BAD) {
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
