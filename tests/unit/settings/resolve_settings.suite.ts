import { assert } from "chai";
import { resolveSettingsOn } from "../../../src/settings/resolve_settings.ts";
import { MAX_SETTINGS_BYTES } from "../../../src/settings/settings_file.ts";
import { FakeMachine, type FakeMachineOptions } from "../../fixtures/fake_machine.ts";
import { OptionError } from "../../../src/core/errors/mod.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

const USER = "/home/me/.claude/settings.json";
const PROJECT = "/srv/.claude/settings.json";
const LOCAL = "/srv/.claude/settings.local.json";
const MANAGED = "/etc/claude-code/managed-settings.json";
const PART = "/etc/claude-code/managed-settings.d/";

function machine(files: Readonly<Record<string, unknown>>, options: FakeMachineOptions = {}): FakeMachine {
  return new FakeMachine({
    home: "/home/me",
    cwd: "/srv",
    ...options,
    files: Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === "string"
          ? content
          : content instanceof Uint8Array
          ? { bytes: content }
          : JSON.stringify(content),
      ]),
    ),
  });
}

export default suite("resolved settings", (test) => {
  test("stronger sources win, objects are merged, lists are joined; each key says where it comes from", async () => {
    const { effective, provenance, sources, machinePolicy, errors } = await resolveSettingsOn(machine({
      [USER]: { model: "u", env: { A: "u", B: "u" }, permissions: { allow: ["Read", "Edit"] }, fallbackModel: ["a"] },
      [PROJECT]: { env: { B: "p" }, permissions: { allow: ["Edit", "Bash"], deny: ["Read(x)"] }, fallbackModel: ["b"] },
      [LOCAL]: { language: "l" },
      [MANAGED]: { model: "m", availableModels: ["m"] },
      [`${PART}20.json`]: { outputStyle: "20", companyAnnouncements: ["20"] },
      [`${PART}10.json`]: { outputStyle: "10", companyAnnouncements: ["10", "20"] },
    }));
    assert.deepEqual(effective, {
      model: "m",
      env: { A: "u", B: "p" },
      permissions: { allow: ["Read", "Edit", "Bash"], deny: ["Read(x)"] },
      fallbackModel: ["b"],
      language: "l",
      availableModels: ["m"],
      outputStyle: "20",
      companyAnnouncements: ["10", "20"],
    });
    assert.deepEqual(provenance.permissions, { source: "project", path: PROJECT });
    assert.deepEqual(provenance.model, { source: "managed", policyOrigin: "file" });
    assert.deepEqual(sources.map(({ source, path }) => [source, path]), [
      ["user", USER],
      ["project", PROJECT],
      ["local", LOCAL],
      ["managed", undefined],
    ]);
    assert.deepEqual([machinePolicy, errors], [{ didNotLoad: false }, []]);
  });

  test("a file with an invalid value has no effect, a broken one neither, and the rest goes on", async () => {
    const { effective, sources, errors } = await resolveSettingsOn(machine({
      [USER]: { model: "u", cleanupPeriodDays: "soon" },
      [PROJECT]: '// no comments\n{"model":"p"}',
      [LOCAL]: { language: "l", permissions: { allow: ["nonsense("] } },
    }));
    assert.deepEqual(effective, { language: "l", permissions: { allow: [] } });
    assert.deepEqual(sources.map(({ source }) => source), ["local"]);
    assert.deepEqual(errors.map(({ file, path }) => [file, path]), [
      [USER, "cleanupPeriodDays"],
      [PROJECT, ""],
      [LOCAL, "permissions.allow.0"],
    ]);
    assert.notInclude(JSON.stringify(errors), "nonsense");
  });

  test("encodings, empty files, lists, folders, files that are too large", async () => {
    const utf16 = new Uint8Array([0xff, 0xfe, ...[...'{"model":"x"}'].flatMap((c) => [c.charCodeAt(0), 0])]);
    const large = JSON.stringify({ model: "x".repeat(MAX_SETTINGS_BYTES - 12) });
    const cases: readonly (readonly [content: unknown, model: string | undefined, fault: string | undefined])[] = [
      [utf16, "x", undefined],
      ['\ufeff{"model":"x"}', "x", undefined],
      ['{"model":"y","model":"x"}', "x", undefined],
      ["", undefined, undefined],
      [" \n", undefined, undefined],
      ["[]", undefined, "holds no JSON object"],
      ["null", undefined, "holds no JSON object"],
      ['{"model":"x"} x', undefined, "is no JSON"],
      [large, "x".repeat(MAX_SETTINGS_BYTES - 12), undefined],
      [`${large} `, undefined, `is larger than ${MAX_SETTINGS_BYTES} bytes`],
    ];
    for (const [content, model, fault] of cases) {
      for (const path of [USER, MANAGED]) {
        const { effective, machinePolicy, errors } = await resolveSettingsOn(machine({ [path]: content }));
        assert.strictEqual(effective.model, model);
        assert.deepEqual(errors.map(({ message }) => message), fault === undefined ? [] : [fault]);
        const isPolicy = path === MANAGED && fault !== undefined;
        assert.deepEqual(machinePolicy.didNotLoad, isPolicy ? ["file"] : false);
      }
    }
    const folder = await resolveSettingsOn(machine({ [`${USER}/x`]: "" }));
    assert.deepEqual(folder.errors.map(({ message }) => message), ["is a folder"]);
  });

  test("a pipe or a device is not opened, where one could wait for ever; the null device is an empty file", async () => {
    for (const [real, faults] of [["/run/pipe", ["is no file"]], ["/dev/null", []]] as const) {
      const host = machine({ [USER]: "", [PROJECT]: { model: "p" } });
      const { stat, realPath, readHead } = host.fs;
      host.fs.stat = (path) => path === USER ? Promise.resolve({ kind: "other", executable: false }) : stat(path);
      host.fs.realPath = (path) => path === USER ? Promise.resolve(real) : realPath(path);
      host.fs.readHead = (path, length) => path === USER ? new Promise(() => {}) : readHead(path, length);
      const { effective, errors } = await resolveSettingsOn(host);
      assert.strictEqual(effective.model, "p");
      assert.deepEqual(errors.map(({ message }) => message), faults);
    }
  });

  test("only the files that were asked for are looked at, and the folder's own only", async () => {
    const files = {
      [USER]: { model: "u" },
      [PROJECT]: { model: "p" },
      [LOCAL]: { model: "l" },
      "/x/.claude/settings.json": {},
    };
    const looked = async (options: Parameters<typeof resolveSettingsOn>[1]) => {
      const host = machine(files, { env: { CLAUDE_CONFIG_DIR: "/config" } });
      await resolveSettingsOn(host, options);
      return host.looked.filter((path) => !path.startsWith("/etc/"));
    };
    assert.deepEqual(await looked({ settingSources: [] }), []);
    assert.deepEqual(await looked({ settingSources: ["local", "user"] }), ["/config/settings.json", LOCAL]);
    assert.deepEqual(await looked({ settingSources: ["project"], cwd: "a/./b/../c/" }), [
      "/srv/a/c/.claude/settings.json",
    ]);
    assert.deepEqual(await looked({ settingSources: ["user"], configDir: "/mine" }), ["/mine/settings.json"]);
    const cowork = machine({}, { env: { CLAUDE_CODE_USE_COWORK_PLUGINS: "1" } });
    await resolveSettingsOn(cowork, { settingSources: ["user"] });
    assert.include(cowork.looked, "/home/me/.claude/cowork_settings.json");
  });

  test("each platform has its own place for managed settings", async () => {
    const places = {
      darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
      linux: MANAGED,
      win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
    } as const;
    for (const [platform, path] of Object.entries(places) as [keyof typeof places, string][]) {
      const host = machine({ [path]: { model: "m" } }, {
        platform,
        ...(platform === "win32" ? { home: "C:\\me", cwd: "D:\\srv\\." } : {}),
      });
      const { effective } = await resolveSettingsOn(host);
      assert.strictEqual(effective.model, "m", platform);
      if (platform === "win32") {
        assert.include(host.looked, "C:\\me\\.claude\\settings.json");
        assert.include(host.looked, "D:\\srv\\.claude\\settings.local.json");
      }
    }
  });

  test("parts of managed settings: in the order of their names, hidden ones and other kinds left out", async () => {
    const { effective, machinePolicy } = await resolveSettingsOn(machine({
      [`${PART}b.json`]: { model: "b" },
      [`${PART}B.json`]: { model: "B" },
      [`${PART}9.json`]: "{",
      [`${PART}.z.json`]: { model: "hidden" },
      [`${PART}z.jsonc`]: { model: "other" },
      [`${PART}z/z.json`]: { model: "deeper" },
    }));
    assert.deepEqual(effective, { model: "b" });
    assert.deepEqual(machinePolicy.didNotLoad, ["file"]);
  });

  test("a server's settings rule alone unless they let the machine's in; a host's count only by leave", async () => {
    const file = { language: "f", env: { A: "f" }, permissions: { deny: ["Bash"] }, disableRemoteControl: true };
    const of = async (options: Parameters<typeof resolveSettingsOn>[1], managed: unknown = file) => {
      const { effective, provenance } = await resolveSettingsOn(machine({ [MANAGED]: managed }), options);
      return [effective, Object.values(provenance)[0]?.policyOrigin];
    };
    const server = { model: "s", permissions: { deny: ["Edit"] } };
    assert.deepEqual(await of({ serverManagedSettings: server }), [{ ...server, env: { A: "f" } }, "remote"]);
    assert.deepEqual(await of({ serverManagedSettings: { ...server, managedSourcesBehavior: "merge" } }), [
      { ...file, model: "s", permissions: { deny: ["Edit", "Bash"] } },
      "remote",
    ]);

    const host = { model: "h", deniedModels: ["h"], permissions: { allow: ["Read"], defaultMode: "auto" as const } };
    const restrictions = { deniedModels: ["h"], permissions: { allow: ["Read"] } };
    assert.deepEqual(await of({ managedSettings: host }, {}), [restrictions, "parent"]);
    assert.deepEqual(await of({ managedSettings: host }), [file, "file"]);
    assert.deepEqual(await of({ managedSettings: host }, { ...file, parentSettingsBehavior: "merge" }), [
      {
        ...file,
        parentSettingsBehavior: "merge",
        deniedModels: ["h"],
        permissions: { allow: ["Read"], deny: ["Bash"] },
      },
      "file",
    ]);
    assert.deepEqual(await of({ managedSettings: { disableAllHooks: true } }, {}), [
      { allowManagedHooksOnly: true },
      "parent",
    ]);
  });

  test("what rights hide is named, not passed over", async () => {
    const { effective, errors, machinePolicy } = await resolveSettingsOn(
      machine({ [USER]: { model: "u" } }, { blind: true }),
    );
    assert.deepEqual(effective, {});
    assert.deepEqual(errors.map(({ message }) => message), Array(4).fill("cannot be read"));
    assert.deepEqual(machinePolicy.didNotLoad, ["file"]);

    const homeless = new FakeMachine({ cwd: "/srv", files: { [PROJECT]: '{"model":"p"}' } });
    const resolved = await resolveSettingsOn(homeless);
    assert.strictEqual(resolved.effective.model, "p");
    assert.include(resolved.errors[0]?.message, "configDir");
  });

  test("options that cannot work are refused by name", async () => {
    for (
      const [option, value] of [
        ["cwd", 7],
        ["configDir", 7],
        ["settingSources", "user"],
        [
          "managedSettings",
          "x",
        ],
        ["managedSettings", Promise.resolve({})],
        ["serverManagedSettings", new Map()],
      ] as const
    ) {
      const error = await rejectsWith(resolveSettingsOn(machine({}), { [option]: value }), OptionError);
      assert.strictEqual(error.option, option);
    }
    const misspelt = resolveSettingsOn(machine({}), { settingSources: ["user", "users" as "user"] });
    assert.strictEqual((await rejectsWith(misspelt, OptionError)).option, "settingSources[1]");
    for (const nothing of [null, 5, []]) {
      const error = await rejectsWith(resolveSettingsOn(machine({}), nothing as never), OptionError);
      assert.strictEqual(error.option, "options");
    }
  });
});
