import { assert } from "chai";
import { ClaudeSDKError, ControlRequestError, ControlTimeoutError } from "../../../src/core/errors/mod.ts";
import type { JsonObject } from "../../../src/core/json.ts";

/** What an answer to one of our requests says. */
export interface SaidAnswer {
  readonly how: string;
  readonly token: number;
}

/** One request of the host, and all that is known of it. */
export interface HostRequest {
  readonly n: number;
  readonly subtype: string;
  readonly openedAt: number;
  readonly timeoutMs: number;
  /** No hook lets its deadline stand still. */
  readonly exact: boolean;
  readonly controller: AbortController;
  /** The first answer that was said; later ones mean nothing. */
  answer: SaidAnswer | undefined;
  /** Its deadline as it must be; undefined once that is not known. */
  dueAt: number | undefined;
  progressed: boolean;
  settled: { readonly ok: boolean; readonly value: unknown; readonly at: number }[];
}

/** Says the answer of the peer to a request. */
export function answerFrame(requestId: unknown, { how, token }: SaidAnswer): JsonObject {
  const request_id = requestId as string;
  const success = { subtype: "success", request_id };
  switch (how) {
    case "payload":
      return { type: "control_response", response: { ...success, response: { token } } };
    case "empty":
      return { type: "control_response", response: success };
    case "null":
      return { type: "control_response", response: { ...success, response: null } };
    case "error":
      return {
        type: "control_response",
        response: { subtype: "error", request_id, error: `no ${token}`, error_code: "a_code" },
      };
    case "mute error":
      return { type: "control_response", response: { subtype: "error", request_id, error: 5 } };
    case "list":
      return { type: "control_response", response: { ...success, response: [token] } };
    default:
      return { type: "control_response", response: { request_id, subtype: 5 } };
  }
}

/** Holds one outcome to what was said, to the clock, and to what the connection came to. */
export function checkOutcome(request: HostRequest, isReason: (value: unknown) => boolean): void {
  const { n, settled, answer, controller, timeoutMs, openedAt, subtype } = request;
  assert.lengthOf(settled, 1, `request ${n} settles once`);
  const { ok, value, at } = settled[0]!;
  if (ok) {
    assert.include(["payload", "empty", "null"], answer?.how, `request ${n} resolves to what was said`);
    assert.deepEqual(value, answer?.how === "payload" ? { token: answer.token } : undefined);
  } else if (value instanceof ControlRequestError) {
    assert.include(["error", "mute error", "list", "rubbish"], answer?.how, `request ${n} is refused`);
    assert.strictEqual(value.subtype, subtype);
    const codes: Record<string, string | undefined> = { error: "a_code", "mute error": undefined };
    assert.strictEqual(value.errorCode, answer!.how in codes ? codes[answer!.how] : "malformed_answer");
    if (answer?.how === "error") assert.strictEqual(value.message, `no ${answer.token}`);
  } else if (value instanceof ControlTimeoutError) {
    assert.strictEqual(value.timeoutMs, timeoutMs);
    assert.isAtLeast(at, openedAt + timeoutMs, `request ${n} has its time`);
    if (request.dueAt !== undefined) assert.isAtLeast(at, request.dueAt, `request ${n} has its time anew`);
    if (value.cause !== undefined) assert.strictEqual((value.cause as ClaudeSDKError).code, "consumer_stalled");
  } else if (controller.signal.aborted && value === controller.signal.reason) return;
  else assert.isTrue(isReason(value), `request ${n} ends with ${String(value)}, which nothing explains`);
}
