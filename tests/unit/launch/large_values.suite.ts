/** How values of 32 KiB, 200 KiB and 5 MB travel, or are refused before anything is started, on each system. */

import { assert } from "chai";
import { buildInitialize } from "../../../src/client/initialize.ts";
import { type Options, validateOptions } from "../../../src/core/options/mod.ts";
import type { Platform } from "../../../src/core/runtime.ts";
import { buildArguments, type LaunchContext } from "../../../src/transport/process/arguments.ts";
import { checkCommandLine } from "../../../src/transport/process/command_line.ts";
import { refusal, refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";

const SIZES = [32 * 1024, 200 * 1024, 5_000_000] as const;

/** The largest takes its time, and is no other elsewhere. */
const sizesOn = (platform: Platform): readonly number[] => platform === "linux" ? SIZES : SIZES.slice(0, 2);

const PLATFORMS: readonly Platform[] = ["linux", "darwin", "win32", "other"];

/** Options that take any amount, by how an amount of them looks. */
const UNBOUNDED: Readonly<Record<string, (text: string) => Options>> = {
  agents: (text) => ({ agents: { a: { description: text, prompt: text } } }),
  "disallowedTools, one": (text) => ({ disallowedTools: [`Bash(${text})`] }),
  "disallowedTools, many": (text) => ({
    disallowedTools: Array.from({ length: 1 + text.length / 10 }, () => "mcp__a__b"),
  }),
  hooks: (text) => ({ hooks: { Stop: [{ matcher: text, hooks: [() => Promise.resolve({})] }] } }),
  managedSettings: (text) => ({ managedSettings: { env: { A: text } } }),
  mcpServers: (text) => ({ mcpServers: { a: { command: "x", env: { A: text } } } }),
  "mcpServers, text": (text) => ({ mcpServers: JSON.stringify({ mcpServers: { a: { command: "x", args: [text] } } }) }),
  "mcpServers, extraArgs": (text) => ({ extraArgs: { "mcp-config": `{"mcpServers":{"a":{"command":"${text}"}}}` } }),
  outputFormat: (text) => ({ outputFormat: { type: "json_schema", schema: { description: text } } }),
  planModeInstructions: (text) => ({ planModeInstructions: text }),
  "plugins, one": (text) => ({ plugins: [{ type: "local", path: text }] }),
  "plugins, many": (text) => ({
    plugins: Array.from({ length: 1 + text.length / 10 }, () => ({ type: "local" as const, path: "/some/where" })),
  }),
  sandbox: (text) => ({ sandbox: { enabled: true, network: { allowedDomains: [text] } } }),
  settings: (text) => ({ settings: { env: { A: text } } }),
  "settings, text": (text) => ({ settings: JSON.stringify({ env: { A: text } }) }),
  "settings, extraArgs": (text) => ({ extraArgs: { settings: JSON.stringify({ env: { A: text } }) } }),
  systemPrompt: (text) => ({ systemPrompt: text }),
  "systemPrompt, parts": (text) => ({ systemPrompt: [text, text] }),
  "systemPrompt, appended": (text) => ({ systemPrompt: { type: "preset", preset: "claude_code", append: text } }),
  title: (text) => ({ title: text }),
  toolAliases: (text) => ({ toolAliases: { [text]: text } }),
};

/** Options that have the command line only, and the path that a refusal names. */
const BOUNDED: Readonly<Record<string, (text: string) => Options>> = {
  additionalDirectories: (text) => ({ additionalDirectories: [text] }),
  agent: (text) => ({ agent: text }),
  allowedTools: (text) => ({ allowedTools: [`Bash(${text})`] }),
  betas: (text) => ({ betas: [text] }),
  debugFile: (text) => ({ debugFile: text }),
  "extraArgs.x": (text) => ({ extraArgs: { x: text } }),
  fallbackModel: (text) => ({ fallbackModel: text }),
  model: (text) => ({ model: text }),
  permissionPromptToolName: (text) => ({ permissionPromptToolName: text }),
  projectConfigRoot: (text) => ({ projectConfigRoot: text }),
  resume: (text) => ({ resume: text }),
  settings: (text) => ({ settings: text }),
  systemPrompt: (text) => ({ systemPrompt: { type: "file", path: text } }),
  tools: (text) => ({ tools: [text] }),
  "allowedTools of skills": (text) => ({ skills: [text] }),
};

const plan = (options: Options, context: LaunchContext) => buildArguments(options, context);

/** The longest argument, and all of them. */
function weigh(args: readonly string[]): { readonly longest: number; readonly all: number } {
  return { longest: Math.max(...args.map(({ length }) => length)), all: args.join(" ").length };
}

/** How much of an option of {@linkcode UNBOUNDED} arrived: the longest text in one piece, or how many entries. */
function amountIn(arrived: string, name: string): number {
  if (name.endsWith(", many")) return arrived.match(/mcp__a__b|\/some\/where/g)?.length ?? 0;
  return Math.max(0, ...(arrived.match(/x+/g) ?? []).map(({ length }) => length));
}

export default suite("large values", (test) => {
  test("what may be large travels whole at any size, and leaves the command line short", () => {
    for (const platform of PLATFORMS) {
      for (const cliVersion of ["2.1.332", undefined]) {
        for (const size of sizesOn(platform)) {
          const text = "x".repeat(size);
          for (const [name, make] of Object.entries(UNBOUNDED)) {
            const options = make(text);
            validateOptions(options);
            const context = { platform, cliVersion };
            // Of an unknown CLI too little is known: it says so, and does not cut off.
            if (cliVersion === undefined && /^(disallowedTools|plugins)/.test(name)) continue;
            const made = plan(options, context);
            const { longest, all } = weigh(made.args);
            const where = `${name}, ${size} on ${platform}`;
            assert.isAtMost(longest, 33_000, where);
            assert.isBelow(all, platform === "win32" ? 32_767 : 40_000, where);
            const hooks = Object.keys(options.hooks ?? {}).length > 0 ? { Stop: [{ matcher: text }] } : undefined;
            const request = JSON.stringify(buildInitialize(options, { delivered: made.initialize, hooks }));
            const arrived = [made.args.join(" "), request, ...made.files.map(({ content }) => content)].join("\n");
            assert.strictEqual(
              amountIn(arrived, name),
              name.endsWith(", many") ? Math.floor(1 + size / 10) : size,
              where,
            );
          }
        }
      }
    }
  });

  test("plugins and forbidden tools that are too many for an unknown CLI's command line are refused by name", () => {
    for (const [name, make] of Object.entries(UNBOUNDED)) {
      const option = /^(disallowedTools|plugins)/.exec(name)?.[0];
      if (option === undefined) continue;
      const old = { platform: "linux", cliVersion: "2.1.200" } as const;
      assert.equal(refusedOption(() => plan(make("x".repeat(200 * 1024)), old)), option);
    }
  });

  test("what has the command line only is refused by name from 32 KiB on, whatever the system", () => {
    for (const platform of PLATFORMS) {
      for (const size of sizesOn(platform)) {
        for (const [name, make] of Object.entries(BOUNDED)) {
          const error = refusal(() => plan(make("x".repeat(size + 1)), { platform, cliVersion: "2.1.332" }));
          assert.equal(error.option, name.split(" ")[0], `${size} on ${platform}`);
          assert.isBelow(error.message.length, 200, "the value is not in it");
        }
      }
    }
  });

  test("any number of flags in extraArgs is refused for its size alone", () => {
    const extraArgs = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`flag-${index}`, null]));
    assert.match(refusedOption(() => buildArguments({ extraArgs }, { platform: "linux" })), /^extraArgs\./);
  });

  test("many small values are refused where together they are too much, by the option that takes most", () => {
    const directories = (bytes: number): Options => ({
      additionalDirectories: Array.from({ length: bytes / 1000 }, () => "x".repeat(1000)),
      model: "m",
    });
    const limits = { linux: 2_000_000, darwin: 1_000_000, win32: 31_000 } as const;
    for (const [platform, bytes] of Object.entries(limits) as [Platform, number][]) {
      plan(directories(Math.floor(bytes * 0.9 / 1000) * 1000), { platform });
      const error = refusal(() => plan(directories(Math.ceil(bytes * 1.1 / 1000) * 1000), { platform }));
      assert.equal(error.option, "additionalDirectories", platform);
    }
    const extraArgs = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`flag-${n}`, "x".repeat(30_000)]));
    assert.match(refusedOption(() => plan({ extraArgs }, { platform: "linux" })), /^extraArgs\.flag-\d+$/);
  });

  test("the environment counts: one variable, and all of them", () => {
    const line = (env: Record<string, string>) => ({ command: "/bin/claude", args: ["--verbose"], env });
    const big = "x".repeat(128 * 1024 - "A=".length - 1);
    checkCommandLine("linux", line({ A: big }));
    assert.equal(refusedOption(() => checkCommandLine("linux", line({ A: big + "x", B: "" }))), "env.A");
    checkCommandLine("darwin", line({ A: "x".repeat(900_000) }));
    assert.equal(refusedOption(() => checkCommandLine("darwin", line({ B: "", A: "x".repeat(1_100_000) }))), "env.A");
    assert.equal(refusedOption(() => checkCommandLine("win32", line({ A: "x".repeat(40_000) }))), "env.A");
    checkCommandLine("win32", line({ A: "x".repeat(30_000), B: "x".repeat(30_000) }));
    checkCommandLine("other", line({ A: "x".repeat(5_000_000) }));
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`V${n}`, "x".repeat(120_000)]));
    assert.match(refusedOption(() => checkCommandLine("linux", line(many))), /^env\.V\d+$/);
    const message = refusal(() => checkCommandLine("linux", line({ A: big + "secret" }))).message;
    assert.notInclude(message, "secret");
  });

  test("what stands before the CLI's own arguments counts too, and Windows counts what quoting adds", () => {
    const line = { command: "C:\\claude.exe", args: ["--verbose"] };
    const before = ["x".repeat(140_000)];
    assert.equal(refusedOption(() => checkCommandLine("linux", { ...line, before })), "executableArgs");
    const command = "/" + "x".repeat(140_000);
    assert.equal(refusedOption(() => checkCommandLine("linux", { ...line, command })), "pathToClaudeCodeExecutable");
    checkCommandLine("win32", { ...line, args: ["--model=" + "x".repeat(30_000)] });
    assert.equal(
      refusedOption(() => checkCommandLine("win32", { ...line, args: ["--model=" + '"'.repeat(17_000)] })),
      "model",
    );
    // Backslashes count twice before a quote only.
    checkCommandLine("win32", { ...line, args: ["--add-dir=" + "\\".repeat(20_000) + " x"] });
    assert.equal(
      refusedOption(() => checkCommandLine("win32", { ...line, args: ["--add-dir= " + "\\".repeat(20_000)] })),
      "additionalDirectories",
    );
  });

  test("on Windows several values that have another way leave the line to those that have none", () => {
    const text = "x".repeat(20_000);
    const options: Options = {
      disallowedTools: [`Bash(${text})`],
      plugins: [{ type: "local", path: text }],
      outputFormat: { type: "json_schema", schema: { description: text } },
      allowedTools: [`Bash(${text})`],
    };
    const made = plan(options, { platform: "win32", cliVersion: "2.1.332" });
    assert.hasAllKeys(made.initialize, ["disallowedTools", "plugins"]);
    assert.isBelow(weigh(made.args).all, 21_000);
  });
});
