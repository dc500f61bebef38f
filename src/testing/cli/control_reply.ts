import { isJsonObject, type JsonObject } from "../../core/json.ts";

/** What a control request is answered with. */
export interface ControlReply {
  /** The payload of a success; left out, as the CLI often does, if undefined. */
  readonly response?: JsonObject;
  /** The text of an error; makes the answer one. */
  readonly error?: string;
  /** The `error_code` beside it. */
  readonly errorCode?: string;
  /** Never answer. */
  readonly silent?: boolean;
}

/** Makes an answer from the request (its `request` part), or is one. */
export type ControlReplier = ControlReply | ((request: JsonObject) => ControlReply);

/** The `response` part of an answer to a request of the host. */
export function responseTo(request: JsonObject, reply: ControlReply): JsonObject {
  const id = request.request_id === undefined ? {} : { request_id: request.request_id };
  if (reply.error !== undefined) {
    const code = reply.errorCode === undefined ? {} : { error_code: reply.errorCode };
    return { subtype: "error", ...id, error: reply.error, ...code };
  }
  const payload = reply.response === undefined ? {} : { response: reply.response };
  const initialize = isJsonObject(request.request) && request.request.subtype === "initialize";
  const open = initialize ? { pending_permission_requests: [], pending_user_dialog_requests: [] } : {};
  return { subtype: "success", ...id, ...payload, ...open };
}
