/** `tether.isolateConfig` on the real CLI: what a session in a directory of its own has, and what is left of it. */

import { assert } from "chai";
import { spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Diagnostic, type Options, type Query, query, type SDKMessage } from "../../mod.ts";
import { type ScriptedModel, scriptedModel, turn } from "../../src/testing/mod.ts";
import type { QueryTask, QueryWord } from "../fixtures/process/query_host.ts";
import { ownRunArguments } from "../harness/run_program.ts";
import { rejection } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { killWith, newMark, runningWith } from "../runtime/children.ts";
import { processFixture } from "../runtime/host_process.ts";
import { cliEnvFor, type CliHome, makeCliHome, pinnedCli } from "./real_cli.ts";

const REFRESH = "sk-ant-ort01-can-be-used-once";
const ACCESS = "sk-ant-oat01-of-the-user";

/** Fills a user's home: an account, settings, memory, and one of each kind of thing the CLI finds there. */
function fillHome({ home, configDir, cwd }: CliHome): void {
  const files: Record<string, string> = {
    ".credentials.json": JSON.stringify({
      claudeAiOauth: {
        accessToken: ACCESS,
        refreshToken: REFRESH,
        expiresAt: Date.now() + 8 * 3_600_000,
        scopes: ["user:inference", "user:profile"],
        subscriptionType: "max",
      },
    }),
    "settings.json": JSON.stringify({ outputStyle: "odd", enabledPlugins: { "p@m": true } }),
    "CLAUDE.md": "MEMORY-OF-THE-USER\n@NOTES.md\n",
    "NOTES.md": "NOTES-OF-THE-USER",
    "rules/one.md": "RULE-OF-THE-USER",
    "agents/deep/scout.md": "---\nname: scout\ndescription: looks around\n---\nLook.",
    "skills/knit/SKILL.md": "---\nname: knit\ndescription: knits\n---\nKnit.",
    "commands/greet.md": "Greet me.",
    "output-styles/odd.md": "---\nname: odd\ndescription: odd\n---\nSTYLE-OF-THE-USER",
    "projects/-old/00000000-0000-4000-8000-000000000000.jsonl": "{}\n",
  };
  for (const [name, text] of Object.entries(files)) write(join(configDir, name), text);
  write(join(home, "linked", "SKILL.md"), "---\nname: weave\ndescription: weaves\n---\nWeave.");
  symlinkSync(join(home, "linked"), join(configDir, "skills", "weave"));
  const servers = { mine: { type: "stdio", command: "/bin/false", args: [] } };
  write(
    join(home, ".claude.json"),
    JSON.stringify({
      hasCompletedOnboarding: true,
      oauthAccount: { accountUuid: "11111111-1111-4111-8111-111111111111", emailAddress: "me@example.org" },
      mcpServers: servers,
      projects: { [cwd]: { hasTrustDialogAccepted: true, mcpServers: { local: servers.mine } } },
    }),
  );
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Every file of a folder with its mode and content. */
function picture(folder: string): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const facts = lstatSync(join(folder, name));
    seen[name] = `${facts.mode.toString(8)} ${facts.isFile() ? readFileSync(join(folder, name), "latin1") : ""}`;
  }
  return seen;
}

/** The folders made for sessions that are there now. */
function made(temp = tmpdir()): string[] {
  return readdirSync(temp).filter((name) => name.startsWith("tether-launch-")).map((name) =>
    join(temp, name, "config")
  );
}

/** Options with the user's home and none of the environment's own logins. */
function optionsFor(model: ScriptedModel, folders: CliHome): Options {
  const { ANTHROPIC_API_KEY: _key, CLAUDE_CONFIG_DIR: _dir, ...env } = cliEnvFor(model, folders);
  return { pathToClaudeCodeExecutable: pinnedCli().path, cwd: folders.cwd, env, tether: { isolateConfig: true } };
}

/** The first message of a query. */
async function init(running: Query): Promise<Extract<SDKMessage, { type: "system"; subtype: "init" }>> {
  const { value } = await running.next();
  assert.deepInclude(value, { type: "system", subtype: "init" });
  return value as Extract<SDKMessage, { type: "system"; subtype: "init" }>;
}

