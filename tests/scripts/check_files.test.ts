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
    ["src/core/x.ts", "/** Reads it (spec SESSIONS §4.3). */", "a page that is not in the repository"],
    ["src/core/x.ts", "/** The frames (spec: PROTOCOL §2). */", "a page that is not in the repository"],
    ["src/core/x.ts", "// as in spec H02–H05", "a page that is not in the repository"],
    ["tests/unit/x.suite.ts", 'assert.ok(a, "never alone (row 40)");', "a row of a list"],
    ["tests/unit/x.suite.ts", "`is a deny (rows 61, 62, J07)`", "a row of a list"],
    ["tests/unit/x.suite.ts", 'test("it says libc (A07, row 1)", f);', "a row of a list"],
    ["tests/unit/x.suite.ts", 'test("46 48 a hook that fails", f);', "a number that is no amount: 46 48"],
    ["tests/unit/x.suite.ts", 'test("69 several labels", f);', "a number that is no amount: 69"],
    ["tests/unit/x.suite.ts", "test(`L21 L27 74 75 ${way}`, f);", "a number that is no amount: 74"],
    ["tests/unit/x.suite.ts", 'test(\n  "76 tuples are written",\n  f,\n);', "a number that is no amount: 76"],
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
  for (
    const name of ["200 queries at once", "L14 50 tool calls", "32 KiB of rules", "5,000 requests", "H12 M30 it holds"]
  ) {
    assert.deepEqual(faults("tests/unit/x.suite.ts", `test("${name}", f);`), [], name);
  }
  assert.deepEqual(faults("src/core/x.ts", "/** What holds (behaviours H02–H05, I02): a spec of §2. */"), []);
});

Deno.test("a long file is a warning before it is a fault", () => {
  const text = "\n".repeat(LINE_LIMITS.soft + 1);
  const { errors, warnings } = checkFiles([{ path: "src/core/x.ts", text }]);
  assert.deepEqual(errors, []);
  assert.lengthOf(warnings, 1);
});
