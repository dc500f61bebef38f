/** A config directory for one session: whose it is copied from, what is copied and how, and what is left when something fails. */

import { assert } from "chai";
import type { Diagnostic } from "../../../src/core/diagnostics.ts";
import { OptionError } from "../../../src/core/errors/mod.ts";
import type { Platform, Runtime } from "../../../src/core/runtime.ts";
import { configSource } from "../../../src/transport/process/config_dir/config_source.ts";
import { isolateConfig } from "../../../src/transport/process/config_dir/isolate_config.ts";
import { keychainCredentials } from "../../../src/transport/process/config_dir/keychain.ts";
import { seedConfigDir } from "../../../src/transport/process/config_dir/seed_config_dir.ts";
import { withoutPlugins, withoutRefreshTokens } from "../../../src/transport/process/config_dir/seed_contents.ts";
import { PrivateFolder } from "../../../src/transport/process/private_folder.ts";
import { FakeChild, FakeMachine, type FakeMachineOptions } from "../../fixtures/fake_machine.ts";
import { type MemoryFaults, MemoryFs } from "../../fixtures/memory_fs.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";
import { VirtualClock } from "../../harness/virtual_clock.ts";

const LOGIN = { accessToken: "access", refreshToken: "once", expiresAt: 2_000, scopes: ["user:inference"] };
const text = (value: Uint8Array | string): string =>
  typeof value === "string" ? value : new TextDecoder().decode(value);
const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

/** Seeds `/private` from a home at `/u`. */
async function seed(files: Record<string, string>, faults: MemoryFaults = {}, credentials?: Uint8Array, now = 1_000) {
  const fs = new MemoryFs({ "/private/": "", ...files }, faults);
  const before = fs.list("/u");
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (event: Diagnostic): void => void diagnostics.push(event);
  const source = { dir: "/u/.claude", stateFile: "/u/.claude.json" };
  await seedConfigDir(source, "/private", { fs, platform: "linux", onDiagnostic, credentials, now });
  assert.deepEqual(fs.list("/u"), before, "the user's own is only read");
  return { seeded: fs.list("/private"), diagnostics };
}

/** A Mac whose keychain gives an answer. */
function mac(answer: string, code = 0, options: FakeMachineOptions = {}) {
  const machine = new FakeMachine({ platform: "darwin", home: "/u", ...options });
  const asked: FakeChild[] = [];
  machine.spawn = (given) => {
    const stdout = new Blob([answer]).stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
    const child = Object.assign(new FakeChild(9, given), { stdout });
    asked.push(child);
    if (code >= 0) child.end({ code, signal: null });
    return Promise.resolve(child);
  };
  return { machine, asked };
}

/** A machine with a file system in memory. */
function machineWith(fs: MemoryFs, platform: Platform = "linux"): Runtime & { readonly exitHooks: Set<() => void> } {
  return Object.assign(new FakeMachine({ platform, home: "/u", cwd: "/host" }), { fs });
}