/** A host that runs such a query, with a temp folder of its own. */
function startHost(t: TestContext, task: QueryTask) {
  const temp = mkdtempSync(join(tmpdir(), "tether-isolated-"));
  t.cleanup(() => rmSync(temp, { recursive: true, force: true, maxRetries: 5 }));
  const kept = ["PATH", "DENO_DIR", "HOME"].map((name) => [name, process.env[name] ?? ""]);
  const env = { ...Object.fromEntries(kept), TMPDIR: temp, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const args = [...ownRunArguments(processFixture("query_host")), JSON.stringify(task)];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const words: QueryWord[] = [];
  child.stdout.on("data", (chunk) => {
    for (const line of String(chunk).trim().split("\n")) words.push(JSON.parse(line) as QueryWord);
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  t.cleanup(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  return { temp, words, closed, kill: () => child.kill("SIGKILL") };
}

export default suite("private config directories on the real CLI", (test) => {
  test("two sessions side by side have all that is the user's, each in a directory of its own; nothing is left", async (t) => {
    const folders = await makeCliHome(t);
    fillHome(folders);
    const before = picture(folders.configDir);
    const state = readFileSync(join(folders.home, ".claude.json"), "utf8");
    const diagnostics: Diagnostic[] = [];
    const held = (text: string) => scriptedModel([turn.stall({ then: turn.text(text) })]);
    const models = [await held("one"), await held("two")];
    for (const model of models) t.cleanup(() => model.close());
    const queries = models.map((model) => {
      const options = optionsFor(model, folders);
      const tether = { ...options.tether, onDiagnostic: (event: Diagnostic) => void diagnostics.push(event) };
      const running = query({ prompt: "hi", options: { ...options, tether } });
      t.cleanup(() => running.close());
      return running;
    });
    const inits = await Promise.all(queries.map(init));
    const dirs = made();
    assert.lengthOf(dirs, 2);
    for (const dir of dirs) {
      assert.strictEqual(lstatSync(dir).mode & 0o777, 0o700);
      assert.strictEqual(lstatSync(join(dir, ".credentials.json")).mode & 0o777, 0o600);
      assert.notInclude(JSON.stringify(picture(dir)), REFRESH);
      assert.notProperty(JSON.parse(readFileSync(join(dir, "settings.json"), "utf8")), "enabledPlugins");
    }
    for (const { agents, skills, slash_commands, output_style, mcp_servers } of inits) {
      assert.include(agents, "scout");
      assert.includeMembers([...skills], ["knit", "weave"]);
      assert.include(slash_commands, "greet");
      assert.strictEqual(output_style, "odd");
      assert.includeMembers(mcp_servers.map(({ name }) => name), ["mine", "local"]);
    }
    for (const model of models) {
      await model.waitForStall();
      model.release();
    }
    for (const running of queries) {
      for await (const message of running) if (message.type === "result") assert.isFalse(message.is_error);
    }
    for (const model of models) {
      const [request] = model.requests;
      assert.strictEqual(request?.headers["authorization"], `Bearer ${ACCESS}`);
      const sent = JSON.stringify(request?.body);
      for (const words of ["MEMORY", "NOTES", "RULE", "STYLE"]) assert.include(sent, `${words}-OF-THE-USER`);
    }
    assert.isEmpty(made());
    assert.deepEqual(picture(folders.configDir), before, "byte for byte");
    assert.strictEqual(readFileSync(join(folders.home, ".claude.json"), "utf8"), state);
    assert.isEmpty(diagnostics.filter(({ kind }) => kind === "config_not_seeded" || kind === "folder_not_removed"));
  });

  test("a CLI that does not start leaves no directory, nor does a spawner that throws, or a query closed at once", async (t) => {
    const folders = await makeCliHome(t);
    fillHome(folders);
    const model = await scriptedModel([]);
    t.cleanup(() => model.close());
    const options = optionsFor(model, folders);
    const broken = join(folders.home, "claude");
    writeFileSync(broken, "#!/no/such/interpreter\n", { mode: 0o755 });
    let seen: readonly string[] = [];
    const spawner = (): never => {
      seen = made();
      throw new Error("mine");
    };
    for (const more of [{ pathToClaudeCodeExecutable: broken }, { spawnClaudeCodeProcess: spawner }]) {
      await rejection(query({ prompt: "hi", options: { ...options, ...more } }).next());
      assert.isEmpty(made());
    }
    assert.lengthOf(seen, 1);
    const closed = query({ prompt: "hi", options });
    const first = closed.next();
    await until(() => made().length > 0);
    await closed.close();
    assert.deepEqual(await first, { done: true, value: undefined });
    assert.isEmpty(made());
  });

  test("a host that is killed in mid-turn leaves neither CLI nor directory; nor does one that exits", async (t) => {
    const folders = await makeCliHome(t);
    fillHome(folders);
    const ends = [false, true].map(async (exits) => {
      const model = await scriptedModel([turn.stall()]);
      t.cleanup(() => model.close());
      const mark = newMark();
      t.cleanup(() => killWith(mark));
      // A path stays on the command line, where processes are looked for.
      const marked = join(folders.home, mark);
      mkdirSync(marked);
      const options = { ...optionsFor(model, folders), additionalDirectories: [marked] };
      const host = startHost(t, { options, exits });
      await until(() => host.words.length > 0);
      assert.deepEqual(host.words, [{ message: "system" }]);
      const cli = (): number => runningWith(`--add-dir=${marked}`).length;
      if (!exits) {
        const [dir] = made(host.temp);
        assert.isTrue(existsSync(join(dir!, ".credentials.json")));
        assert.strictEqual(cli(), 1);
        // The watchdog is started a moment after the CLI; by then it is there.
        await model.waitForRequest(1);
        host.kill();
      }
      await host.closed;
      // The CLI writes there once more as it leaves; what it made then goes as well.
      await until(() => cli() === 0 && readdirSync(host.temp).length === 0);
    });
    await Promise.all(ends);
  }, { timeoutMs: 60_000 });
});
