/** What the real CLI makes of settings files, and what `resolveSettings()` says it does. */
import { assert } from "chai";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveSettings } from "../../mod.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Settings } from "../../src/core/options/mod.ts";
import { scriptedModel } from "../../src/testing/mod.ts";
import { SAMPLES } from "../fixtures/settings/settings_samples.ts";
import { suite } from "../harness/suite.ts";
import { makeCliHome, startCli } from "./real_cli.ts";

/** Ours and the CLI's names of sources. */
const SOURCES: Readonly<Record<string, string>> = {
  user: "userSettings",
  project: "projectSettings",
  local: "localSettings",
  managed: "policySettings",
};

/** Keys by which a CLI would not start here, or start something. */
const KEPT_OUT = ["sandbox", "forceLoginOrgUUID", "allowedProviders", "enabledPlugins", "extraKnownMarketplaces"];

const EVERYTHING = Object.fromEntries(Object.entries(SAMPLES).filter(([key]) => !KEPT_OUT.includes(key)));

/** Files of a folder, and whether the local one is void. */
const CASES: readonly {
  readonly user: JsonObject;
  readonly project: JsonObject;
  readonly local: JsonObject | string;
}[] = [
  {
    user: EVERYTHING,
    project: {
      permissions: { allow: ["Read", "Glob(a:*)", "nonsense"], ask: ["WebFetch(x)"], defaultMode: "manual" },
      effortLevel: "max",
      theme: "pink",
      deniedModels: ["x"],
      env: { C: 1, A: true },
      availableModels: ["y", "z"],
      fallbackModel: ["c"],
      attribution: false,
      enabledMcpjsonServers: "one",
      allowedMcpServers: [{ serverName: "not a name" }, { serverUrl: "https://v" }],
      hooks: { Stop: [{ hooks: [{ type: "command" }, { type: "command", command: "d" }] }], Never: [] },
    },
    local: { language: "l", cleanupPeriodDays: 0, statusLine: { type: "command" } },
  },
  {
    user: { hooks: { PreToolUse: [{ hooks: [{ type: "command" }] }] }, language: "u" },
    project: { language: "p" },
    local: '{"outputStyle":"default",}',
  },
];

export default suite("settings on the real CLI", (test) => {
  test("the CLI has the settings, the sources and the faults that resolveSettings() names", async (t) => {
    const model = await scriptedModel([]);
    t.cleanup(() => model.close());
    for (const { user, project, local } of CASES) {
      const folders = await makeCliHome(t);
      await mkdir(join(folders.cwd, ".claude"));
      await writeFile(join(folders.configDir, "settings.json"), JSON.stringify(user));
      await writeFile(join(folders.cwd, ".claude", "settings.json"), JSON.stringify(project));
      await writeFile(
        join(folders.cwd, ".claude", "settings.local.json"),
        typeof local === "string" ? local : JSON.stringify(local),
      );
      const managedSettings: Settings = {
        deniedModels: ["d"],
        model: "of no account",
        permissions: { deny: ["Bash(a)"] },
      };
      const cli = await startCli(t, model, {
        folders,
        args: [`--managed-settings=${JSON.stringify(managedSettings)}`],
      });
      await cli.request("initialize");
      const real = await cli.request("get_settings");
      await cli.stop();

      const ours = await resolveSettings({ cwd: folders.cwd, configDir: folders.configDir, managedSettings });
      assert.deepEqual(ours.effective as JsonObject, real["effective"] as JsonObject);
      assert.deepEqual(
        ours.sources.map(({ source, settings }) => ({ source: SOURCES[source], settings })) as unknown,
        real["sources"],
      );
      // The CLI names what makes a file void, a hook that guards twice; what it passes over in one that counts it does not.
      const counted = ours.sources.map(({ path }) => path);
      const places = (errors: unknown) =>
        (errors as { file: string; path: string }[]).filter(({ file }) => !counted.includes(file)).map((
          { file, path },
        ) => `${file} ${path}`);
      assert.includeMembers(places(real["errors"]), places(ours.errors));
      const files = (errors: readonly string[]) => [...new Set(errors.map((error) => error.split(" ")[0]))];
      assert.sameMembers(files(places(ours.errors)), files(places(real["errors"])));
    }
  });
});
