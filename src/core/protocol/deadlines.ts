import type { JsonObject } from "../json.ts";
import type { ResolvedTimeouts } from "../limits.ts";

/** How patient we are with one method. */
interface Patience {
  /** Times `controlMs`: work of machines, which grows and shrinks with what the user calls normal. */
  readonly factor?: number;
  /** At least so many milliseconds: a person is at work (a browser log-in), who does not hurry for a setting. */
  readonly atLeastMs?: number;
}

const MODEL_CALL: Patience = { factor: 5 };
const MCP_SERVERS: Patience = { factor: 5 };
const HOOKS: Patience = { factor: 3 };
const FILES: Patience = { factor: 3 };
const PERSON: Patience = { atLeastMs: 600_000 };

/** Methods that may take longer than `controlMs` for good reason. All others have `controlMs`. */
const PATIENCE: ReadonlyMap<string, Patience> = new Map([
  ["mcp_set_servers", MCP_SERVERS],
  ["mcp_reconnect", MCP_SERVERS],
  ["mcp_toggle", MCP_SERVERS],
  ["mcp_read_resource", MCP_SERVERS],
  ["mcp_call", MCP_SERVERS],
  ["reload_plugins", MCP_SERVERS],
  ["reload_connectors", MCP_SERVERS],
  ["claim_session", MCP_SERVERS],
  ["reload_skills", HOOKS],
  ["set_model", HOOKS],
  ["set_cwd", HOOKS],
  ["apply_flag_settings", HOOKS],
  ["update_settings", HOOKS],
  ["register_repo_root", HOOKS],
  ["end_session", HOOKS],
  ["rewind_files", FILES],
  ["rewind_conversation", FILES],
  ["export_conversation", FILES],
  ["file_suggestions", FILES],
  ["get_context_usage", MODEL_CALL],
  ["get_usage", MODEL_CALL],
  ["side_question", MODEL_CALL],
  ["generate_session_title", MODEL_CALL],
  ["submit_feedback", MODEL_CALL],
  ["ultrareview_launch", MODEL_CALL],
  ["remote_control", MODEL_CALL],
  ["mcp_authenticate", PERSON],
  ["mcp_oauth_callback_url", PERSON],
  ["claude_authenticate", PERSON],
  ["claude_oauth_callback", PERSON],
  ["claude_oauth_wait_for_completion", PERSON],
  ["channel_enable", PERSON],
  ["select_chrome_browser", PERSON],
]);

/** How long an outbound request may wait for its answer, in milliseconds; `Infinity` for ever. */
export function deadlineFor(subtype: string, fields: JsonObject, timeouts: ResolvedTimeouts): number {
  if (subtype === "initialize") return timeouts.initializeMs;
  const { factor = 1, atLeastMs = 0 } = PATIENCE.get(subtype) ?? {};
  const ms = Math.max(timeouts.controlMs * factor, atLeastMs);
  // A tool call brings its own limit; ours comes after it, so that the CLI's report of it still gets through.
  const own = subtype === "mcp_call" && typeof fields.timeout_ms === "number" ? fields.timeout_ms : 0;
  return Math.max(ms, own + timeouts.controlMs);
}

/** How much time in which a hook is known to run is not counted, in milliseconds (the official SDK has the same cap). */
export function hookAllowanceFor(subtype: string): number {
  return subtype === "initialize" || subtype === "set_model" ? 600_000 : 0;
}
