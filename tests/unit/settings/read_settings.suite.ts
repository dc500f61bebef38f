import { assert } from "chai";
import type { JsonObject } from "../../../src/core/json.ts";
import { readSettingsObject, SETTINGS_KEY_RULES } from "../../../src/settings/read_settings.ts";
import { OFFICIAL_SETTINGS_KEYS } from "../../pins/official_settings_keys.ts";
import { suite } from "../../harness/suite.ts";

const own = (written: JsonObject) => readSettingsObject(written, "own").settings;
const managed = (written: JsonObject) => readSettingsObject(written, "managed").settings;

/** Values, and what counts of them in a person's file (undefined: nothing of that file) and in managed settings. */
const CASES: readonly (readonly [written: JsonObject, own: JsonObject | undefined, managed: JsonObject])[] = [
  // Plain values: an invalid one makes a file void, and is taken out of managed settings.
  [{ model: 7, language: "x" }, undefined, { language: "x" }],
  [{ cleanupPeriodDays: 0 }, undefined, {}],
  [{ cleanupPeriodDays: 1 }, { cleanupPeriodDays: 1 }, { cleanupPeriodDays: 1 }],
  [{ autoCompactWindow: 99_999 }, {}, {}],
  [{ fallbackModel: ["a", 7] }, undefined, {}],
  [{ tui: "wide" }, undefined, {}],
  // Choices of the interface count as not made.
  [{ theme: "pink", editorMode: "emacs", effortLevel: "max", language: "x" }, { language: "x" }, { language: "x" }],
  [{ theme: "custom:mine" }, { theme: "custom:mine" }, { theme: "custom:mine" }],
  // Guards: null leaves them out; what is invalid is up.
  [{ disableAllHooks: null }, undefined, {}],
  [{ allowManagedHooksOnly: null, enableArtifact: null }, {}, {}],
  [{ allowManagedHooksOnly: 7, enableArtifact: "x" }, undefined, {
    allowManagedHooksOnly: true,
    enableArtifact: false,
  }],
  [{ disableAutoMode: false }, undefined, {}],
  [{ disableAutoMode: "off" }, undefined, { disableAutoMode: "disable" }],
  [{ availableModels: ["a", 7] }, undefined, { availableModels: ["a"] }],
  [{ availableModels: 7 }, undefined, { availableModels: [] }],
  [{ strictPluginOnlyCustomization: "x" }, {}, { strictPluginOnlyCustomization: true }],
  [{ gatewayInternalNetworks: 7 }, { gatewayInternalNetworks: ["(unreadable)"] }, {
    gatewayInternalNetworks: ["(unreadable)"],
  }],
  // Managed keys count nowhere else.
  [{ deniedModels: ["a"], managedMcpServers: { a: { type: "http", url: "https://x" } } }, {}, {
    deniedModels: ["a"],
    managedMcpServers: { a: { type: "http", url: "https://x" } },
  }],
  // Rules: bad ones are dropped; where all that denies is lost, what allows goes too.
  [
    { permissions: { allow: ["Read", "foo"], deny: ["Bash", 7] } },
    { permissions: { allow: ["Read"], deny: ["Bash"] } },
    {
      permissions: { allow: ["Read"], deny: ["Bash"] },
    },
  ],
  [{ permissions: { allow: ["Read"], deny: ["foo"], defaultMode: "plan" } }, {
    permissions: { allow: ["Read"], deny: [], defaultMode: "plan" },
  }, { permissions: { defaultMode: "plan" } }],
  [{ permissions: { defaultMode: "manual" } }, { permissions: { defaultMode: "default" } }, {
    permissions: { defaultMode: "default" },
  }],
  [{ permissions: { defaultMode: "none", more: [1] } }, undefined, {
    permissions: { defaultMode: "default", more: [1] },
  }],
  [{ permissions: { allow: 7 } }, undefined, {}],
  [{ autoMode: { allow: ["a"], hard_deny: ["b", 7] } }, undefined, { autoMode: { hard_deny: ["b"] } }],
  // The sandbox keeps what is valid and is strict about the rest.
  [{ sandbox: { enabled: "x", network: { allowedDomains: ["a", 7], strictAllowlist: 1 }, more: 1 } }, undefined, {
    sandbox: { enabled: true, network: { allowedDomains: ["a"], strictAllowlist: true }, more: 1 },
  }],
  [{ sandbox: { credentials: { files: [{ path: "/a", mode: "mask", extract: "no group" }] } } }, undefined, {
    sandbox: { credentials: { files: [{ path: "/a", mode: "deny" }] } },
  }],
  [{ sandbox: { ripgrep: { command: "rg", more: 1 } } }, { sandbox: { ripgrep: { command: "rg" } } }, {
    sandbox: { ripgrep: { command: "rg" } },
  }],
  // Hooks: one that is none is taken out, an event nobody knows too; but not of an event that guards.
  [
    { hooks: { Stop: [{ hooks: [{ type: "command" }, { type: "command", command: "x", more: 1 }] }, 7], Never: [] } },
    { hooks: { Stop: [{ hooks: [{ type: "command", command: "x" }] }] } },
    { hooks: { Stop: [{ hooks: [{ type: "command", command: "x" }] }] } },
  ],
  [{ hooks: { PreToolUse: [{ hooks: [{ type: "command" }] }] }, language: "x" }, undefined, { language: "x" }],
  // Forms that are made into others.
  [{ env: { A: 1, B: true, C: "x" } }, { env: { A: "1", B: "true", C: "x" } }, { env: { A: "1", B: "true", C: "x" } }],
  [{ attribution: false }, { attribution: { commit: "", pr: "", sessionUrl: false } }, {
    attribution: { commit: "", pr: "", sessionUrl: false },
  }],
  [{ enabledMcpjsonServers: "one" }, { enabledMcpjsonServers: ["one"] }, {}],
  [{ allowedMarketplaces: [{ source: "github", repo: "a/b" }] }, {
    strictKnownMarketplaces: [{ source: "github", repo: "a/b" }],
  }, { strictKnownMarketplaces: [{ source: "github", repo: "a/b" }] }],
  [{ allowedMcpServers: [{ serverName: "a b" }, { serverName: "a", serverUrl: "b" }, { serverUrl: "x" }] }, {
    allowedMcpServers: [{ serverUrl: "x" }],
  }, { allowedMcpServers: [{ serverUrl: "x" }] }],
  [{ extraKnownMarketplaces: { a: { source: { source: "file", path: "x" } }, b: 7 } }, {
    extraKnownMarketplaces: { a: { source: { source: "file", path: "x" } } },
  }, { extraKnownMarketplaces: { a: { source: { source: "file", path: "x" } } } }],
  [{ extraKnownMarketplaces: { a: { source: { source: "of a newer CLI" } } } }, undefined, {}],
  // What nobody knows is nobody's business.
  [{ ofANewerCli: { a: [null] }, constructor: "x" }, { ofANewerCli: { a: [null] }, constructor: "x" }, {
    ofANewerCli: { a: [null] },
    constructor: "x",
  }],
];

