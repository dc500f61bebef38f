/** Messages: narrowed by their type, kinds that nobody knows yet among them. */
import {
  type ContentBlock,
  isAssistantMessage,
  isResultMessage,
  type McpServerStatus,
  messageKind,
  query,
  type SDKAssistantMessage,
  type SDKControlPermissionRulesState,
  type SDKControlResponse,
  type SDKMessage,
  type SDKPartialAssistantMessage,
  type SDKResultMessage,
  type SDKSystemMessage,
  type SDKUserMessage,
} from "@tether/agent";
import type { Fails, Holds, IsAny, Same } from "../assertions.ts";

/** The union did not fall to `any`. */
export type NotAny = [Fails<IsAny<SDKMessage>>, Fails<IsAny<SDKMessage["type"]>>, Fails<IsAny<ContentBlock>>];

/** What the service says beside the text of an answer. */
export function asides({ message }: SDKAssistantMessage): string[] {
  const { container, context_management: context, diagnostics } = message;
  return [
    container?.id ?? "",
    container?.expires_at ?? "",
    container?.skills?.[0]?.skill_id ?? "",
    diagnostics?.cache_miss_reason?.type ?? "",
    ...context?.applied_edits.map((edit) =>
      edit.type === "clear_tool_uses_20250919" ? `${edit.cleared_tool_uses.toFixed()} calls` : edit.type
    ) ?? [],
    ...message.input_transformations?.map(({ type }) => type) ?? [],
  ];
}

/** Fields of answers that hosts of the CLI read. */
export function answers(
  state: SDKControlPermissionRulesState,
  { response }: SDKControlResponse,
  [server]: McpServerStatus[],
): unknown[] {
  const waiting = response.subtype === "success"
    ? [response.pending_user_dialog_requests, response.pending_elicitation_requests]
    : [];
  const ids: (string | undefined)[] = waiting.map((requests) => requests?.[0]?.request_id);
  return [state.withheld === true, state.errors?.[0]?.path.length, ids, server?.tools?.[0]?._meta?.["a"]];
}

/** Every type, and an arm for what is to come. */
export function label(message: SDKMessage): string {
  switch (message.type) {
    case "assistant": {
      const one: SDKAssistantMessage = message;
      return one.message.content.map(blockLabel).join() + (one.parent_tool_use_id ?? "") + (one.error ?? "");
    }
    case "user":
      return typeof message.message.content === "string" ? message.message.content : "blocks";
    case "result":
      return resultLabel(message);
    case "system":
      return systemLabel(message);
    case "stream_event":
      return eventLabel(message);
    case "tool_progress":
      return `${message.tool_name} ${message.elapsed_time_seconds}`;
    case "tool_use_summary":
      return message.summary;
    case "auth_status":
      return message.output.join();
    case "rate_limit_event":
      return message.rate_limit_info.status;
    case "prompt_suggestion":
      return message.suggestion;
    case "conversation_reset":
      return message.new_conversation_id;
    default:
      return messageKind(message);
  }
}

function resultLabel(message: SDKResultMessage): string {
  const { duration_ms, num_turns, total_cost_usd, usage, session_id, permission_denials } = message;
  const facts =
    `${duration_ms} ${num_turns} ${total_cost_usd} ${usage.input_tokens} ${usage.output_tokens} ${session_id}`;
  const models = Object.entries(message.modelUsage).map(([name, { costUSD }]) => `${name}: ${costUSD}`);
  const denied = permission_denials.map(({ tool_name }) => tool_name);
  if (message.subtype === "success") return [facts, ...models, ...denied, message.result].join();
  return [facts, ...models, ...denied, ...message.errors].join();
}

function systemLabel(message: Extract<SDKMessage, { type: "system" }>): string {
  switch (message.subtype) {
    case "init": {
      const init: SDKSystemMessage = message;
      return [init.model, init.cwd, init.permissionMode, ...init.tools, ...init.mcp_servers.map((s) => s.name)].join();
    }
    case "compact_boundary":
      return `${message.compact_metadata.trigger} ${message.compact_metadata.pre_tokens}`;
    case "status":
      return message.status ?? "";
    case "task_started":
      return message.description;
    case "task_notification":
      return message.summary;
    case "hook_response":
      return message.hook_name;
    case "permission_denied":
      return message.tool_name;
    case "session_state_changed":
      return message.state;
    default:
      return message.subtype;
  }
}

function blockLabel(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "tool_use":
      return `${block.name} ${block.id} ${JSON.stringify(block.input)}`;
    default:
      return block.type;
  }
}

function eventLabel({ event }: SDKPartialAssistantMessage): string {
  if (event.type === "content_block_start" && event.content_block.type === "tool_use") return event.content_block.name;
  if (event.type === "content_block_delta" && event.delta.type === "text_delta") return event.delta.text;
  return event.type;
}

/** What a prompt gives. */
export async function* prompts(): AsyncGenerator<SDKUserMessage> {
  yield { type: "user", message: { role: "user", content: "first" } };
  await Promise.resolve();
  const image = { type: "base64" as const, media_type: "image/png" as const, data: "" };
  yield {
    type: "user",
    session_id: "",
    parent_tool_use_id: null,
    uuid: "11111111-1111-4111-8111-111111111111",
    message: { role: "user", content: [{ type: "text", text: "second" }, { type: "image", source: image }] },
  };
}

/** Guards narrow as comparisons do. */
export async function texts(): Promise<string[]> {
  const found: string[] = [];
  for await (const message of query({ prompt: prompts() })) {
    const _: Same<typeof message, SDKMessage> = true;
    if (isAssistantMessage(message)) found.push(...message.message.content.map(blockLabel));
    if (isResultMessage(message) && message.subtype === "success") found.push(message.result);
    if (message.type === "system" && message.subtype === "init") found.push(message.session_id);
    if ("session_id" in message) found.push(String(message.session_id));
  }
  return found;
}

/** A filter keeps its type. */
export type Filtered = Holds<Same<ReturnType<typeof onlyResults>, SDKResultMessage[]>>;
/** By a plain comparison. */
export function onlyResults(messages: SDKMessage[]): SDKResultMessage[] {
  return messages.filter((message) => message.type === "result");
}
