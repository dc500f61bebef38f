/** What the command line and `initialize` of a launch plan do to the real CLI, driven by plain lines. */
import { assert } from "chai";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkInitializeAnswer } from "../../src/client/initialize.ts";
import { isJsonObject, type JsonObject } from "../../src/core/json.ts";
import type { Options } from "../../src/core/options/mod.ts";
import { splitRules } from "../../src/core/options/permission_rules.ts";
import { scriptedModel } from "../../src/testing/mod.ts";
import { suite } from "../harness/suite.ts";
import { launch, type Launched, settingsOf, UNKNOWN } from "./launched.ts";
import { type CliRun, makeCliHome, startCli } from "./real_cli.ts";

/** Nothing answers there: the server fails, and is listed. */
const servers = { web: { type: "http", url: "http://127.0.0.1:9/", headers: { Authorization: "secret" } } } as const;

/** The rules the session has from its command line. */
async function rules(cli: CliRun, behavior: string): Promise<string[]> {
  const { state } = await cli.request("list_permission_rules");
  const list = isJsonObject(state) && Array.isArray(state.rules) ? state.rules as JsonObject[] : [];
  return list.filter((rule) => rule.source === "cliArg" && rule.behavior === behavior).map((rule) => String(rule.rule));
}

async function serverNames(cli: CliRun): Promise<string[]> {
  const { mcpServers } = await cli.request("mcp_status");
  return (mcpServers as JsonObject[]).map(({ name }) => String(name));
}

const initOf = ({ cli }: Launched): JsonObject => cli.frames.find((frame) => frame.subtype === "init") ?? {};