export default suite("settings objects", (test) => {
  test("what counts of a value, in a person's file and in managed settings", () => {
    for (const [written, inOwn, inManaged] of CASES) {
      assert.deepEqual(own(written) as JsonObject | undefined, inOwn, `own ${JSON.stringify(written)}`);
      assert.deepEqual(managed(written) as JsonObject, inManaged, `managed ${JSON.stringify(written)}`);
    }
  });

  test("what is given is not changed, and shares nothing that a caller could change", () => {
    for (const [written] of CASES) {
      const before = structuredClone(written);
      readSettingsObject(written, "managed");
      assert.deepEqual(written, before);
    }
    const repaired = managed({ sandbox: 7 }) as { sandbox: { network: { strictAllowlist: boolean } } };
    repaired.sandbox.network.strictAllowlist = false;
    assert.nestedPropertyVal(managed({ sandbox: 7 }), "sandbox.network.strictAllowlist", true);
  });

  test("issues name the place and never the value", () => {
    const { settings, issues } = readSettingsObject({
      apiKeyHelper: 7,
      permissions: { allow: ["Read", "secret rule("], defaultMode: "secret" },
      statusLine: { type: "command" },
      hooks: { Stop: [{ hooks: [{ type: "secret" }] }] },
    }, "own");
    assert.isUndefined(settings);
    assert.deepEqual(issues.map(({ path }) => path), [
      "apiKeyHelper",
      "permissions.allow.1",
      "permissions.defaultMode",
      "statusLine.command",
      "hooks.Stop.0.hooks.0.type",
    ]);
    assert.notInclude(JSON.stringify(issues), "secret");
  });

  test("a prototype cannot be set by a file", () => {
    const written = JSON.parse('{"__proto__":{"model":"x"},"env":{"__proto__":"x","A":"1"}}');
    const settings = own(written);
    assert.isUndefined(settings?.model);
    assert.deepEqual(settings as JsonObject, { env: { A: "1" } });
  });

  test("every key of the official SDK has a rule, but those that may hold anything; there is none beside", () => {
    const known = OFFICIAL_SETTINGS_KEYS.filter((key) => key !== "sshHostCommands");
    assert.sameMembers(Object.keys(SETTINGS_KEY_RULES), known);
  });
});
