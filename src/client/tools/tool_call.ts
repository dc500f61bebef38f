import type { AbortSource } from "../../core/abort_source.ts";
import type { Clock } from "../../core/clock.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { runCall, type RunningCall } from "../handlers/call_scope.ts";
import { failureText } from "../handlers/failure_text.ts";
import type { PreparedSchema } from "./prepare_schema.ts";
import { issueText } from "./schema_kinds.ts";
import { errorResult, toolResult } from "./tool_result.ts";
import type { SdkMcpToolDefinition, ToolExtra, ToolResult } from "./tool_types.ts";

/** A tool with its schemas ready. */
export interface PreparedTool {
  /** As `tool()` made it. */
  readonly definition: SdkMcpToolDefinition;
  /** Its arguments. */
  readonly input: PreparedSchema;
  /** Its `structuredContent`. */
  readonly output: PreparedSchema | undefined;
}

/** One call of a tool, as the MCP server hands it on. */
export interface ToolCall {
  /** As the CLI sent them, unchecked. */
  readonly args: unknown;
  /** Aborts when the call is taken back, or its server closes. */
  readonly by: AbortSource;
  /** Its `_meta`. */
  readonly meta: JsonObject | undefined;
  /** What the tool's time limit is measured by. */
  readonly clock: Clock;
  /** Sends a notification that belongs to the call. */
  sendNotification(notification: { method: string; params?: Record<string, unknown> }): Promise<void>;
  /** Takes what went wrong in the user's code. */
  failed(cause: unknown): void;
  /** Takes the handler's own run, which may outlast the call. */
  began(run: Promise<unknown>): void;
  /** Told when the handler takes its signal. */
  listens(): void;
}

/** How much is said about arguments that do not fit. */
const MAX_ISSUE_TEXT = 2000;

/**
 * Runs a tool: arguments are checked before the handler sees them, and whatever goes wrong is a result that tells the
 * model. Rejects with the reason if the call was taken back: nothing is answered then.
 */
export async function callTool(tool: PreparedTool, call: ToolCall): Promise<ToolResult> {
  const { definition, input } = tool;
  const { name } = definition;
  try {
    const checked = await input.validate(call.args ?? {});
    if (!checked.ok) return errorResult(limited(`Invalid arguments for tool ${name}:\n${issueText(checked.issues)}`));
    const outcome = await runCall(call.clock, (own) => {
      const result = definition.handler(checked.value as never, toolExtra(call, own));
      const run = Promise.resolve(result);
      call.began(run);
      return run;
    }, { by: call.by, deadlineMs: definition.timeoutMs ?? Infinity });
    if (outcome.kind === "value") return await checkedOutput(tool, toolResult(outcome.value));
    if (outcome.kind === "threw") throw outcome.error;
    if (outcome.kind === "late") {
      return errorResult(`Tool ${name} gave no result within ${outcome.afterMs} ms, the time limit of this tool`);
    }
  } catch (error) {
    // What fails after it was taken back is of no interest to anybody.
    if (!call.by.aborted) {
      call.failed(error);
      return errorResult(failureText(error));
    }
  }
  throw call.by.reason;
}

async function checkedOutput(tool: PreparedTool, result: ToolResult): Promise<ToolResult> {
  const { output } = tool;
  if (output === undefined || result.isError === true) return result;
  if (result.structuredContent === undefined) {
    throw new TypeError("it has an output schema and returned no structuredContent");
  }
  const checked = await output.validate(result.structuredContent);
  if (!checked.ok) {
    throw new TypeError(limited(`structuredContent does not fit its schema: ${issueText(checked.issues)}`));
  }
  return result;
}

function toolExtra(call: ToolCall, own: RunningCall): ToolExtra {
  const { meta } = call;
  const toolUseId = meta?.["claudecode/toolUseId"];
  const token = meta?.progressToken;
  return {
    get signal() {
      call.listens();
      return own.signal;
    },
    toolUseId: typeof toolUseId === "string" ? toolUseId : undefined,
    _meta: meta,
    sendNotification: (notification) => call.sendNotification(notification),
    sendProgress(progress, total, message) {
      own.restart();
      if (token === undefined || own.aborted) return Promise.resolve();
      const params = {
        progressToken: token,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      return call.sendNotification({ method: "notifications/progress", params });
    },
  };
}

/** The `_meta` of a call, if it has one. */
export function callMeta(params: unknown): JsonObject | undefined {
  const meta = isJsonObject(params) ? params._meta : undefined;
  return isJsonObject(meta) ? meta : undefined;
}

function limited(text: string): string {
  return text.length <= MAX_ISSUE_TEXT ? text : `${text.slice(0, MAX_ISSUE_TEXT)}…`;
}
