import { assert } from "chai";
import { endError, type EndFacts } from "../../src/client/outcome.ts";
import {
  CLIJSONDecodeError,
  MessageTooLargeError,
  ProcessError,
  PromptError,
  ResultError,
} from "../../src/core/errors/mod.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { suite } from "../harness/suite.ts";

const GOOD: EndFacts = {
  closed: false,
  aborted: undefined,
  failure: undefined,
  prompt: undefined,
  exit: { code: 0, signal: null, stderrTail: "" },
  description: { argv: ["claude"], cwd: "/w", pid: 1 },
  forced: false,
  halfRecordBytes: 0,
  ready: true,
  inputLost: undefined,
  unanswered: false,
  unasked: false,
  results: 1,
  finalResult: { type: "result", subtype: "success", is_error: false },
  interrupted: false,
};

const FAILED = { code: 1, signal: null, stderrTail: "what went wrong" };

function errorResult(fields: JsonObject): JsonObject {
  return { type: "result", subtype: "error_during_execution", is_error: true, ...fields };
}

export default suite("outcome", (test) => {
  test("a result and exit code 0 are a good end", () => {
    assert.isUndefined(endError(GOOD));
  });

  test("an error result is good too if the exit code is 0: it was delivered", () => {
    assert.isUndefined(endError({ ...GOOD, finalResult: errorResult({}) }));
  });

  test("an error result followed by a failure code is a ResultError with the result (O02)", () => {
    const finalResult = errorResult({ errors: ["one", "two"] });
    const error = endError({ ...GOOD, exit: FAILED, finalResult });
    assert.instanceOf(error, ResultError);
    const told = error as ResultError;
    assert.strictEqual(told.message, "one; two");
    assert.strictEqual(told.code, "error_result");
    assert.strictEqual(told.result, finalResult);
    assert.strictEqual(told.exitCode, 1);
    assert.deepEqual(told.errors, ["one", "two"]);
    assert.strictEqual(told.subtype, "error_during_execution");
  });

  const texts: [string, JsonObject, string][] = [
    ["errors before the text", { errors: ["e"], result: "r" }, "e"],
    ["errors as a bare string (O04)", { errors: "bare" }, "bare"],
    ["blank errors are none", { errors: ["", " ", 5], result: "text" }, "text"],
    ["the kind when there is no text", { subtype: "error_max_turns", errors: [] }, "error_max_turns"],
    ["the HTTP status when there is only that", { subtype: "success", api_error_status: 529 }, "API error (HTTP 529)"],
    ["never 'success'", { subtype: "success" }, "The CLI reported an error without a text"],
  ];
  for (const [name, fields, text] of texts) {
    test(`the text of a ResultError: ${name} (O03)`, () => {
      const error = endError({ ...GOOD, exit: FAILED, finalResult: errorResult(fields) }) as ResultError;
      assert.instanceOf(error, ResultError);
      assert.strictEqual(error.message, text);
    });
  }

  test("a failure code with no result, or after a success, is a ProcessError with stderr, cwd and argv (O05)", () => {
    for (const finalResult of [undefined, GOOD.finalResult]) {
      const error = endError({ ...GOOD, exit: FAILED, finalResult }) as ProcessError;
      assert.instanceOf(error, ProcessError);
      assert.notInstanceOf(error, ResultError);
      assert.strictEqual(error.code, "process_failed");
      assert.strictEqual(error.exitCode, 1);
      assert.strictEqual(error.stderrTail, "what went wrong");
      assert.include(error.message, "what went wrong");
      assert.strictEqual(error.cwd, "/w");
      assert.deepEqual(error.argv, ["claude"]);
    }
  });

  test("an end by a signal is told as such", () => {
    const exit = { code: null, signal: "SIGKILL", stderrTail: "" };
    const error = endError({ ...GOOD, exit, unanswered: true, results: 0, finalResult: undefined }) as ProcessError;
    assert.strictEqual(error.code, "process_killed");
    assert.strictEqual(error.signal, "SIGKILL");
  });

  test("leaving without a result after a line is an error, with no line only if there could have been one (rule 6)", () => {
    const silent = { ...GOOD, results: 0, finalResult: undefined };
    assert.strictEqual((endError({ ...silent, unanswered: true }) as ProcessError).code, "no_result");
    assert.strictEqual((endError({ ...GOOD, unanswered: true }) as ProcessError).code, "no_result", "a later line");
    assert.strictEqual((endError({ ...silent, unasked: true }) as ProcessError).code, "no_result");
    assert.isUndefined(endError(silent));
  });

  test("leaving before initialize was answered is an error, though nothing was sent (trap 4)", () => {
    const early = { ...GOOD, unasked: true, results: 0, finalResult: undefined, ready: false };
    assert.strictEqual((endError(early) as ProcessError).code, "not_ready");
  });

  test("input that was never read is an error even after a result", () => {
    const cause = new Error("pipe");
    const error = endError({ ...GOOD, inputLost: { error: cause } }) as ProcessError;
    assert.strictEqual(error.code, "input_unread");
    assert.strictEqual(error.cause, cause);
  });

  test("a half record is a decode error, and the cause of a ProcessError", () => {
    const half = { ...GOOD, halfRecordBytes: 12 };
    const alone = endError(half) as CLIJSONDecodeError;
    assert.instanceOf(alone, CLIJSONDecodeError);
    assert.strictEqual(alone.bytes, 12);
    const both = endError({ ...half, exit: FAILED, finalResult: undefined }) as ProcessError;
    assert.instanceOf(both, ProcessError);
    assert.instanceOf(both.cause, CLIJSONDecodeError);
  });

  test("an end we forced after a result is no error; without a result it is", () => {
    const exit = { code: null, signal: "SIGTERM", stderrTail: "" };
    assert.isUndefined(endError({ ...GOOD, exit, forced: true }));
    const error = endError({ ...GOOD, exit, forced: true, unanswered: true, results: 0, finalResult: undefined });
    assert.instanceOf(
      endError({ ...GOOD, exit, forced: true, unanswered: true }),
      ProcessError,
      "without the last one",
    );
    assert.instanceOf(error, ProcessError);
    assert.include((error as Error).message, "had to be ended");
  });

  test("an interrupt we asked for ends as a result", () => {
    const finalResult = errorResult({ terminal_reason: "aborted_tools", errors: ["[internal] x"] });
    assert.isUndefined(endError({ ...GOOD, exit: FAILED, finalResult, interrupted: true }));
    assert.instanceOf(endError({ ...GOOD, exit: FAILED, finalResult }), ResultError);
    const other = errorResult({ subtype: "error_max_turns", terminal_reason: "max_turns" });
    assert.instanceOf(endError({ ...GOOD, exit: FAILED, finalResult: other, interrupted: true }), ResultError);
  });

  test("a failed prompt keeps the user's error as cause, and how the CLI ended", () => {
    const cause = new RangeError("mine");
    const good = endError({ ...GOOD, prompt: { error: cause } }) as PromptError;
    assert.instanceOf(good, PromptError);
    assert.strictEqual(good.cause, cause);
    assert.isUndefined(good.endError);
    const bad = endError({ ...GOOD, prompt: { error: cause }, exit: FAILED }) as PromptError;
    assert.strictEqual(bad.cause, cause);
    assert.instanceOf(bad.endError, ProcessError);
  });

  test("our abort comes before our close, that before over-limit, that before the process", () => {
    const reason = { any: "value" };
    const tooLarge = new MessageTooLargeError(9, 8);
    const all: EndFacts = {
      ...GOOD,
      exit: FAILED,
      finalResult: errorResult({}),
      halfRecordBytes: 3,
      prompt: { error: new Error("p") },
      failure: { error: tooLarge },
      closed: true,
      aborted: { reason },
    };
    assert.strictEqual(endError(all), reason);
    assert.isUndefined(endError({ ...all, aborted: undefined }));
    assert.strictEqual(endError({ ...all, aborted: undefined, closed: false }), tooLarge);
    const rest = { ...all, aborted: undefined, closed: false, failure: undefined, prompt: undefined };
    assert.instanceOf(endError(rest), ResultError);
  });
});
