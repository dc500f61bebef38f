import { assert } from "chai";
import { join } from "node:path";
import { parseArguments, UsageError } from "../../bench/arguments.ts";
import { buildCPrograms } from "../../bench/c_programs.ts";
import { planOf } from "../../bench/collect.ts";
import { readOutcome } from "../../bench/launch.ts";
import { MEASURES } from "../../bench/measures.ts";
import { withResults } from "../../bench/page.ts";
import type { Figure, Measure, RunRecord, Side } from "../../bench/plan.ts";
import { combined, isBeaten, rowOf, spreadOf } from "../../bench/ratios.ts";
import { drawTables, drawVerdicts, numberText } from "../../bench/table.ts";
import { judge, TARGETS } from "../../bench/targets.ts";
import { ROOT } from "../../scripts/root.ts";
import { runCommand } from "../../scripts/run_command.ts";

const NAMES = MEASURES.map(({ name }) => name);
const MS: Figure = { key: "ms", title: "time, ms", better: "less" };
const RATE: Figure = { key: "ms", title: "calls per second", better: "more" };

/** One run of a case "c" on Node. */
function run(side: Side, round: number, ms: number, way = ""): RunRecord {
  return { measure: "m", cases: ["c"], runtime: "node", side, way, round, figures: { ms } };
}

Deno.test("a spread is the median with the least and the most", () => {
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, least: 1, most: 3, count: 3 });
  assert.deepEqual(spreadOf([4, 1, 2, 3]), { median: 2.5, least: 1, most: 4, count: 4 });
  assert.isUndefined(spreadOf([]));
});

Deno.test("a ratio is the median of the rounds' ratios, not the ratio of medians", () => {
  const records = [
    ...[run("tether", 1, 10), run("raw", 1, 10), run("tether", 2, 20), run("raw", 2, 10)],
    ...[run("tether", 3, 90), run("raw", 3, 30)],
  ];
  const { tether, raw, tetherByRaw, tetherLessRaw } = rowOf(MS, "c", "node", records);
  assert.deepEqual([tether?.median, raw?.median], [20, 10]);
  assert.deepEqual(tetherByRaw, { median: 2, least: 1, most: 3, count: 3 });
  assert.deepEqual(tetherLessRaw, { median: 10, least: 0, most: 60, count: 3 });
});

Deno.test("a round in which one side failed makes no ratio", () => {
  const failed: RunRecord = {
    ...{ measure: "m", cases: ["c"], runtime: "node", side: "raw", way: "", round: 2 },
    error: "exit code 1",
  };
  const records = [run("tether", 1, 10), run("raw", 1, 5), run("tether", 2, 99), failed];
  assert.deepEqual(rowOf(MS, "c", "node", records).tetherByRaw, { median: 2, least: 2, most: 2, count: 1 });
});

Deno.test("nothing by nothing is no ratio", () => {
  assert.isUndefined(combined(new Map([[1, 0]]), new Map([[1, 0]]), (a, b) => a / b));
  assert.isUndefined(combined(undefined, new Map([[1, 1]]), (a, b) => a / b));
});

Deno.test("the limit is the raw way with the best median, whichever way is better", () => {
  const records = [
    run("raw", 1, 8, "text"),
    run("raw", 1, 9, "bytes"),
    run("raw", 2, 30, "text"),
    run("raw", 2, 9, "bytes"),
  ];
  assert.equal(rowOf(MS, "c", "node", records).way, "bytes");
  assert.equal(rowOf(RATE, "c", "node", records).way, "text");
});

Deno.test("a raw way is given up when even its best run is worse than another's median", () => {
  const records = [run("raw", 1, 10, "a"), run("raw", 1, 12, "b"), run("raw", 2, 11, "a"), run("raw", 2, 10.2, "b")];
  const cell = { side: "raw", runtime: "node", cases: ["c"], way: "b" } as const;
  assert.isFalse(isBeaten(cell, MS, records), "its best run is as good as the other's");
  assert.isFalse(isBeaten(cell, MS, [run("raw", 1, 10, "a"), run("raw", 1, 99, "b")]), "one run is no chance");
  const worse = records.map((record) => record.way === "b" ? run("raw", record.round, 20, "b") : record);
  assert.isTrue(isBeaten(cell, MS, worse));
  assert.isFalse(isBeaten({ ...cell, way: "a" }, MS, worse));
  assert.isFalse(isBeaten({ ...cell, side: "tether" }, MS, worse));
  assert.isTrue(isBeaten({ ...cell, way: "a" }, RATE, worse), "more is better there");
});

