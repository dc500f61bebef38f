import { assert } from "chai";
import { atLeast } from "../../../src/core/at_least.ts";
import type { Options, SdkPluginConfig } from "../../../src/core/options/mod.ts";
import { buildArguments, type LaunchContext, type LaunchPlan } from "../../../src/transport/process/arguments.ts";
import { refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";

const KNOWN: LaunchContext = { platform: "linux", cliVersion: "2.1.332" };
const OLD: LaunchContext = { platform: "linux", cliVersion: "2.1.240" };
const UNKNOWN: LaunchContext = { platform: "linux" };
const NO_DISK: LaunchContext = { platform: "linux", canWriteFiles: false };

const SECRET = "sk-very-secret";
const servers = { a: { command: "x", args: ["-y"], env: { TOKEN: SECRET } } };
const long = "x".repeat(200_000);

const added = ({ args }: LaunchPlan): string[] => args.slice(3);
const plan = (options: Options, context: LaunchContext): LaunchPlan => buildArguments(options, context);

/** No command line and no file name may hold it. */
function assertHidden({ args, files }: LaunchPlan): void {
  assert.notInclude(args.join("\n"), SECRET);
  assert.notInclude(files.map(({ name }) => name).join("\n"), SECRET);
}

export default suite("delivery", (test) => {
  test("servers go with initialize where the CLI is known to take them, and the prompt waits", () => {
    const made = plan({ mcpServers: servers }, KNOWN);
    assert.deepEqual(added(made), ["--await-initialize"]);
    assert.deepEqual(made.initialize, { mcpServers: servers });
    assert.isTrue(made.holdsPrompt);
    assert.isEmpty(made.files);
    assertHidden(made);
  });

  test("servers go in a private file to a CLI that is older or not known, or when argv was asked for", () => {
    for (
      const made of [
        plan({ mcpServers: servers }, OLD),
        plan({ mcpServers: servers }, UNKNOWN),
        plan({ mcpServers: servers, mcpServersDelivery: "argv" }, KNOWN),
      ]
    ) {
      assert.lengthOf(added(made), 1);
      assert.match(added(made)[0] ?? "", /^--mcp-config=\0/);
      assert.deepEqual(JSON.parse(made.files[0]?.content ?? ""), { mcpServers: servers });
      assert.deepEqual(made.initialize, {});
      assert.isFalse(made.holdsPrompt);
      assertHidden(made);
    }
  });

  test("where no file can be written, a CLI that is not known is taken to be a current one", () => {
    assert.deepEqual(plan({ mcpServers: servers }, NO_DISK).initialize, { mcpServers: servers });
    assert.deepEqual(plan({ mcpServers: servers, mcpServersDelivery: "initialize" }, UNKNOWN).initialize, {
      mcpServers: servers,
    });
    assert.equal(refusedOption(() => plan({ mcpServers: servers }, { ...OLD, canWriteFiles: false })), "mcpServers");
  });

  test("no file is written for a CLI that may not see it: another account's, or a custom spawner's", () => {
    for (const options of [{ user: "nobody" }, { spawnClaudeCodeProcess: () => ({}) as never }]) {
      const made = plan({ ...options, mcpServers: servers, settings: {} }, UNKNOWN);
      assert.isEmpty(made.files);
      assert.hasAllKeys(made.initialize, ["mcpServers", "settings"]);
    }
  });

  test("servers given as JSON text travel like others, and text that is none is refused", () => {
    const text = JSON.stringify({ mcpServers: servers });
    assert.deepEqual(plan({ mcpServers: ` ${text}` }, KNOWN).initialize, { mcpServers: servers });
    assert.equal(refusedOption(() => plan({ mcpServers: "{ nope" }, KNOWN)), "mcpServers");
    assert.equal(refusedOption(() => plan({ mcpServers: '{"mcpServers":[]}' }, KNOWN)), "mcpServers");
  });

  test("servers written out in extraArgs are as secret as others", () => {
    const extraArgs = { "mcp-config": JSON.stringify({ mcpServers: { b: servers.a } }) };
    const filed = plan({ mcpServers: servers, extraArgs }, UNKNOWN);
    assert.deepEqual(filed.files.map(({ name }) => name), ["mcp_config_0.json", "mcp_config_1.json"]);
    assertHidden(filed);
    assert.deepEqual(plan({ mcpServers: servers, extraArgs }, KNOWN).initialize, {
      mcpServers: { ...servers, b: servers.a },
    });
    assert.deepEqual(added(plan({ extraArgs: { "mcp-config": "mcp.json" } }, KNOWN)), ["--mcp-config=mcp.json"]);
    assert.equal(refusedOption(() => plan({ extraArgs: { "mcp-config": "{ nope" } }, KNOWN)), "extraArgs.mcp-config");
  });

  test("a session that talks to a URL reads no initialize at launch", () => {
    for (const options of [{ extraArgs: { "sdk-url": "ws://x" } }, { executableArgs: ["--sdk-url=ws://x"] }]) {
      const made = plan({ ...options, mcpServers: servers, mcpServersDelivery: "initialize" }, KNOWN);
      assert.lengthOf(made.files, 1);
      assert.notInclude(made.args, "--await-initialize");
    }
    assert.equal(
      refusedOption(() => plan({ executableArgs: ["--sdk-url"], managedSettings: {} }, KNOWN)),
      "managedSettings",
    );
  });

  test("settings objects and JSON text are secret too", () => {
    const settings = { env: { TOKEN: SECRET } };
    for (const given of [settings, JSON.stringify(settings)]) {
      const made = plan({ settings: given }, KNOWN);
      assert.deepEqual(added(made), ["--initialize-fields=settings", "--await-initialize"]);
      assert.deepEqual(made.initialize, { settings });
      assert.isTrue(made.holdsPrompt);
      assertHidden(made);
      const filed = plan({ settings: given }, UNKNOWN);
      assert.match(added(filed)[0] ?? "", /^--settings=\0/);
      assert.deepEqual(JSON.parse(filed.files[0]?.content ?? ""), settings);
      assert.isFalse(filed.holdsPrompt);
      assertHidden(filed);
    }
  });

  test("settings of extraArgs travel as the option does, and give way to it", () => {
    assert.deepEqual(plan({ extraArgs: { settings: '{"a":1}' } }, KNOWN).initialize, { settings: { a: 1 } });
    assert.deepEqual(plan({ extraArgs: { settings: '{"a":1}' }, settings: { b: 2 } }, KNOWN).initialize, {
      settings: { b: 2 },
    });
  });

  test("B14: a sandbox alone makes settings, and is merged into those given", () => {
    assert.deepEqual(plan({ sandbox: {} }, KNOWN).initialize, { settings: { sandbox: {} } });
    assert.deepEqual(plan({ sandbox: { enabled: true }, settings: { model: "m" } }, KNOWN).initialize, {
      settings: { model: "m", sandbox: { enabled: true, failIfUnavailable: true } },
    });
  });

  test("settings over 2 MiB, which the CLI takes from no file, go with initialize, or are refused", () => {
    const settings = { env: { A: "x".repeat(2 * 1024 * 1024) } };
    assert.deepEqual(plan({ settings }, UNKNOWN).initialize, { settings });
    assert.equal(refusedOption(() => plan({ settings }, OLD)), "settings");
  });

  test("managed settings have one way only", () => {
    const made = plan({ managedSettings: { env: { TOKEN: SECRET } } }, KNOWN);
    assert.deepEqual(added(made), ["--managed-settings-in-initialize", "--await-initialize"]);
    assert.deepEqual(made.initialize, { managedSettings: { env: { TOKEN: SECRET } } });
    assertHidden(made);
    assert.deepEqual(plan({ managedSettings: {} }, UNKNOWN).initialize, { managedSettings: {} });
    assert.equal(refusedOption(() => plan({ managedSettings: {} }, OLD)), "managedSettings");
  });

  test("plugins go on the command line, and with initialize when asked or too long", () => {
    const plugins: SdkPluginConfig[] = [
      { type: "local", path: "p" },
      { type: "local", path: "q", skipMcpDiscovery: true },
    ];
    assert.deepEqual(added(plan({ plugins }, KNOWN)), ["--plugin-dir=p", "--plugin-dir-no-mcp=q"]);
    const asked = plan({ plugins, pluginDelivery: "initialize" }, KNOWN);
    assert.deepEqual(added(asked), ["--await-initialize"]);
    assert.deepEqual(asked.initialize, { plugins: [...plugins] } as never);
    assert.property(plan({ plugins: [{ type: "local", path: long }] }, KNOWN).initialize, "plugins");
    assert.equal(refusedOption(() => plan({ plugins: [{ type: "local", path: long }] }, OLD)), "plugins");
  });

  test("a long list of forbidden tools goes with initialize, a short one as a flag", () => {
    const made = plan({ disallowedTools: [`Bash(${long})`, "Write"] }, KNOWN);
    assert.deepEqual(added(made), ["--initialize-fields=disallowedTools", "--await-initialize"]);
    assert.deepEqual(made.initialize, { disallowedTools: [`Bash(${long})`, "Write"] });
    assert.equal(refusedOption(() => plan({ disallowedTools: [`Bash(${long})`] }, OLD)), "disallowedTools");
  });

  test("a long schema goes with initialize alone, and no prompt has to wait for it", () => {
    const made = plan({ outputFormat: { type: "json_schema", schema: { description: long } } }, OLD);
    assert.deepEqual(added(made), []);
    assert.isFalse(made.holdsPrompt);
  });

  test("several things with initialize share its flags", () => {
    const made = plan(
      {
        settings: {},
        disallowedTools: [`A(${long})`],
        mcpServers: servers,
        managedSettings: {},
        extraArgs: { z: null },
      },
      KNOWN,
    );
    assert.deepEqual(added(made), [
      "--managed-settings-in-initialize",
      "--initialize-fields=disallowedTools,settings",
      "--await-initialize",
      "--z",
    ]);
    assert.hasAllKeys(made.initialize, ["settings", "disallowedTools", "mcpServers", "managedSettings"]);
  });

  test("what cannot be written as JSON is refused, and so is nothing that can", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    assert.equal(refusedOption(() => plan({ settings: circle }, KNOWN)), "settings");
    assert.equal(refusedOption(() => plan({ managedSettings: { big: 1n } }, KNOWN)), "managedSettings");
    assert.equal(
      refusedOption(() => plan({ outputFormat: { type: "json_schema", schema: circle } }, KNOWN)),
      "outputFormat.schema",
    );
    const odd = JSON.parse('{"__proto__": {"command": "x"}}');
    assert.deepEqual(Object.keys(plan({ mcpServers: odd }, KNOWN).initialize.mcpServers ?? {}), ["__proto__"]);
  });

  test("no option of 200 kB and more reaches the command line", () => {
    const made = plan({
      mcpServers: { a: { type: "http", url: `http://x/${long}`, headers: { Authorization: SECRET } } },
      systemPrompt: long,
      agents: { a: { description: long, prompt: long } },
      settings: { env: { A: long } },
    }, UNKNOWN);
    assert.isBelow(made.args.join(" ").length, 8000);
    assertHidden(made);
  });

  test("versions are compared number by number", () => {
    for (
      const [version, minimum] of [["2.1.332", "2.1.332"], ["2.2.0", "2.1.332"], ["10.0.0", "9.9.9"], [
        "2.1.332-beta",
        "2.1.332",
      ]]
    ) {
      assert.isTrue(atLeast(version ?? "", minimum ?? ""), version);
    }
    for (const [version, minimum] of [["2.1.99", "2.1.332"], ["2.1", "2.1.1"], ["", "1"], ["next", "0"]]) {
      assert.isFalse(atLeast(version ?? "", minimum ?? ""), version);
    }
  });
});
