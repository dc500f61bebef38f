/** The envelopes of the control protocol, and what of them a broken peer may get wrong. */
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { RequestId } from "./connection_options.ts";

/** A request of either side. */
export interface ControlRequestFrame extends JsonObject {
  type: "control_request";
  /** The CLI takes a request without an id, and answers without one. */
  request_id?: RequestId;
  request: JsonObject;
}

/** An answer of either side. */
export interface ControlResponseFrame extends JsonObject {
  type: "control_response";
  response: JsonObject;
}

/** Takes a request back. */
export interface ControlCancelFrame extends JsonObject {
  type: "control_cancel_request";
  request_id: RequestId;
}

/** A request of ours. */
export function requestFrame(id: string, subtype: string, fields: JsonObject = {}): ControlRequestFrame {
  return { type: "control_request", request_id: id, request: { ...fields, subtype } };
}

/** What takes a request of ours back. */
export function cancelFrame(id: RequestId): ControlCancelFrame {
  return { type: "control_cancel_request", request_id: id };
}

/** An answer that all went well. A payload of `undefined` is left out. */
export function successFrame(id: RequestId | undefined, payload: JsonObject | undefined): ControlResponseFrame {
  return { type: "control_response", response: { subtype: "success", ...idField(id), ...field("response", payload) } };
}

/** An answer that it did not. */
export function errorFrame(id: RequestId | undefined, message: string, errorCode?: string): ControlResponseFrame {
  const response = { subtype: "error", ...idField(id), error: message, ...field("error_code", errorCode) };
  return { type: "control_response", response };
}

/** An id as it may stand in a frame; anything else counts as none. */
export function readRequestId(value: JsonValue | undefined): RequestId | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** What an answer says. */
export interface ReadAnswer {
  /** Whose answer it is. */
  readonly id: RequestId | undefined;
  /** The `response` object as it came; undefined if there was none. */
  readonly envelope: JsonObject | undefined;
}

/** Opens an answer. Never throws. */
export function readAnswer(frame: JsonObject): ReadAnswer {
  const envelope = isJsonObject(frame.response) ? frame.response : undefined;
  return { id: readRequestId(envelope?.request_id), envelope };
}

/** The CLI's word for a failure, if it is one (the official SDK takes the same pattern). */
export function readErrorCode(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && /^[a-z][a-z0-9_]{0,63}$/.test(value) ? value : undefined;
}

function idField(id: RequestId | undefined): JsonObject {
  return field("request_id", id);
}

function field(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

/** True for the types that the channel itself consumes, and that take no room in the consumer's queue. */
export function isControlType(type: unknown): boolean {
  switch (type) {
    case "control_request":
    case "control_response":
    case "control_cancel_request":
    case "keep_alive":
    case "transcript_mirror":
      return true;
    default:
      return false;
  }
}

/** True for the types that steer a session, should one of them have been taken for ordinary data at first. */
export function mayNeedRouting(type: unknown): boolean {
  switch (type) {
    // First what nearly every frame is: this runs for each of them.
    case "assistant":
    case "stream_event":
    case "user":
      return false;
    case "system":
    case "result":
    case "command_lifecycle":
      return true;
    default:
      return isControlType(type);
  }
}