Deno.test("every target names a measure, a case and a figure that there are", () => {
  const setting = { size: "full", peer: true } as const;
  for (const target of TARGETS) {
    const measure = MEASURES.find(({ name }) => name === target.measure);
    assert.exists(measure, target.measure);
    assert.include(measure!.figures.map(({ key }) => key), target.figure);
    assert.include(measure!.cells("deno", setting).flatMap(({ cases }) => cases), target.case);
  }
});

Deno.test("a target is judged by the median of what it is about", () => {
  const figure = MEASURES.find(({ name }) => name === "throughput")!.figures[0]!;
  const rowWith = (ms: number) =>
    rowOf(figure, "200 × 1 MB", "node", [
      { ...run("tether", 1, ms), cases: ["200 × 1 MB"] },
      { ...run("raw", 1, 100), cases: ["200 × 1 MB"] },
    ]);
  assert.isTrue(judge("throughput", rowWith(125))?.met);
  assert.isFalse(judge("throughput", rowWith(126))?.met);
  assert.isUndefined(judge("importing", rowWith(125)));
});

Deno.test("a target against a side that did not run is neither met nor shown as judged", () => {
  const { name, figures } = MEASURES.find(({ name }) => name === "many_queries")!;
  const records = [{ ...run("tether", 1, 5), measure: name, cases: ["50 × 500 × 1 KB"] }];
  const verdict = judge(name, rowOf(figures[0]!, "50 × 500 × 1 KB", "node", records));
  assert.isUndefined(verdict?.value);
  assert.isFalse(verdict?.met);
  assert.equal(drawVerdicts(MEASURES, records), "");
});

Deno.test("a table shows medians, spreads, ratios and failures, and no column without a word in it", () => {
  const measure: Measure = {
    ...{ name: "m", title: "Title", about: "About.", rounds: "every", figures: [MS] },
    cells: () => [],
    details: () => "Details.",
  };
  const failed: RunRecord = { ...run("tether", 3, 0), error: "exit code 1" };
  delete (failed as { figures?: unknown }).figures;
  const records = [
    run("tether", 1, 1234),
    run("tether", 2, 10),
    run("raw", 1, 617, "w"),
    run("raw", 2, 10, "w"),
    failed,
  ];
  assert.equal(
    drawTables([measure], records),
    [
      ...["### Title", "", "About.", "", "**time, ms**", ""],
      "| runtime | limit | Tether | Tether ÷ limit |",
      "| --- | --- | --- | --- |",
      "| node | 314 (10–617) w | 622 (10–1,234) | 1.50 (1.00–2.00) |",
      ...["", "Details.", "", "Failed: c, node, tether (1)."],
    ].join("\n"),
  );
});

Deno.test("numbers have three digits that count, and thousands are set apart", () => {
  assert.deepEqual([0, 0.123, 1.005, 12.34, 123.4, 1234.5, 1234567].map(numberText), [
    ...["0", "0.12", "1.00", "12.3", "123", "1,235", "1,234,567"],
  ]);
});

Deno.test("arguments: sizes, rounds, runtimes and measures", () => {
  const none = parseArguments([], NAMES);
  assert.deepInclude(none, { size: "full", peer: false, rounds: 7, node: "22", out: "last", writeDocs: false });
  assert.deepEqual(none.only, NAMES);
  assert.deepEqual(none.runtimes, ["deno", "bun", "node"]);
  const some = parseArguments(["--quick", "--peer", "--only", "leaks,throughput", "--runtimes", "node,deno"], NAMES);
  assert.deepInclude(some, { size: "quick", peer: true, rounds: 3 });
  assert.deepEqual(some.only, ["throughput", "leaks"], "in the order of the tables");
  assert.deepEqual(some.runtimes, ["deno", "node"]);
  assert.equal(parseArguments(["--smoke", "--rounds", "2"], NAMES).rounds, 2);
});

