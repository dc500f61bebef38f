import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { frame } from "./frame.ts";

/** What a control request is answered with. */
export interface ControlReply {
  /** The payload of a success; left out, as the CLI often does, if undefined. */
  readonly response?: JsonObject;
  /** For `initialize`: laid over what the CLI answers it with, what it says of the fields it was sent included. */
  readonly initialize?: JsonObject;
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
  const response = reply.initialize === undefined
    ? reply.response
    : frame.initializeReply({ ...applied(request.request), ...reply.initialize });
  const payload = response === undefined ? {} : { response };
  const initialize = isJsonObject(request.request) && request.request.subtype === "initialize";
  const open = initialize ? { pending_permission_requests: [], pending_user_dialog_requests: [] } : {};
  return { subtype: "success", ...id, ...payload, ...open };
}

/** Fields of `initialize` that the CLI says it has taken, and only says so of those it was sent. */
const APPLIED: Readonly<Record<string, string>> = {
  hooks: "hooks_applied",
  settings: "settings_applied",
  managedSettings: "managed_settings_applied",
  disallowedTools: "disallowed_tools_applied",
  mcpServers: "mcp_servers_applied",
  plugins: "plugins_applied",
};

/** What the answer to `initialize` says of what was in it. */
function applied(request: JsonValue | undefined): JsonObject {
  if (!isJsonObject(request)) return {};
  const manifests = request.sdkMcpServerManifests;
  return {
    ...Object.fromEntries(
      Object.entries(APPLIED).flatMap(([field, answer]) => request[field] === undefined ? [] : [[answer, true]]),
    ),
    ...isJsonObject(manifests)
      ? { sdk_mcp_manifests_parked: Object.fromEntries(Object.keys(manifests).map((name) => [name, "parked"])) }
      : {},
  };
}
