import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { PermissionContext, PermissionUpdate } from "../../core/options/mod.ts";

/** One `can_use_tool` request, read. */
export interface PermissionRequest {
  /** Which tool wants to run. */
  readonly toolName: string;
  /** What the model gave it. */
  readonly input: Record<string, unknown>;
  /** What else the callback is told, but for its signal, which is made for each call of it. */
  readonly context: Omit<PermissionContext, "signal">;
}

/** Wire names of plain text fields, and what they are called here. */
const TEXTS = {
  blocked_path: "blockedPath",
  decision_reason: "decisionReason",
  decision_reason_type: "decisionReasonType",
  title: "title",
  display_name: "displayName",
  description: "description",
  agent_id: "agentID",
} as const;

const FLAGS = {
  default_to_no: "defaultToNo",
  suppress_always_allow_rule: "suppressAlwaysAllowRule",
} as const;

/** Reads the fields of a request. What the CLI left out is left out. @throws {TypeError} without a tool name or input. */
export function readPermissionRequest(fields: JsonObject, requestId: string): PermissionRequest {
  const { tool_name: toolName, input, tool_use_id: toolUseID } = fields;
  if (typeof toolName !== "string") throw new TypeError("can_use_tool came without a tool name");
  if (!isJsonObject(input)) throw new TypeError("can_use_tool came without an input");
  const context: { -readonly [Name in keyof PermissionRequest["context"]]: PermissionRequest["context"][Name] } = {
    toolUseID: typeof toolUseID === "string" ? toolUseID : "",
    requestId,
  };
  for (const [wire, name] of Object.entries(TEXTS) as [keyof typeof TEXTS, (typeof TEXTS)[keyof typeof TEXTS]][]) {
    const value = fields[wire];
    if (typeof value === "string") context[name] = value;
  }
  for (const [wire, name] of Object.entries(FLAGS) as [keyof typeof FLAGS, (typeof FLAGS)[keyof typeof FLAGS]][]) {
    const value = fields[wire];
    if (typeof value === "boolean") context[name] = value;
  }
  const { permission_suggestions: suggestions, mcp_server: server, matched_ask_rule: rule } = fields;
  if (Array.isArray(suggestions)) context.suggestions = suggestions as unknown as PermissionUpdate[];
  else if (suggestions === null) context.suggestions = [];
  if (isJsonObject(server)) context.mcpServer = server as unknown as NonNullable<typeof context.mcpServer>;
  if (isJsonObject(rule)) {
    context.matchedAskRule = {
      source: String(rule.source),
      toolName: String(rule.tool_name),
      ...(typeof rule.rule_content === "string" ? { ruleContent: rule.rule_content } : {}),
    };
  }
  return { toolName, input, context };
}
