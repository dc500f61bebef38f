/** What every error promises, on every runtime the core claims to run on. */

import { assert } from "chai";
import * as errors from "../../src/core/errors/mod.ts";
import { suite } from "../harness/suite.ts";

const FACTS: errors.ProcessFacts = {
  exitCode: 1,
  signal: null,
  stderrTail: "tail",
  cwd: "/somewhere",
  argv: ["claude"],
};

/** One error of each class, the name it must bear and its code. */
const ERRORS: readonly (readonly [errors.ClaudeSDKError, string, string])[] = [
  [new errors.ClaudeSDKError("some_code", "text"), "ClaudeSDKError", "some_code"],
  [new errors.AbortError(), "AbortError", "aborted"],
  [new errors.OptionError("cwd", "is wrong"), "OptionError", "invalid_option"],
  [new errors.CLIConnectionError("text"), "CLIConnectionError", "connection_failed"],
  [new errors.CLINotFoundError("text", ["/a", "/b"]), "CLINotFoundError", "cli_not_found"],
  [new errors.MessageTooLargeError(11, 10), "MessageTooLargeError", "message_too_large"],
  [new errors.CLIJSONDecodeError(7), "CLIJSONDecodeError", "truncated_output"],
  [
    new errors.ControlRequestError("set_model", "text", "invalid_mode"),
    "ControlRequestError",
    "control_request_failed",
  ],
  [new errors.ControlTimeoutError("set_model", 5), "ControlTimeoutError", "control_timeout"],
  [new errors.SpawnError("denied", "claude", "text"), "SpawnError", "spawn_denied"],
  [new errors.ProcessError("exit_code", "text", FACTS), "ProcessError", "exit_code"],
  [new errors.NotAvailableError("forkSession"), "NotAvailableError", "not_available"],
  [new errors.ResultError("text", { subtype: "error_max_turns" }, FACTS), "ResultError", "error_result"],
];

export default suite("errors", (test) => {
  test("every error is an Error with its own name and its code", () => {
    for (const [error, name, code] of ERRORS) {
      assert.instanceOf(error, Error);
      assert.instanceOf(error, errors.ClaudeSDKError);
      assert.strictEqual(error.name, name);
      assert.strictEqual(error.code, code);
      assert.strictEqual(String(error), `${name}: ${error.message}`);
    }
  });

  test("every class of errors descends from the one root, and the narrow ones from the wide (O01)", () => {
    for (const [name, value] of Object.entries(errors)) {
      if (typeof value !== "function" || value === errors.ClaudeSDKError) continue;
      assert.instanceOf(value.prototype, errors.ClaudeSDKError, name);
    }
    assert.instanceOf(errors.CLINotFoundError.prototype, errors.CLIConnectionError);
    assert.instanceOf(errors.ResultError.prototype, errors.ProcessError);
  });

  test("an error is recognised when another copy of the module made it", () => {
    // Another bundle has classes of its own; the mark in the registry of symbols is all that both share.
    class ForeignError extends Error {
      constructor() {
        super("from elsewhere");
        Object.defineProperty(this, Symbol.for("tether.error"), { value: true });
      }
    }
    const foreign = new ForeignError();
    assert.notInstanceOf(foreign, errors.ClaudeSDKError);
    assert.isTrue(errors.ClaudeSDKError.isClaudeSDKError(foreign));
    for (const [error] of ERRORS) assert.isTrue(errors.ClaudeSDKError.isClaudeSDKError(error), error.name);
  });

  test("nothing else passes for an error of ours", () => {
    const others = [new Error("plain"), new TypeError("plain"), { code: "aborted" }, { name: "ClaudeSDKError" }, null];
    for (const value of [...others, undefined, "ClaudeSDKError", 1, Symbol.for("tether.error"), () => {}]) {
      assert.isFalse(errors.ClaudeSDKError.isClaudeSDKError(value));
    }
  });

  test("the mark of an error shows in no listing of its fields", () => {
    for (const [error] of ERRORS) {
      assert.notInclude(JSON.stringify(error), "tether.error");
      assert.deepEqual(Object.getOwnPropertySymbols({ ...error }), []);
    }
  });

  test("an error keeps its cause, and has none that nobody gave", () => {
    const cause = new TypeError("the reason");
    const given = { cause };
    const withCause = [
      new errors.ClaudeSDKError("some_code", "text", given),
      new errors.AbortError("text", given),
      new errors.OptionError("cwd", "is wrong", given),
      new errors.CLIConnectionError("text", given),
      new errors.CLINotFoundError("text", [], given),
      new errors.CLIJSONDecodeError(7, given),
      new errors.ControlTimeoutError("set_model", 5, given),
      new errors.SpawnError("other", "claude", "text", given),
      new errors.ProcessError("exit_code", "text", FACTS, given),
      new errors.ResultError("text", {}, FACTS, given),
    ];
    for (const error of withCause) assert.strictEqual(error.cause, cause, error.name);
    for (const [error] of ERRORS) assert.isFalse("cause" in error, error.name);
  });

  test("errors carry what their reader decides by (O01)", () => {
    assert.strictEqual(
      new errors.OptionError("tether.limits.queueBytes", "is wrong").option,
      "tether.limits.queueBytes",
    );
    assert.deepEqual(new errors.CLINotFoundError("text", ["/a", "/b"]).tried, ["/a", "/b"]);
    const big = new errors.MessageTooLargeError(11, 10);
    assert.deepEqual([big.bytesSeen, big.limitBytes, big.option], [11, 10, "tether.limits.maxMessageBytes"]);
    for (const part of ["11", "10", big.option]) assert.include(big.message, part);
    assert.strictEqual(new errors.CLIJSONDecodeError(7).bytes, 7);
    const refused = new errors.ControlRequestError("set_model", "text", "invalid_mode");
    assert.deepEqual([refused.subtype, refused.errorCode], ["set_model", "invalid_mode"]);
    const late = new errors.ControlTimeoutError("set_model", 5);
    assert.deepEqual([late.subtype, late.timeoutMs], ["set_model", 5]);
    const denied = new errors.SpawnError("denied", "claude", "text");
    assert.deepEqual([denied.failure, denied.command], ["denied", "claude"]);
    const ended = new errors.ProcessError("exit_code", "text", FACTS);
    assert.deepEqual(pickFacts(ended), FACTS);
  });

  test("the fields of an error are plain data: a structured clone of them is whole (O09)", () => {
    for (const [error] of ERRORS) {
      const { name, code, ...fields } = structuredClone({ ...error });
      assert.deepEqual([name, code], [error.name, error.code]);
      for (const [field, value] of Object.entries(fields)) {
        assert.deepEqual(value, (error as unknown as Record<string, unknown>)[field], `${name}.${field}`);
      }
    }
  });

  test("a result error tells its subtype and the texts among its errors, whatever shape the result has", () => {
    const full = new errors.ResultError("text", { subtype: "error_max_turns", errors: ["a", 1, null, "b"] }, FACTS);
    assert.strictEqual(full.subtype, "error_max_turns");
    assert.deepEqual(full.errors, ["a", "b"]);
    const bare = new errors.ResultError("text", { errors: "not a list" }, FACTS);
    assert.strictEqual(bare.subtype, "");
    assert.deepEqual(bare.errors, []);
    assert.deepEqual(pickFacts(full), FACTS);
  });
});

function pickFacts(error: errors.ProcessFacts): errors.ProcessFacts {
  const { exitCode, signal, stderrTail, cwd, argv } = error;
  return { exitCode, signal, stderrTail, cwd, argv };
}
