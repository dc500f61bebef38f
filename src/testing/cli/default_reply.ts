import type { JsonObject } from "../../core/json.ts";
import type { ControlReply } from "./control_reply.ts";
import { SCRIPTED_MODEL } from "./frame.ts";

/** What a control request gets that no step expects: what CLI 2.1.332 says to it when idle. */
export function defaultReply(
  request: JsonObject,
  own: Readonly<Record<string, JsonObject | null>>,
): ControlReply {
  const subtype = String(request.subtype);
  const answer = Object.hasOwn(own, subtype) ? own[subtype] : undefined;
  if (answer === null) return { silent: true };
  if (answer !== undefined) return { response: answer };
  switch (subtype) {
    case "initialize":
      return { initialize: {} };
    case "interrupt":
      return { response: { still_queued: [] } };
    case "set_permission_mode":
      return { response: { mode: request.mode } };
    case "set_model":
      return { response: { model: request.model ?? SCRIPTED_MODEL } };
    case "mcp_status":
      return { response: { mcpServers: [] } };
    case "mcp_set_servers":
      return { response: { added: [], removed: [], errors: {} } };
    case "stop_task":
    case "update_settings":
      return { response: {} };
    case "set_max_thinking_tokens":
    case "apply_flag_settings":
    case "seed_read_state":
    case "mcp_toggle":
    case "rename_session":
    case "end_session":
      return {};
    default:
      return { error: `Unsupported control request subtype: ${subtype}`, errorCode: "unsupported_request" };
  }
}
