import { assert } from "chai";
import { compareBodies, RUNTIMES_OF } from "../../scripts/compare_bodies.ts";
import type { Report, ReportedBody } from "../harness/report.ts";

function body(name: string, outcome: ReportedBody["outcome"] = "passed"): ReportedBody {
  return { class: "unit", suite: "s", name, outcome };
}

/** The same report from every runtime that unit suites run on, with changes for some. */
function reports(changes: Readonly<Record<string, Partial<Report> | undefined>> = {}): Report[] {
  const plain = { version: "1", probes: [], filter: "", bodies: [body("a"), body("b")] };
  return RUNTIMES_OF.unit.flatMap((runtime) => {
    if (runtime in changes && changes[runtime] === undefined) return [];
    return [{ runtime, ...plain, ...changes[runtime] }];
  });
}

Deno.test("equal lists are equal, whatever the outcomes", () => {
  assert.deepEqual(compareBodies(reports({ bun: { bodies: [body("b", "failed"), body("a")] } }), ["unit"]), []);
});

for (
  const [what, changes, said] of [
    ["a shorter list", { bun: { bodies: [body("a")] } }, "unit on bun: 1 of 2 bodies did not run: unit/s › b"],
    ["an empty list", { bun: { bodies: [] } }, "unit on bun: 2 of 2 bodies did not run"],
    ["a body that was not reached", { bun: { bodies: [body("a"), body("b", "missing")] } }, "unit on bun: 1 of 2"],
    ["a missing report", { node20: undefined }, "unit on node20: there is no report"],
    ["a limited run", { deno: { filter: "x" } }, 'unit on deno: the run was limited to "x"'],
    [
      "a name that ran twice",
      { deno: { bodies: [body("a"), body("b"), body("b")] } },
      "unit on deno: some names ran twice",
    ],
  ] as const
) {
  Deno.test(`${what} is a fault`, () => {
    const faults = compareBodies(reports(changes), ["unit"]);
    assert.lengthOf(faults, 1);
    assert.include(faults[0], said);
  });
}

Deno.test("a longer list makes all others short", () => {
  const faults = compareBodies(reports({ bun: { bodies: [body("a"), body("b"), body("c")] } }), ["unit"]);
  assert.lengthOf(faults, RUNTIMES_OF.unit.length - 1);
});

Deno.test("lists that are empty everywhere are a fault", () => {
  const none = Object.fromEntries(RUNTIMES_OF.unit.map((runtime) => [runtime, { bodies: [] }]));
  assert.include(compareBodies(reports(none), ["unit"])[0], "unit: no body ran anywhere");
});

Deno.test("a conformance body has to run on the edge too (P01)", () => {
  const faults = compareBodies(reports(), ["conformance"]);
  assert.includeMembers(faults, [
    "conformance on workerd: there is no report",
    "conformance on chromium: there is no report",
  ]);
});
