import { assert } from "chai";
import { filterEscalatingDefaultMode, type ResolvedSettings, type ResolvedSettingSource } from "../../../mod.ts";
import { suite } from "../../harness/suite.ts";

const MODES = ["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto", "of a newer CLI"];

/** Which modes a source may not set. */
const REFUSED: Readonly<Record<ResolvedSettingSource, readonly string[]>> = {
  user: [],
  project: ["acceptEdits", "bypassPermissions", "auto"],
  local: ["bypassPermissions", "auto"],
  flag: [],
  managed: [],
};

function resolved(effective: string, ...sources: readonly (readonly [ResolvedSettingSource, string | undefined])[]) {
  return {
    effective: { permissions: { defaultMode: effective, allow: ["Read"] }, model: "opus" },
    sources: sources.map(([source, defaultMode]) => ({
      source,
      settings: { permissions: defaultMode === undefined ? { allow: ["Read"] } : { defaultMode } },
    })),
  } satisfies Pick<ResolvedSettings, "effective" | "sources">;
}

export default suite("the mode a project may not set", (test) => {
  test("files of a project take no mode that asks less; of the rest nothing changes", () => {
    for (const source of Object.keys(REFUSED) as ResolvedSettingSource[]) {
      for (const mode of MODES) {
        const given = resolved(mode, [source, mode]);
        const before = structuredClone(given);
        const settings = filterEscalatingDefaultMode(given);
        assert.deepEqual(given, before);
        if (REFUSED[source].includes(mode)) {
          assert.deepEqual(settings, { permissions: { allow: ["Read"] }, model: "opus" }, `${mode} of ${source}`);
        } else assert.strictEqual(settings, given.effective, `${mode} of ${source}`);
      }
    }
  });

  test("the strongest source that sets a mode is the one it comes from; no weaker one's comes in its place", () => {
    const mode = (...sources: Parameters<typeof resolved> extends [string, ...infer Rest] ? Rest : never) =>
      filterEscalatingDefaultMode(resolved("auto", ...sources)).permissions?.defaultMode;
    assert.strictEqual(mode(["user", "auto"], ["project", undefined]), "auto");
    assert.strictEqual(mode(["user", "plan"], ["project", "auto"]), undefined);
    assert.strictEqual(mode(["project", "auto"], ["managed", "auto"]), "auto");
    assert.strictEqual(mode(["project", "auto"], ["managed", undefined]), undefined);
    assert.strictEqual(mode(), "auto");
  });

  test("a source by the name of something every object has is an unknown one", () => {
    for (const source of ["constructor", "__proto__", "toString"]) {
      const effective = { permissions: { defaultMode: "auto" } } as const;
      const sources = [{ source: source as "user", settings: effective }];
      assert.strictEqual(filterEscalatingDefaultMode({ effective, sources }), effective);
    }
  });

  test("settings without rules or a mode are returned as they are", () => {
    for (const effective of [{}, { permissions: {} }, { model: "opus" }]) {
      assert.strictEqual(filterEscalatingDefaultMode({ effective, sources: [] }), effective);
    }
  });
});
