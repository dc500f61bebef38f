import { assert } from "chai";
import fc from "fast-check";
import { type Options, validateOptions } from "../../../src/core/options/mod.ts";
import { buildArguments, type LaunchContext, withFilePaths } from "../../../src/transport/process/arguments.ts";
import { deepFreeze } from "../../harness/freeze.ts";
import { refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";

const LINUX: LaunchContext = { platform: "linux", cliVersion: "2.1.332" };
const BASE = ["--output-format=stream-json", "--verbose", "--input-format=stream-json"];

const callback = () => Promise.resolve(null);

/** The arguments after the three that are always there. */
function flags(options: Options, context: LaunchContext = LINUX): string[] {
  const { args } = buildArguments(deepFreeze(options), context);
  assert.deepEqual(args.slice(0, 3), BASE);
  return args.slice(3);
}

/** Options, and the flags they make. */
const TABLE: readonly (readonly [options: Options, flags: readonly string[]])[] = [
  [{}, []],
  [{ additionalDirectories: ["/a", "/b c"] }, ["--add-dir=/a", "--add-dir=/b c"]], // B16
  [{ additionalDirectories: [] }, []],
  [{ agent: "lead" }, ["--agent=lead"]],
  [{ agent: "" }, []],
  [{ agents: {} }, []], // B26
  [{ allowDangerouslySkipPermissions: true }, ["--allow-dangerously-skip-permissions"]],
  [{ allowDangerouslySkipPermissions: false }, []],
  [{ allowedTools: ["Read", "Bash(git log, x)"] }, ["--allowedTools=Read,Bash(git log, x)"]], // B05
  [{ allowedTools: [] }, []],
  [{ disallowedTools: ["Write"] }, ["--disallowedTools=Write"]],
  [{ disallowedTools: [] }, []],
  [{ betas: ["b1", "b2"] }, ["--betas=b1,b2"]],
  [{ betas: [] }, []],
  [{ canUseTool: callback }, ["--permission-prompt-tool=stdio"]], // B28
  [{ tether: { onQuestion: callback } }, ["--permission-prompt-tool=stdio"]],
  [{ permissionPromptToolName: "mcp__a__b" }, ["--permission-prompt-tool=mcp__a__b"]],
  [{ permissionPrompts: "none" }, ["--permission-prompts=none"]],
  [{ continue: true }, ["--continue"]], // B08
  [{ continue: false }, []],
  [{ cwd: "/a" }, []],
  [{ debug: true }, ["--debug"]],
  [{ debug: true, debugFile: "/log" }, ["--debug-file=/log"]],
  [{ debugFile: "" }, []],
  [{ effort: "xhigh" }, ["--effort=xhigh"]], // B24
  [{ fallbackModel: "a,b" }, ["--fallback-model=a,b"]],
  [{ forkSession: true }, ["--fork-session"]], // B18
  [{ includeHookEvents: true }, ["--include-hook-events"]],
  [{ includePartialMessages: true }, ["--include-partial-messages"]],
  [{ strictMcpConfig: true }, ["--strict-mcp-config"]],
  [{ maxBudgetUsd: 0.5 }, ["--max-budget-usd=0.5"]], // B06
  [{ maxTurns: 3 }, ["--max-turns=3"]],
  [{ maxTurns: 0 }, []],
  [{ taskBudget: { total: 7 } }, ["--task-budget=7"]],
  [{ model: "opus" }, ["--model=opus"]],
  [{ permissionMode: "default" }, ["--permission-mode=default"]], // B07
  [{ permissionMode: "bypassPermissions" }, ["--permission-mode=bypassPermissions"]],
  [{ persistSession: false }, ["--no-session-persistence"]],
  [{ persistSession: true }, []],
  [{ plugins: [{ type: "local", path: "./p" }] }, ["--plugin-dir=./p"]], // B20
  [{ plugins: [{ type: "local", path: "p", skipMcpDiscovery: true }] }, ["--plugin-dir-no-mcp=p"]],
  [{ plugins: [] }, []],
  [{ projectConfigRoot: "/root" }, ["--project-config-root=/root"]],
  [{ resume: "a title" }, ["--resume=a title"]], // B09
  [{ resume: "--evil" }, ["--resume=--evil"]], // B10
  [{ resume: "" }, []],
  [{ resumeSessionAt: "-x" }, ["--resume-session-at=-x"]],
  [{ resumeDropsTurn: "" }, ["--resume-drops-turn="]], // B11
  [{ sessionId: "--version" }, ["--session-id=--version"]],
  [{ settingSources: [] }, ["--setting-sources="]], // B19
  [{ settingSources: ["user", "local"] }, ["--setting-sources=user,local"]],
  [{ skills: "all" }, ["--allowedTools=Skill"]], // B29
  [{ skills: ["pdf", "two words"] }, ["--allowedTools=Skill(pdf),Skill(two words)"]],
  [{ skills: [] }, []],
  // B30
  [{ skills: ["pdf", "pdf"], allowedTools: ["Skill(pdf)", "Read"] }, ["--allowedTools=Skill(pdf),Read"]],
  [{ settings: "/a b/settings.json" }, ["--settings=/a b/settings.json"]], // B13
  [{ settings: "" }, []],
  [{ systemPrompt: "s" }, []],
  [{ systemPrompt: { type: "file", path: "/p.md" } }, ["--system-prompt-file=/p.md"]], // B02
  [{ systemPrompt: ["a"] }, []],
  [{ tools: ["Bash", "Read"] }, ["--tools=Bash,Read"]], // B04
  [{ tools: [] }, ["--tools="]],
  [{ tools: { type: "preset", preset: "claude_code" } }, ["--tools=default"]],
  [{ thinking: { type: "adaptive" } }, ["--thinking=adaptive"]], // B22
  [{ thinking: { type: "adaptive", display: "omitted" } }, ["--thinking=adaptive", "--thinking-display=omitted"]],
  [{ thinking: { type: "enabled", budgetTokens: 9 } }, ["--max-thinking-tokens=9"]],
  [{ thinking: { type: "enabled" }, maxThinkingTokens: 5 }, ["--thinking=adaptive"]],
  [{ thinking: { type: "disabled" }, maxThinkingTokens: 5 }, ["--thinking=disabled"]],
  [{ maxThinkingTokens: 5 }, ["--max-thinking-tokens=5"]], // B23
  [{ maxThinkingTokens: 0 }, ["--thinking=disabled"]],
  [{ mcpServers: {} }, []], // B17
  [{ mcpServers: "" }, []],
  [{ mcpServers: "./mcp.json" }, ["--mcp-config=./mcp.json"]],
  [{ mcpServers: { a: { type: "sdk", name: "a", instance: {} as never } } }, []],
  [{ extraArgs: { name: "x", bare: null, empty: "", dash: "-v", gone: undefined } }, [
    "--name=x",
    "--bare",
    "--empty=",
    "--dash=-v",
  ]], // B21
  [{ extraArgs: { settings: "/s.json" } }, ["--settings=/s.json"]],
  [{ extraArgs: { settings: "/s.json" }, settings: "/other.json" }, ["--settings=/other.json"]],
  [{ outputFormat: { type: "json_schema", schema: { type: "object" } } }, ['--json-schema={"type":"object"}']], // B25
  [{ sessionStore: { append: callback as never, load: callback } }, ["--session-mirror"]], // B27
  [{ title: "t", promptSuggestions: true, supportedDialogKinds: [], toolAliases: { A: "B" } }, []],
];

/** Everything at once, in the order of the TypeScript SDK. */
const ALL: Options = {
  extraArgs: { extra: "1" },
  persistSession: false,
  sessionId: "s",
  resumeDropsTurn: "d",
  resumeSessionAt: "p",
  forkSession: true,
  plugins: [{ type: "local", path: "pl" }],
  additionalDirectories: ["dir"],
  projectConfigRoot: "root",
  includePartialMessages: true,
  includeHookEvents: true,
  fallbackModel: "fb",
  allowDangerouslySkipPermissions: true,
  permissionMode: "plan",
  strictMcpConfig: true,
  settingSources: ["user"],
  mcpServers: "mcp.json",
  tools: ["T"],
  disallowedTools: ["D"],
  allowedTools: ["A"],
  resume: "r",
  continue: true,
  permissionPrompts: "host",
  canUseTool: callback,
  debug: true,
  outputFormat: { type: "json_schema", schema: {} },
  betas: ["b"],
  agent: "ag",
  model: "m",
  taskBudget: { total: 1 },
  maxBudgetUsd: 1,
  maxTurns: 1,
  effort: "low",
  thinking: { type: "adaptive", display: "omitted" },
  settings: "set.json",
};

const ORDER = [
  "--thinking=adaptive",
  "--thinking-display=omitted",
  "--effort=low",
  "--max-turns=1",
  "--max-budget-usd=1",
  "--task-budget=1",
  "--model=m",
  "--agent=ag",
  "--betas=b",
  "--json-schema={}",
  "--debug",
  "--permission-prompt-tool=stdio",
  "--permission-prompts=host",
  "--continue",
  "--resume=r",
  "--allowedTools=A",
  "--disallowedTools=D",
  "--tools=T",
  "--mcp-config=mcp.json",
  "--setting-sources=user",
  "--strict-mcp-config",
  "--permission-mode=plan",
  "--allow-dangerously-skip-permissions",
  "--fallback-model=fb",
  "--include-hook-events",
  "--include-partial-messages",
  "--project-config-root=root",
  "--add-dir=dir",
  "--plugin-dir=pl",
  "--fork-session",
  "--resume-session-at=p",
  "--resume-drops-turn=d",
  "--session-id=s",
  "--no-session-persistence",
  "--extra=1",
  "--settings=set.json",
];

export default suite("command line", (test) => {
  test("each option makes its flags, and options are never changed (P09)", () => {
    for (const [options, expected] of TABLE) assert.deepEqual(flags(options), expected, JSON.stringify(options));
  });

  test("flags keep their order", () => assert.deepEqual(flags(ALL), ORDER));

  test("with nothing to deliver there are no files, no fields and nothing to wait for", () => {
    const { files, initialize, holdsPrompt } = buildArguments(ALL, LINUX);
    assert.deepEqual({ files, initialize, holdsPrompt }, { files: [], initialize: {}, holdsPrompt: false });
  });

  test("NUL is refused wherever a command line is made of it", () => {
    const cases: readonly (readonly [Options, string])[] = [
      [{ model: "a\0b" }, "model"],
      [{ resume: "\0" }, "resume"],
      [{ additionalDirectories: ["a", "b\0"] }, "additionalDirectories"],
      [{ debugFile: "\0" }, "debugFile"],
      [{ allowedTools: ["a\0"] }, "allowedTools[0]"],
      [{ disallowedTools: ["a\0"] }, "disallowedTools[0]"],
      [{ tools: ["a\0"] }, "tools[0]"],
      [{ betas: ["a\0"] }, "betas[0]"],
      [{ settings: "a\0" }, "settings"],
      [{ mcpServers: "a\0" }, "mcpServers"],
      [{ extraArgs: { x: "a\0" } }, "extraArgs.x"],
      [{ plugins: [{ type: "local", path: "a\0" }] }, "plugins[0].path"],
      [{ systemPrompt: { type: "file", path: "a\0" } }, "systemPrompt"],
      [{ projectConfigRoot: "a\0" }, "projectConfigRoot"],
      [{ permissionPromptToolName: "a\0" }, "permissionPromptToolName"],
    ];
    for (const [options, path] of cases) assert.equal(refusedOption(() => buildArguments(options, LINUX)), path);
  });

  test("a line break is refused in ids and names, and is fine in a path", () => {
    const names = [
      "agent",
      "model",
      "fallbackModel",
      "effort",
      "permissionMode",
      "permissionPromptToolName",
      "resume",
      "resumeSessionAt",
      "resumeDropsTurn",
      "sessionId",
    ] as const;
    for (const name of names) {
      for (const text of ["a\nb", "a\rb"]) {
        assert.equal(refusedOption(() => buildArguments({ [name]: text }, LINUX)), name);
      }
    }
    assert.deepEqual(flags({ additionalDirectories: ["/a\nb"] }), ["--add-dir=/a\nb"]);
  });

  test("lists that the CLI splits take no element it would split", () => {
    assert.equal(refusedOption(() => flags({ tools: ["Read", "Bash,Write"] })), "tools[1]");
    assert.equal(refusedOption(() => flags({ tools: ["Bash Write"] })), "tools[0]");
    assert.equal(refusedOption(() => flags({ tools: [""] })), "tools[0]");
    assert.equal(refusedOption(() => flags({ tools: ["Bash(git)"] })), "tools[0]");
    assert.equal(refusedOption(() => flags({ betas: ["a,b"] })), "betas[0]");
    assert.equal(refusedOption(() => flags({ allowedTools: ["Read,Write"] })), "allowedTools[0]");
    assert.equal(refusedOption(() => flags({ disallowedTools: ["Bash(a (b) c)"] })), "disallowedTools[0]");
  });

  test("extraArgs hold flags' names, plain values, and nothing that ends the conversation", () => {
    for (const name of ["--model", "-m", "a b", "a=b", "", "a\nb", "a\0"]) {
      assert.equal(refusedOption(() => flags({ extraArgs: { [name]: "x" } })), "extraArgs", name);
    }
    for (const name of ["input-format", "output-format", "print", "p", "initialize-fields", "managed-settings"]) {
      assert.equal(refusedOption(() => flags({ extraArgs: { [name]: "text" } })), `extraArgs.${name}`);
    }
    assert.equal(refusedOption(() => flags({ extraArgs: { x: {} as never } })), "extraArgs.x");
    assert.deepEqual(flags({ extraArgs: { n: 5 as never, t: true as never } }), ["--n=5", "--t=true"]);
  });

  test("prompts and agents of extraArgs travel in private files, or not at all", () => {
    const extraArgs = { "system-prompt": "secret 1", "append-system-prompt": "secret 2", agents: ' {"a":"secret 3"}' };
    const plan = buildArguments({ extraArgs }, LINUX);
    assert.notInclude(plan.args.join(), "secret");
    assert.deepEqual(withFilePaths(plan, ({ content }) => `/private/${content}`).slice(3), [
      "--system-prompt-file=/private/secret 1",
      "--append-system-prompt-file=/private/secret 2",
      '--agents=/private/ {"a":"secret 3"}',
    ]);
    assert.strictEqual(new Set(plan.files.map(({ name }) => name)).size, 3);
    assert.deepEqual(flags({ extraArgs: { agents: "/a.json" } }), ["--agents=/a.json"]);
    for (const [name, value] of Object.entries(extraArgs)) {
      const refused = () => buildArguments({ extraArgs: { [name]: value } }, { ...LINUX, canWriteFiles: false });
      assert.equal(refusedOption(refused), `extraArgs.${name}`);
      assert.equal(refusedOption(() => flags({ extraArgs: { [name]: '{"\0' } })), `extraArgs.${name}`);
    }
  });

  test("what is no object once it is written as JSON is refused by name", () => {
    for (const toJSON of [() => undefined, () => "text", () => [1]]) {
      const odd = { toJSON } as never;
      assert.equal(refusedOption(() => flags({ settings: odd })), "settings");
      assert.equal(refusedOption(() => flags({ managedSettings: odd })), "managedSettings");
      assert.equal(
        refusedOption(() => flags({ outputFormat: { type: "json_schema", schema: odd } })),
        "outputFormat.schema",
      );
    }
  });

  test("B12: on Windows ids hold nothing that a shell reads", () => {
    const windows: LaunchContext = { platform: "win32", cliVersion: "2.1.332" };
    for (const name of ["resume", "sessionId", "resumeSessionAt", "resumeDropsTurn"] as const) {
      for (const char of '&|<>^%!"') {
        assert.equal(refusedOption(() => flags({ [name]: `a${char}b` }, windows)), name);
        assert.lengthOf(flags({ [name]: `a${char}b` }), 1);
      }
      assert.lengthOf(flags({ [name]: "a (title) #1" }, windows), 1);
    }
  });

  test("what is longer than 32 KiB is refused by name", () => {
    const long = "x".repeat(32 * 1024 + 1);
    assert.equal(refusedOption(() => flags({ allowedTools: [`Bash(${long})`] })), "allowedTools");
    assert.equal(refusedOption(() => flags({ tools: [long] })), "tools");
    assert.equal(refusedOption(() => flags({ extraArgs: { x: long } })), "extraArgs.x");
    // Bytes count, not characters.
    assert.equal(refusedOption(() => flags({ model: "日".repeat(11_000) })), "model");
    assert.lengthOf(flags({ model: long.slice(1) }), 1);
  });

  test("Windows takes no command line longer than 32 KiB in all", () => {
    const options = { additionalDirectories: Array.from({ length: 10 }, () => "x".repeat(4000)) };
    assert.lengthOf(flags(options), 10);
    assert.equal(refusedOption(() => flags(options, { platform: "win32" })), "additionalDirectories");
  });

  test("whatever text is given, it stays the value of its own flag", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("--evil", "-x", "=", "--a=b", " ", "a b"));
    fc.assert(
      fc.property(fc.record({ model: text, resume: text, dir: text, extra: text, prompt: text }), (given) => {
        let made: string[];
        try {
          made = flags({
            model: given.model,
            resume: given.resume,
            additionalDirectories: [given.dir],
            extraArgs: { "extra-flag": given.extra },
            systemPrompt: given.prompt,
          });
        } catch (error) {
          assert.match(Object.values(given).join(""), /[\0\r\n]/, String(error));
          return;
        }
        const expected = [
          ...(given.model === "" ? [] : [`--model=${given.model}`]),
          ...(given.resume === "" ? [] : [`--resume=${given.resume}`]),
          `--add-dir=${given.dir}`,
          `--extra-flag=${given.extra}`,
        ];
        assert.deepEqual(made, expected);
      }),
      { seed: 332, numRuns: 1000 },
    );
  });

  test("files are put into the command line once they have a path", () => {
    const plan = buildArguments(
      { mcpServers: { a: { command: "x" } }, settings: { model: "m" }, extraArgs: { x: "file:0" } },
      { platform: "linux" },
    );
    assert.deepEqual(plan.files.map(({ name }) => name), ["mcp_config_0.json", "settings.json"]);
    assert.deepEqual(withFilePaths(plan, ({ name }) => `/private/${name}`).slice(3), [
      "--mcp-config=/private/mcp_config_0.json",
      "--x=file:0",
      "--settings=/private/settings.json",
    ]);
    // A command line that nobody completed cannot be started by mistake.
    assert.isTrue(plan.args.some((argument) => argument.includes("\0")));
  });

  test("what these options make is what validation lets pass", () => {
    validateOptions({ ...ALL, continue: false, sessionId: "5b3c2f10-9b7a-4c7f-8f43-4b1d5f2c7e11" });
  });
});
