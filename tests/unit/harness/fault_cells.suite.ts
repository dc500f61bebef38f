/** That the checks of the fault matrix can fail: subjects that break a promise are found out. */
import { assert } from "chai";
import { AbortError, ProcessError } from "../../../mod.ts";
import { Cell, runHost, type Subject } from "../../harness/faults/cell.ts";
import { checkCell } from "../../harness/faults/check_cell.ts";
import { cutsMessage, type Fault, fitsMoment, promiseOf } from "../../harness/faults/promise_table.ts";
import { runCells } from "../../harness/faults/run_cells.ts";
import { rejection } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

const TURN = { phase: "turn" } as const;
const SEEN = {
  received: [],
  asked: [],
  ending: "over",
  lastWords: "words",
  onTerm: { exitCode: 143, signal: null },
} as const;

function failed(code = "process_failed", exitCode = 1, stderrTail = "last words"): ProcessError {
  return new ProcessError(code, "m", { exitCode, signal: null, stderrTail, cwd: undefined, argv: [] });
}

/** Something whose messages are what they are told to be. */
function subject(...steps: (() => IteratorResult<never, void>)[]): Subject {
  return {
    next: () => Promise.resolve().then(steps.shift() ?? (() => ({ done: true, value: undefined }))),
    close: () => Promise.resolve(),
  };
}

/** What the checks find in a cell that ran so. */
async function found(fault: Fault, running: Subject, more: (cell: Cell) => void = () => {}): Promise<string> {
  const cell = new Cell(fault, TURN);
  cell.struck.resolve();
  cell.played.resolve();
  more(cell);
  return checkCell(cell, await runHost(cell, running), SEEN).join("; ");
}

function fails(error: unknown): () => never {
  return () => {
    throw error;
  };
}

export default suite("cells of the fault matrix", (test) => {
  test("a promise that is kept finds nothing wrong", async () => {
    assert.strictEqual(await found("exit 1", subject(fails(failed()))), "");
    assert.strictEqual(await found("not JSON", subject(), (cell) => cell.diagnostics.push(SKIPPED)), "");
  });

  test("an error that is swallowed, told twice, of another kind or with other facts", async () => {
    assert.include(await found("exit 1", subject()), "without an error");
    const error = failed();
    assert.include(await found("exit 1", subject(fails(error), fails(error))), "something more");
    assert.include(await found("exit 1", subject(fails(new Error("odd")))), "a stranger's error");
    assert.include(await found("exit 1", subject(fails(failed("process_killed")))), "its code");
    assert.include(await found("exit 1", subject(fails(failed("process_failed", 3)))), "not 1");
    assert.include(await found("exit 1", subject(fails(failed("process_failed", 1, "")))), "no last words");
    assert.include(await found("half, exit 1", subject(fails(failed()))), "half message");
    assert.include(await found("not JSON", subject(fails(failed()))), "it ended with ProcessError");
    assert.include(await found("not JSON", subject()), "no diagnostic");
  });

  test("a call that is told something else than the loop, or answered by nobody", async () => {
    const other = (cell: Cell): void => cell.pend("setModel()", Promise.reject(new AbortError("closed")));
    assert.include(await found("exit 1", subject(fails(failed())), other), "not what the loop was told");
    const answered = (cell: Cell): void => cell.pend("setModel()", Promise.resolve());
    assert.include(await found("exit 1", subject(fails(failed())), answered), "answered by nobody");
  });

  test("a callback that is not told, a late answer that is written, a listener that stays", async () => {
    const deaf = (cell: Cell): void => void cell.signals.push(new AbortController().signal);
    assert.include(await found("exit 1", subject(fails(failed())), deaf), "not aborted");
    const listens = (cell: Cell): void => cell.abort.signal.addEventListener("abort", () => {});
    assert.include(await found("exit 1", subject(fails(failed())), listens), "1 listeners");
    const cell = new Cell("exit 1", TURN);
    const answer = { type: "control_response", response: { request_id: "q", response: { behavior: "allow" } } };
    const end = { error: { value: failed() }, problems: [] };
    assert.include(checkCell(cell, end, { ...SEEN, received: [answer], asked: ["q"] }).join(), "after the end");
  });

  test("cells that fail are all named, and the table knows what it is asked", async () => {
    const error = await rejection(runCells(["a", "b", "c"], (cell) => Promise.resolve(cell === "b" ? [] : ["bad"])));
    assert.strictEqual((error as Error).message, "2 promises are broken\na: bad\nc: bad");
    assert.strictEqual(promiseOf("exit 0", TURN), "no result");
    assert.strictEqual(promiseOf("exit 0", { ...TURN, cut: true }), "truncated");
    assert.strictEqual(promiseOf("SIGKILL", { phase: "aborting" }), "reason");
    assert.isTrue(cutsMessage("half, exit 0", TURN));
    assert.isFalse(fitsMoment("NULs", { ...TURN, cut: true }));
    assert.throws(() => promiseOf("sleep" as Fault, TURN), /no row/);
  });
});

const SKIPPED = { kind: "line_skipped", bytes: 1, reason: "not_json" } as const;