for (
  const [args, said] of [
    [["--only", "speed"], "--only: speed is none of throughput, "],
    [["--only", ""], "--only: nothing is none of"],
    [["--runtimes", "deno,rhino"], "--runtimes: rhino is none of deno, bun, node"],
    [["--node", "18"], "--node: 18 is none of 20, 22, 24"],
    [["--rounds", "0"], "--rounds: not a count: 0"],
    [["--rounds", "many"], "--rounds: not a count: many"],
    [["--quick", "--smoke"], "--quick and --smoke exclude each other"],
    [["--out", "../x"], "--out: a plain name, no path: ../x"],
    [["--fast"], "--fast"],
    [["throughput"], "throughput"],
  ] as const
) {
  Deno.test(`arguments that are refused: ${args.join(" ")}`, () => {
    const attempt = () => parseArguments(args, NAMES);
    assert.throws(attempt, UsageError, said);
  });
}

Deno.test("rounds go through the cells to and fro, and long measures have fewer", () => {
  const measure: Measure = {
    ...{ name: "m", title: "", about: "", rounds: "every", figures: [MS] },
    cells: () => [
      { cases: ["c"], side: "tether", program: "p", parameters: {} },
      { cases: ["c"], side: "raw", program: "q", parameters: {} },
    ],
  };
  const args = parseArguments(["--runtimes", "node", "--rounds", "4"], NAMES);
  const order = (of: Measure) => planOf(of, args).map(({ cell, round }) => `${round}${cell.program}`);
  assert.deepEqual(order(measure), ["1p", "1q", "2q", "2p", "3p", "3q", "4q", "4p"]);
  assert.deepEqual(order({ ...measure, rounds: "few" }), ["1p", "1q", "2q", "2p"]);
  assert.deepEqual(order({ ...measure, rounds: "once", warmUp: true }), ["0q", "0p", "1p", "1q"]);
});

Deno.test("every cell's program is there", async () => {
  for (const { cells } of MEASURES) {
    for (const cell of cells("bun", { size: "smoke", peer: true })) {
      assert.isTrue((await Deno.stat(join(ROOT, "bench", `${cell.program}.ts`))).isFile);
      assert.equal(cell.program.startsWith("limits/"), cell.side === "raw", cell.program);
    }
  }
});

Deno.test("a report and the stopwatch's are found among other output", () => {
  const output = 'a warning\n{"ms":1}\n@@stopwatch {"wall":5,"first":2}\n';
  assert.deepEqual(readOutcome(output), { figures: { ms: 1, wall: 5, first: 2 } });
  assert.deepEqual(readOutcome("nothing\n"), { error: "no report: nothing\n" });
});

Deno.test("results go between the page's marks, and what was there goes", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs", "benchmarks.md"));
  const once = withResults(page, "first");
  assert.include(once, "\n\nfirst\n\n");
  assert.equal(withResults(withResults(page, "second"), "first"), once);
  assert.throws(() => withResults("# A page", "x"), "no place for results");
});

Deno.test("without a compiler the benchmark says what to install", async () => {
  const into = await Deno.makeTempDir();
  try {
    let message = "";
    await buildCPrograms(into, join(into, "cc")).catch((error) => {
      assert.instanceOf(error, UsageError);
      message = error.message;
    });
    assert.include(message, "There is no C compiler (cc) in PATH");
    assert.include(message, "apt-get install gcc");
  } finally {
    await Deno.remove(into, { recursive: true });
  }
});

for (
  const [what, args, said] of [
    ["no compiler", ["--smoke"], "There is no C compiler (cc) in PATH"],
    ["an unknown measure", ["--only", "speed"], "--only: speed is none of"],
    ["an unknown result", ["--from", "never"], "--from: there is no bench/out/never.json"],
  ] as const
) {
  Deno.test(`the command ends with a code and without a stack trace: ${what}`, async () => {
    const { code, output } = await runCommand(Deno.execPath(), ["run", "-A", "bench/run.ts", ...args], {
      cwd: ROOT,
      // Nothing is in that PATH.
      env: { PATH: join(ROOT, "docs"), HOME: Deno.env.get("HOME")!, NO_COLOR: "1" },
    });
    assert.equal(code, 2);
    assert.include(output, said);
    assert.notMatch(output, /\n\s+at /);
  });
}
