import type { JsonObject } from "../../core/json.ts";
import type {
  ClarifyingQuestion,
  ElicitationRequest,
  PermissionContext,
  PermissionResult,
} from "../../core/options/mod.ts";

/** How a callback is asked. */
export interface AskCallbackOptions {
  /** Takes the question back, as an interrupt does: the callback's signal aborts, and the question rejects with the reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds the test waits for the answer; past it the question rejects with a `ScriptError`. Default 30 s. */
  readonly timeoutMs?: number;
}

/** How a permission is asked for: what the callback is told beside the call. Nothing but the call's id is filled in. */
export interface PermissionAskOptions
  extends AskCallbackOptions, Partial<Omit<PermissionContext, "signal" | "requestId">> {}

/** How a tool is called. */
export interface ToolCallOptions extends AskCallbackOptions {
  /** Id of the call. Default: the next free `toolu_test_<n>`. */
  readonly toolUseId?: string;
}

/** How the model's questions were answered. */
export interface QuestionReply {
  /** False: nobody answered, and the model reads {@linkcode QuestionReply.message}. */
  readonly answered: boolean;
  /** The answers by the text of the question; several labels are joined by a comma. */
  readonly answers: Readonly<Record<string, string>>;
  /** What goes with an answer: notes, the preview of the choice, that it was passed over. */
  readonly annotations: Readonly<Record<string, JsonObject>>;
  /** What the model is told instead of answers. */
  readonly message: string | undefined;
}

/** The request of a permission question, in the CLI's words. */
export function permissionRequest(
  toolName: string,
  input: JsonObject,
  toolUseId: string,
  server: JsonObject | undefined,
  options: PermissionAskOptions,
): JsonObject {
  const { matchedAskRule: rule } = options;
  const fields: Record<string, unknown> = {
    subtype: "can_use_tool",
    tool_name: toolName,
    input,
    tool_use_id: options.toolUseID ?? toolUseId,
    permission_suggestions: options.suggestions,
    blocked_path: options.blockedPath,
    decision_reason: options.decisionReason,
    decision_reason_type: options.decisionReasonType,
    title: options.title,
    display_name: options.displayName,
    description: options.description,
    default_to_no: options.defaultToNo,
    suppress_always_allow_rule: options.suppressAlwaysAllowRule,
    agent_id: options.agentID,
    mcp_server: options.mcpServer ?? server,
    matched_ask_rule: rule === undefined
      ? undefined
      : { source: rule.source, tool_name: rule.toolName, rule_content: rule.ruleContent },
  };
  return fields as JsonObject;
}

/** The input of the tool by which the model asks. */
export function questionInput(questions: readonly ClarifyingQuestion[]): JsonObject {
  return { questions: questions as unknown as JsonObject[] };
}

/** Reads the answer to a question of the model's. */
export function questionReply(result: PermissionResult): QuestionReply {
  if (result.behavior === "deny") return { answered: false, answers: {}, annotations: {}, message: result.message };
  const { answers = {}, annotations = {} } = (result.updatedInput ?? {}) as Partial<
    Pick<QuestionReply, "answers" | "annotations">
  >;
  return { answered: true, answers, annotations, message: undefined };
}

/** What an MCP server asks; the server and the mode are filled in. */
export type ElicitationAsk = Partial<ElicitationRequest> & Pick<ElicitationRequest, "message">;

/** The request of an elicitation, in the CLI's words. */
export function elicitationRequest(asked: ElicitationAsk): JsonObject {
  const { requestedSchema: schema } = asked;
  const properties = (schema?.properties ?? {}) as Record<string, unknown>;
  const fields: Record<string, unknown> = {
    subtype: "elicitation",
    mcp_server_name: asked.serverName ?? "server",
    message: asked.message,
    mode: asked.mode ?? (asked.url === undefined ? "form" : "url"),
    requested_schema: schema,
    property_order: schema === undefined ? undefined : Object.keys(properties),
    url: asked.url,
    elicitation_id: asked.elicitationId,
    title: asked.title,
    display_name: asked.displayName,
    description: asked.description,
  };
  return fields as JsonObject;
}