export default suite("private config directory", (test) => {
  test("it is copied from where the CLI would have looked", () => {
    const of = (env: Record<string, string>, platform: Platform = "linux", home?: string) =>
      configSource({ platform, homeDir: () => home }, env);
    assert.deepEqual(of({ HOME: "/h" }), { dir: "/h/.claude", stateFile: "/h/.claude.json", usual: true });
    assert.deepEqual(of({ CLAUDE_CONFIG_DIR: "/c", HOME: "/h" }), {
      dir: "/c",
      stateFile: "/c/.claude.json",
      usual: false,
    });
    assert.deepEqual(of({ CLAUDE_CONFIG_DIR: "" }, "linux", "/host"), of({ HOME: "/host" }));
    assert.deepEqual(of({ USERPROFILE: "C:\\U", HOME: "/h" }, "win32")?.dir, "C:\\U\\.claude");
    assert.isUndefined(of({ HOME: "" }));
  });

  test("settings, login, state, memory, agents and the like are copied; history, caches and plugins are not", async () => {
    const { seeded, diagnostics } = await seed({
      "/u/.claude.json": "{state}",
      "/u/.claude/.credentials.json": "{}",
      "/u/.claude/settings.json": "{}",
      "/u/.claude/settings.local.json": "x",
      "/u/.claude/CLAUDE.md": "@NOTES.md",
      "/u/.claude/NOTES.md": "notes",
      "/u/.claude/agents/deep/a.md": "agent",
      "/u/.claude/skills/s/run.sh": "#!/bin/sh",
      "/u/.claude/rules/r.md": "rule",
      "/u/.claude/commands/c.md": "command",
      "/u/.claude/output-styles/o.md": "style",
      "/u/.claude/workflows/w.js": "flow",
      "/u/.claude/projects/p/s.jsonl": "{}",
      "/u/.claude/sessions/1.key": "secret",
      "/u/.claude/plugins/installed_plugins.json": "{}",
      "/u/.claude/history.jsonl": "x",
      "/u/.claude/hooks/h.sh": "#!",
    });
    assert.deepEqual(seeded, {
      ".claude.json": "600 {state}",
      ".credentials.json": "600 {}",
      "CLAUDE.md": "600 @NOTES.md",
      "NOTES.md": "600 notes",
      "agents/": "700",
      "agents/deep/": "700",
      "agents/deep/a.md": "600 agent",
      "commands/": "700",
      "commands/c.md": "600 command",
      "output-styles/": "700",
      "output-styles/o.md": "600 style",
      "rules/": "700",
      "rules/r.md": "600 rule",
      "settings.json": "600 {}",
      "skills/": "700",
      "skills/s/": "700",
      "skills/s/run.sh": "700 #!/bin/sh",
      "workflows/": "700",
      "workflows/w.js": "600 flow",
    });
    assert.isEmpty(diagnostics);
  });

  test("links: a file's content is copied, a linked folder of settings is read, one inside stays a link", async () => {
    const files = {
      "/dots/CLAUDE.md": "memory",
      "/dots/skills/s/SKILL.md": "skill",
      "/far/big/x": "x",
      "/u/.claude/CLAUDE.md": "-> /dots/CLAUDE.md",
      "/u/.claude/skills": "-> /dots/skills",
      "/dots/skills/far": "-> /far",
      "/dots/skills/s/a.md": "-> /dots/CLAUDE.md",
      "/dots/skills/s/gone": "-> /nowhere",
    };
    const { seeded, diagnostics } = await seed(files);
    assert.deepEqual(seeded, {
      "CLAUDE.md": "600 memory",
      "skills/": "700",
      "skills/far": "-> /far",
      "skills/s/": "700",
      "skills/s/SKILL.md": "600 skill",
      "skills/s/a.md": "600 memory",
    });
    assert.deepEqual(diagnostics.map((event) => "path" in event && event.path), ["/u/.claude/skills/s/gone"]);
    const without = await seed(files, { noLinks: true });
    assert.notProperty(without.seeded, "skills/far");
    assert.deepEqual(without.diagnostics.map((event) => "path" in event && event.path).sort(), [
      "/u/.claude/skills/far",
      "/u/.claude/skills/s/gone",
    ]);
  });

  test("nothing there is no fault; what cannot be read, a folder or a pipe for a file: left out and told", async () => {
    assert.deepEqual(await seed({}), { seeded: {}, diagnostics: [] });
    const { seeded, diagnostics } = await seed({
      "/u/.claude.json": "|",
      "/u/.claude/settings.json/x": "a folder",
      "/u/.claude/CLAUDE.md": "memory",
      "/u/.claude/skills/secret/SKILL.md": "x",
      "/u/.claude/skills/pipe": "|",
      "/u/.claude/agents": "a file",
    }, { hidden: ["/u/.claude/skills/secret", "/u/.claude/CLAUDE.md"] });
    assert.deepEqual(seeded, { "skills/": "700", "skills/secret/": "700" });
    assert.sameMembers(diagnostics.map((event) => event.kind === "config_not_seeded" ? event.path : event.kind), [
      "/u/.claude.json",
      "/u/.claude/settings.json",
      "/u/.claude/CLAUDE.md",
      "/u/.claude/skills/secret",
      "/u/.claude/skills/pipe",
    ]);
    const blind = await seed({ "/u/.claude/CLAUDE.md": "memory" }, { hidden: ["/u"] });
    assert.deepEqual(blind.seeded, {});
    assert.lengthOf(blind.diagnostics, 2);
  });

  test("what breaks while it is read, or has a name that is no UTF-8, is left out and told; the rest is there", async () => {
    const fs = new MemoryFs({
      "/private/": "",
      "/u/.claude/CLAUDE.md": "memory",
      "/u/.claude/large.md": "gigabytes",
      "/u/.claude/skills/a": "skill",
    });
    const { readFile, readDir } = fs;
    fs.readFile = (path) => path.endsWith("large.md") ? Promise.reject(new Error("EIO")) : readFile.call(fs, path);
    fs.readDir = async (path) => {
      const entries = await readDir.call(fs, path);
      // As systems list bytes that are no text: nothing goes by that name.
      return entries && [...entries, { name: "\ufffd.md", kind: "file" }, { name: "\ufffd", kind: "directory" }];
    };
    const left: unknown[] = [];
    const onDiagnostic = (event: Diagnostic): void => void left.push("path" in event ? event.path : event);
    const source = { dir: "/u/.claude", stateFile: "/u/.claude.json" };
    await seedConfigDir(source, "/private", { fs, platform: "linux", onDiagnostic, now: 0 });
    assert.deepEqual(left, [
      "/u/.claude/large.md",
      "/u/.claude/skills/\ufffd.md",
      "/u/.claude/skills/\ufffd",
      "/u/.claude/\ufffd.md",
    ]);
    assert.includeMembers(Object.keys(fs.list("/private")), ["CLAUDE.md", "skills/a"]);
  });

  test("once the query is over nothing more is copied", async () => {
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`/u/.claude/skills/s${index}/a`, "x"]));
    const fs = new MemoryFs(files);
    const machine = machineWith(fs);
    let asked = 0;
    const stopped = (): boolean => ++asked > 10;
    const clock = new VirtualClock();
    const { folder } = await isolateConfig(machine, { env: {}, cwd: "/", clock, onDiagnostic: () => {}, stopped });
    const copied = Object.keys(fs.list(folder.path)).filter((path) => path.endsWith("/a"));
    assert.isAbove(copied.length, 0);
    assert.isBelow(copied.length, 10);
    await folder.remove();
    assert.deepEqual(fs.list("/tmp"), {});
  });

  test("logins go without their refresh tokens, whatever else is in the file; one that has run out is told", async () => {
    const file = { claudeAiOauth: LOGIN, mcpOAuth: { server: { accessToken: "a", refreshToken: "of the server" } } };
    const { refreshToken: _, ...kept } = LOGIN;
    const expected = { claudeAiOauth: kept, mcpOAuth: { server: { accessToken: "a" } } };
    assert.deepEqual(JSON.parse(text(withoutRefreshTokens(bytes(file)))), expected);
    assert.deepEqual(JSON.parse(text(withoutRefreshTokens(bytes("\uFEFF" + JSON.stringify(file))))), expected);
    for (
      const same of [
        "",
        "no JSON",
        "[]",
        "null",
        '{"claudeAiOauth":7,"mcpOAuth":{"a":{"accessToken":"x"},"b":1}}',
        '{ "a" : 1e400 }',
        "\uFEFF{}",
      ]
    ) {
      const given = bytes(same);
      assert.strictEqual(withoutRefreshTokens(given), given, same);
    }
    const files = { "/u/.claude/.credentials.json": JSON.stringify(file) };
    assert.isEmpty((await seed(files)).diagnostics);
    const late = await seed(files, {}, undefined, 2_000);
    assert.deepInclude(late.diagnostics[0], { kind: "config_not_seeded", path: "/u/.claude/.credentials.json" });
    assert.notInclude(JSON.stringify(late.seeded), "once");
    const chain = await seed(
      files,
      {},
      bytes({ claudeAiOauth: { accessToken: "of the keychain", refreshToken: "r" } }),
    );
    assert.deepEqual(JSON.parse(chain.seeded[".credentials.json"]!.slice(4)), {
      claudeAiOauth: { accessToken: "of the keychain" },
    });
  });

  test("settings go without plugins, their places, and a config directory for tools", () => {
    const settings = {
      model: "opus",
      enabledPlugins: { "a@b": true },
      extraKnownMarketplaces: { b: {} },
      env: { CLAUDE_CONFIG_DIR: "/elsewhere", KEPT: "1" },
    };
    assert.deepEqual(JSON.parse(text(withoutPlugins(bytes(settings)))), { model: "opus", env: { KEPT: "1" } });
    for (const same of ['{ "model": "opus", "env": { "A": "1" } }', '{ "env": 1 }', "// no JSON\n{}", "[1]"]) {
      const given = bytes(same);
      assert.strictEqual(withoutPlugins(given), given, same);
    }
  });

  test("on a Mac the login comes from the keychain, if nothing else logs in", async () => {
    const env = { USER: "me", HOME: "/u" };
    const { machine, asked } = mac(' {"claudeAiOauth":{}}\n');
    assert.strictEqual(text(await keychainCredentials(machine, env) ?? ""), '{"claudeAiOauth":{}}');
    assert.strictEqual(asked[0]?.options.command, "/usr/bin/security");
    assert.deepEqual(asked[0]?.options.args.slice(0, 3), ["find-generic-password", "-a", "me"]);
    for (
      const [machine, variables] of [
        [mac("x", 44).machine, env],
        [mac("").machine, env],
        [mac("x").machine, {}],
        [mac("x").machine, { ...env, ANTHROPIC_API_KEY: "key" }],
        [mac("x").machine, { ...env, CLAUDE_CODE_OAUTH_TOKEN: "token" }],
        [mac("x", 0, { platform: "linux" }).machine, env],
        [mac("x", 0, { mayRun: () => false }).machine, env],
        [new FakeMachine({ platform: "darwin", refuses: () => "not_found" }), env],
      ] as const
    ) assert.isUndefined(await keychainCredentials(machine, variables));
  });

  test("a keychain that asks the user and gets no answer is not waited for", async () => {
    const clock = new VirtualClock();
    const { machine, asked } = mac("", -1);
    const answer = keychainCredentials(machine, { USER: "me" }, clock);
    await clock.pass(4_999);
    assert.isEmpty(asked[0]!.signals);
    await clock.pass(1);
    assert.deepEqual(asked[0]!.signals, ["SIGKILL"]);
    assert.isUndefined(await answer);
    assert.strictEqual(clock.pending, 0);
  });

  test("made: a folder of mode 700 with the directory in it; it goes with the host, and when it is removed", async () => {
    const fs = new MemoryFs({ "/tmp/": "", "/host/rel/CLAUDE.md": "memory" });
    const machine = machineWith(fs);
    const context = { cwd: undefined, clock: new VirtualClock(), onDiagnostic: () => {} };
    const { dir, folder } = await isolateConfig(machine, { ...context, env: { CLAUDE_CONFIG_DIR: "rel" } });
    assert.deepEqual(fs.list("/tmp"), {
      "tether-launch-1/": "700",
      "tether-launch-1/config/": "700",
      "tether-launch-1/config/CLAUDE.md": "600 memory",
    });
    assert.strictEqual(dir, `${folder.path}/config`);
    for (const hook of machine.exitHooks) hook();
    assert.deepEqual(fs.list("/tmp"), {});
    await folder.remove();
    assert.strictEqual(machine.exitHooks.size, 0);
  });

  test("where it cannot be written there is an error with the cause, and nothing is left", async () => {
    for (const unwritable of ["/tmp", "/tmp/tether-launch-1/config", "/tmp/tether-launch-1/config/CLAUDE.md"]) {
      const fs = new MemoryFs({ "/tmp/": "", "/u/.claude/CLAUDE.md": "memory" }, { unwritable: [unwritable] });
      const machine = machineWith(fs);
      const context = { env: {}, cwd: undefined, clock: new VirtualClock(), onDiagnostic: () => {} };
      const error = await rejectsWith(isolateConfig(machine, context), OptionError);
      assert.strictEqual(error.option, "tether.isolateConfig");
      assert.include(String(error.cause), unwritable);
      assert.deepEqual(fs.list("/tmp"), {});
      assert.strictEqual(machine.exitHooks.size, 0);
    }
  });

  test("a folder that will not go is tried again, then told; its hook stays for the host's end", async () => {
    for (const [removals, told] of [[3, 0], [100, 1]] as const) {
      const fs = new MemoryFs({ "/tmp/": "" }, { removals });
      const machine = machineWith(fs);
      const diagnostics: Diagnostic[] = [];
      const folder = await PrivateFolder.make(machine, (event) => diagnostics.push(event));
      await Promise.all([folder.remove(), folder.remove()]);
      assert.lengthOf(diagnostics, told);
      assert.strictEqual(machine.exitHooks.size, told);
      if (told === 1) assert.deepInclude(diagnostics[0], { kind: "folder_not_removed", path: folder.path });
    }
  });
});
