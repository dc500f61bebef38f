import { assert } from "chai";
import { type Diagnostic, query } from "../../../mod.ts";
import { type Options, optionWarnings } from "../../../src/core/options/mod.ts";
import { scriptedCli, step } from "../../../src/testing/mod.ts";
import { deepFreeze } from "../../harness/freeze.ts";
import { suite } from "../../harness/suite.ts";

const canUseTool = () => Promise.resolve(null);
const SHADOWED = "CLAUDE_SDK_CAN_USE_TOOL_SHADOWED";

const codes = (options: Options): string[] => optionWarnings(deepFreeze(options)).map(({ code }) => code);

export default suite("option warnings", (test) => {
  test("K01: bypass mode is named, and beats the list of tools", () => {
    const [warning, ...more] = optionWarnings({
      canUseTool,
      permissionMode: "bypassPermissions",
      allowedTools: ["Read"],
    });
    assert.isEmpty(more);
    assert.include(warning?.message, "bypassPermissions");
    assert.include(warning?.message, "PreToolUse");
    assert.notInclude(warning?.message, "Read");
    assert.equal(warning?.code, SHADOWED); // K07
  });

  test("a query tells of them before it starts", async () => {
    const told: Diagnostic[] = [];
    const tether = { transport: scriptedCli([step.turn("x")]).transport(), onDiagnostic: told.push.bind(told) };
    const options: Options = { canUseTool, allowedTools: ["Read"], tether };
    const running = query({ prompt: "x", options });
    const warnings: Diagnostic[] = optionWarnings(options);
    assert.isNotEmpty(warnings);
    assert.deepEqual(told, warnings);
    for await (const message of running) void message;
    assert.deepEqual(told.filter(({ kind }) => kind === "option_warning"), warnings);
  });

  test("K02: whole-tool rules are listed in order, each once", () => {
    const [warning, ...more] = optionWarnings({
      canUseTool,
      allowedTools: ["Write()", "Read", "mcp__s__t", "Read(*)", "Bash(ls:*)"],
    });
    assert.isEmpty(more);
    assert.include(warning?.message, "Write, Read, mcp__s__t");
    assert.notInclude(warning?.message, "Bash");
  });

  test("K03: narrower rules and rubbish are not reported", () => {
    assert.isEmpty(codes({ canUseTool, allowedTools: ["Bash(ls:*)", " ", "Read(*x", "(foo)", "(*)"] }));
  });

  test("K04: acceptEdits alone is silent, with whole tools it warns", () => {
    assert.isEmpty(codes({ canUseTool, permissionMode: "acceptEdits" }));
    assert.deepEqual(codes({ canUseTool, permissionMode: "acceptEdits", allowedTools: ["Read"] }), [SHADOWED]);
  });

  test("K05: all skills count as the bare tool, named ones do not", () => {
    assert.deepEqual(codes({ canUseTool, skills: "all" }), [SHADOWED]);
    assert.isEmpty(codes({ canUseTool, skills: ["pdf"] }));
  });

  test("K06: without a callback nothing is said, and with gateAll nothing is shadowed", () => {
    assert.isEmpty(codes({ allowedTools: ["Read"], permissionMode: "bypassPermissions" }));
    assert.isEmpty(codes({ canUseTool, allowedTools: ["Read"], tether: { gateAll: true } }));
  });

  test("a name that is no option is named", () => {
    const options = { modle: "opus" } as Options;
    assert.deepEqual(optionWarnings(options).map(({ option, code }) => [option, code]), [["modle", "unknown_option"]]);
  });

  test("callbacks that nobody can ask are named", () => {
    assert.deepEqual(codes({ canUseTool, permissionPrompts: "none" }), ["permission_prompts_none"]);
    assert.deepEqual(
      optionWarnings({ tether: { onQuestion: canUseTool }, permissionPrompts: "none" }).map(({ option }) => option),
      ["tether.onQuestion"],
    );
  });

  test("a server of this program inside an agent is named if there is nothing behind it", () => {
    const server = { s: { type: "sdk", name: "s" } } as const;
    const withServer = (server: object) =>
      ({
        agents: { a: { description: "d", prompt: "p", mcpServers: ["x", server] } },
      }) as Options;
    assert.deepEqual(codes(withServer(server)), ["CLAUDE_SDK_AGENT_IN_PROCESS_SERVER"]);
    assert.isEmpty(codes(withServer({ s: { ...server.s, instance: {} } })));
  });

  test("a flag given twice is named", () => {
    assert.deepEqual(codes({ model: "a", extraArgs: { model: "b", other: null } }), ["flag_given_twice"]);
    assert.isEmpty(codes({ extraArgs: { model: "b" } }));
  });

  test("with a transport of one's own, options that only a start can carry are named", () => {
    const transport = {} as NonNullable<NonNullable<Options["tether"]>["transport"]>;
    const warnings = optionWarnings({ tether: { transport }, model: "a", cwd: "/a", env: {}, title: "t", canUseTool });
    assert.deepEqual(warnings.map(({ option, code }) => [option, code]), [
      ["model", "not_carried"],
      ["cwd", "not_carried"],
      ["env", "not_carried"],
    ]);
    const ours = { a: { type: "sdk", name: "a", instance: {} as never } } as const;
    assert.isEmpty(codes({ tether: { transport }, mcpServers: ours }));
    assert.deepEqual(codes({ tether: { transport }, mcpServers: { ...ours, b: { command: "x" } } }), ["not_carried"]);
    assert.deepEqual(codes({ tether: { transport }, mcpServers: "./mcp.json" }), ["not_carried"]);
  });
});