export default suite("launch options on the real CLI", (test) => {
  test("rules come back as they were given, commas and all", async (t) => {
    const allowedTools = ["Bash(git log, status)", "Read(//a b/**)", "mcp__a__b", 'Bash(echo "x,y")'];
    const disallowedTools = ["WebFetch(domain:a.com)", "Bash(rm, mv)"];
    const { cli } = await launch(t, { allowedTools, disallowedTools });
    assert.deepEqual(await rules(cli, "allow"), allowedTools);
    assert.deepEqual(await rules(cli, "deny"), disallowedTools);
  });

  test("the CLI splits lists as we take it to", async (t) => {
    const lists = ["A B,C", "D(x, y)z  ,  E", "F(a) g, H", "I(open, J", "K(a ) l, m)", " N(o)", "P[q, r]", "S(t)\tU"];
    const folders = await makeCliHome(t);
    const model = await scriptedModel([]);
    t.cleanup(() => model.close());
    const cli = await startCli(t, model, { args: lists.map((list) => `--allowedTools=${list}`), folders });
    await cli.request("initialize");
    assert.deepEqual(await rules(cli, "allow"), lists.flatMap(splitRules));
  });

  test("what must not be on the command line arrives with initialize, all at once", async (t) => {
    const options: Options = {
      mcpServers: servers,
      settings: { env: { TOKEN: "secret" }, cleanupPeriodDays: 7 },
      managedSettings: { permissions: { deny: ["WebFetch"] } },
      disallowedTools: [`Bash(${"x".repeat(40_000)})`, "Bash(a, b)"],
    };
    const launched = await launch(t, options);
    const { cli, plan, answer } = launched;
    assert.isEmpty(plan.files);
    assert.notInclude(plan.args.join(), "secret");
    assert.isEmpty(checkInitializeAnswer(options, plan.initialize, answer));
    assert.deepEqual(await settingsOf(cli, "flagSettings"), options.settings);
    assert.deepEqual(await settingsOf(cli, "policySettings"), options.managedSettings);
    assert.deepEqual(await serverNames(cli), ["web"]);
    assert.include(await rules(cli, "deny"), "Bash(a, b)");
  });

  test("the same arrives in private files", async (t) => {
    const options: Options = { mcpServers: servers, settings: { cleanupPeriodDays: 7 }, strictMcpConfig: true };
    const { cli, plan } = await launch(t, options, UNKNOWN);
    assert.lengthOf(plan.files, 2);
    assert.deepEqual(plan.initialize, {});
    assert.deepEqual(await settingsOf(cli, "flagSettings"), options.settings);
    assert.deepEqual(await serverNames(cli), ["web"]);
  });

  test("a CLI that was not told to wait takes nothing, and the check says so", async (t) => {
    const folders = await makeCliHome(t);
    const model = await scriptedModel([]);
    t.cleanup(() => model.close());
    const cli = await startCli(t, model, { folders });
    const answer = await cli.request("initialize", { mcpServers: servers as unknown as JsonObject, settings: {} });
    assert.lengthOf(checkInitializeAnswer({}, { mcpServers: {} }, answer), 1);
    assert.throws(() => checkInitializeAnswer({}, { settings: {} }, answer), "settings");
  });

  test("plugins load either way", async (t) => {
    const { home } = await makeCliHome(t);
    const path = join(home, "my plugin");
    await mkdir(join(path, ".claude-plugin"), { recursive: true });
    await writeFile(join(path, ".claude-plugin", "plugin.json"), JSON.stringify({ name: "mine", version: "1.0.0" }));
    for (const pluginDelivery of ["argv", "initialize"] as const) {
      const launched = await launch(t, { plugins: [{ type: "local", path }], pluginDelivery });
      assert.include((initOf(launched).plugins as JsonObject[]).map(({ name }) => name), "mine", pluginDelivery);
    }
  });

  test("the CLI takes every flag in its bound form", async (t) => {
    const { home } = await makeCliHome(t);
    const launched = await launch(t, {
      additionalDirectories: [home, "--evil"],
      agent: "Explore",
      betas: ["context-1m-2025-08-07"],
      canUseTool: () => Promise.resolve(null),
      debugFile: join(home, "debug log"),
      effort: "low",
      fallbackModel: "haiku",
      forkSession: true,
      includeHookEvents: true,
      includePartialMessages: true,
      maxBudgetUsd: 0.5,
      maxTurns: 3,
      model: "sonnet",
      outputFormat: { type: "json_schema", schema: { type: "object" } },
      permissionMode: "plan",
      permissionPrompts: "host",
      persistSession: false,
      projectConfigRoot: home,
      sandbox: { enabled: false },
      sessionId: "5b3c2f10-9b7a-4c7f-8f43-4b1d5f2c7e11",
      settingSources: [],
      skills: "all",
      strictMcpConfig: true,
      taskBudget: { total: 20_000 },
      thinking: { type: "adaptive", display: "summarized" },
      tools: ["Read", "Bash"],
    });
    const init = initOf(launched);
    assert.deepInclude(init, { session_id: "5b3c2f10-9b7a-4c7f-8f43-4b1d5f2c7e11", permissionMode: "plan" });
    assert.includeMembers(init.tools as string[], ["Read", "Bash"]);
    assert.notInclude(init.tools as string[], "Write");
  });

  test("a file's system prompt is used, and an unset one is empty", async (t) => {
    const { home } = await makeCliHome(t);
    await writeFile(join(home, "prompt.md"), "from the file");
    const system = ({ model }: Launched): string => JSON.stringify(model.requests[0]?.body.system);
    const filed = await launch(t, { systemPrompt: { type: "file", path: join(home, "prompt.md") } });
    assert.include(system(filed), "from the file");
    const preset = await launch(t, { systemPrompt: { type: "preset", preset: "claude_code", append: "and more" } });
    assert.include(system(preset), "and more");
    const unset = await launch(t, {});
    assert.isBelow(system(unset).length, 1000);
  });

  test("a schema of 200 kB arrives by initialize alone", async (t) => {
    const schema = { type: "object", properties: { a: { type: "number" } }, description: "x".repeat(200_000) };
    const { model, plan } = await launch(t, { outputFormat: { type: "json_schema", schema } });
    assert.notInclude(plan.args.join(), "--json-schema");
    const tools = model.requests[0]?.body.tools as JsonObject[];
    const tool = tools.find(({ name }) => name === "StructuredOutput");
    assert.deepEqual((tool?.input_schema as JsonObject).properties, schema.properties as unknown as JsonObject);
  });
});
