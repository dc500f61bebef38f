import { assert } from "chai";
import { checkFiles, LINE_LIMITS } from "../../scripts/check_files.ts";

function faults(path: string, text: string, registry?: string): readonly string[] {
  return checkFiles([{ path, text }], registry).errors;
}

/** Put together here, so that this file has none of the faults it shows. */
const FAULT = {
  folder: ["", "work", "shared", "plan.md"].join("/"),
  registry: ["registry", "npmjs", "org"].join("."),
  open: ["TO", "DO"].join(""),
  only: ["test", "only"].join("."),
};

for (
  const [path, text, what] of [
    ["src/core/x.ts", `// see ${FAULT.folder}`, "a path of a machine"],
    ["tests/unit/x.suite.ts", 'const home = "/root/.claude";', "a path of a machine"],
    ["src/core/x.ts", 'const dir = "/tmp/x";', "a path of a machine"],
    ["docs/guide/x.md", "/home/ada/project", "a path of a machine"],
    ["deno.lock", `"tarball": "https://${FAULT.registry}/x.tgz"`, "a package registry's host"],
    ["docs/x.md", "https://packages.example.org/npm/", "the host packages were installed from"],
    ["src/core/x.ts", 'import "jsr:@std/assert";', "a JSR specifier"],
    ["src/core/x.ts", `// ${FAULT.open} later`, "an open end"],
    ["src/core/x.ts", "// @ts-ignore", "a type check switched off"],
    ["src/core/x.ts", "// deno-lint-ignore-file", "a lint rule switched off"],
    ["tests/unit/x.suite.ts", `${FAULT.only}('x', f);`, "a test that is switched off"],
    ["src/core/x.ts", "// see issue #12", "an issue number"],
    ["src/core/utils.ts", "", "a file is named after what it exports"],
    ["src/core/lineSplitter.ts", "", "snake_case"],
    ["src/core/x.ts", "\n".repeat(LINE_LIMITS.hard + 1), "501 lines, 500 at most"],
  ] as const
) {
  Deno.test(`a fault in ${path}: ${text.trim().slice(0, 50) || what}`, () => {
    const found = faults(path, text, "packages.example.org");
    assert.lengthOf(found, 1);
    assert.include(found[0], what);
  });
}

Deno.test("what is none", () => {
  assert.deepEqual(faults("tests/unit/x.suite.ts", 'const cwd = "/home/ada/project"; const t = "/tmp/x";'), []);
  assert.deepEqual(faults("src/core/x.ts", 'import "../home/x.ts"; const url = "https://example.com/root/x";'), []);
  assert.deepEqual(faults("src/core/x.ts", "class X { #1234; }"), []);
  assert.deepEqual(faults("README.md", "\n".repeat(900)), []);
});

Deno.test("a long file is a warning before it is a fault", () => {
  const text = "\n".repeat(LINE_LIMITS.soft + 1);
  const { errors, warnings } = checkFiles([{ path: "src/core/x.ts", text }]);
  assert.deepEqual(errors, []);
  assert.lengthOf(warnings, 1);
});
