/** Large and secret values with the real CLI: that they arrive, and that no command line shows them. */

import { assert } from "chai";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "../../mod.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { turn } from "../../src/testing/mod.ts";
import type { LaunchContext } from "../../src/transport/process/arguments.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { runningWith } from "../runtime/children.ts";
import { KNOWN, launch, settingsOf } from "./launched.ts";
import { makeCliHome, pinnedCli } from "./real_cli.ts";
import { Scene } from "./real_query.ts";

/** A CLI that nobody can tell the version of: what it cannot be asked to take in `initialize` travels in files. */
function unknownCli(folder: string): string {
  const path = join(folder, "claude-of-mine");
  writeFileSync(path, `#!/bin/sh\nexec '${pinnedCli().path}' "$@"\n`, { mode: 0o755 });
  return path;
}

function plugin(folder: string, name: string): { type: "local"; path: string } {
  const path = join(folder, name);
  mkdirSync(join(path, ".claude-plugin"), { recursive: true });
  writeFileSync(join(path, ".claude-plugin", "plugin.json"), JSON.stringify({ name, version: "1.0.0" }));
  return { type: "local", path };
}

/** Everything that may be large, in one session: `size` bytes each. */
async function everythingArrives(t: TestContext, size: number, context: LaunchContext): Promise<void> {
  const text = "x".repeat(size);
  // What stands in the list of tools is read by the CLI again and again, and a rule of 5 MB takes it seconds.
  const told = size > 1_000_000 ? "told" : text;
  const { home } = await makeCliHome(t);
  const settings = { companyAnnouncements: [text], cleanupPeriodDays: 7 };
  const schema = { type: "object", properties: { a: { type: "number" } }, description: told };
  const { cli, model, answer } = await launch(t, {
    agents: { large: { description: told, prompt: text } },
    disallowedTools: [`Bash(${told})`, "WebFetch"],
    // Nothing is at that place: it fails, and is listed.
    mcpServers: { web: { type: "http", url: "http://127.0.0.1:9/", headers: { Large: text } } },
    outputFormat: { type: "json_schema", schema },
    pluginDelivery: "initialize",
    plugins: [plugin(home, "mine")],
    settings,
    systemPrompt: [text, "the end of the prompt"],
    title: text,
  }, context);
  assert.equal((answer.agents as JsonObject[]).find(({ name }) => name === "large")?.description, told);
  assert.deepEqual(await settingsOf(cli, "flagSettings"), settings);
  const { mcpServers } = await cli.request("mcp_status");
  assert.deepEqual((mcpServers as JsonObject[]).map(({ name }) => name), ["web"]);
  const { state } = await cli.request("list_permission_rules");
  assert.include((state as { rules: JsonObject[] }).rules.map(({ rule }) => rule), `Bash(${told})`);
  const { system, tools } = model.requests[0]!.body as unknown as Record<string, JsonObject[]>;
  const prompt = system!.map((block) => String(block.text)).join("\n");
  assert.include(prompt, text);
  assert.include(prompt, "the end of the prompt");
  const output = tools!.find(({ name }) => name === "StructuredOutput")?.input_schema as JsonObject;
  assert.equal(output.description, told);
  const init = cli.frames.find((frame) => frame.subtype === "init");
  assert.include((init?.plugins as JsonObject[]).map(({ name }) => name), "mine");
}

export default suite("large and secret values on the real CLI", (test) => {
  for (const [size, what] of [[32 * 1024, "32 KiB"], [200 * 1024, "200 KiB"], [5_000_000, "5 MB"]] as const) {
    test(`${what} of everything that may be large arrive, by initialize`, async (t) => {
      await everythingArrives(t, size, KNOWN);
    }, { timeoutMs: 60_000 });
  }

  for (const known of [true, false]) {
    test(`no process shows a secret, ${known ? "by initialize" : "in files"}`, async (t) => {
      const secret = `s3cret-${crypto.randomUUID()}`;
      const env = { TOKEN: secret };
      const server = { command: "false", env };
      const scene = await Scene.start(t, {
        script: [turn.stall()],
        prompt: secret,
        options: (made): Options => {
          const options = made.options();
          return {
            ...known ? { managedSettings: { env } } : { pathToClaudeCodeExecutable: unknownCli(made.folders.home) },
            agents: { a: { description: secret, prompt: secret, mcpServers: [{ b: server }] } },
            env: { ...options.env, MY_TOKEN: secret },
            extraArgs: {
              "mcp-config": JSON.stringify({ mcpServers: { c: server } }),
              settings: JSON.stringify({ env }),
            },
            mcpServers: {
              a: server,
              web: { type: "http", url: "http://127.0.0.1:9/", headers: { Authorization: secret } },
            },
            planModeInstructions: secret,
            sandbox: { enabled: false, ignoreViolations: { [secret]: [secret] } },
            systemPrompt: secret,
            title: secret,
            tether: { extraEnv: { OTHER_TOKEN: secret } },
          };
        },
      });
      await scene.model.waitForRequest(1);
      const { cwd } = scene.folders;
      const own = runningWith(pinnedCli().path);
      assert.isNotEmpty(own, `the CLI runs in ${cwd}`);
      // The watchdog is started a moment after the CLI.
      await until(() => runningWith(" lifeline ").length > 0);
      assert.isEmpty(runningWith(secret).map(({ commandLine }) => commandLine));
      await scene.query.close();
    });
  }
});
