/** That messages narrow, although kinds that nobody knows yet are among them. */
import {
  type AssistantMessageBody,
  type ContentBlock,
  messageKind,
  type SDKAssistantMessage,
  type SDKKnownMessage,
  type SDKMessage,
  type SDKPartialAssistantMessage,
  type SDKResultError,
  type SDKResultMessage,
  type SDKResultSuccess,
  type SDKSystemMessage,
  type SDKTaskStartedMessage,
  type SDKUnknownMessage,
  type SDKUnknownSystemMessage,
  type SDKUserMessage,
  type SDKUserMessageReplay,
} from "../../src/core/messages/mod.ts";
import type { Fails, Fits, Holds, IsAny, Same } from "./assertions.ts";

/** The union is neither `any` nor swallowed by its unknown arm. */
export type NotAny = [
  Fails<IsAny<SDKMessage>>,
  Fails<IsAny<SDKMessage["type"]>>,
  Fails<Same<SDKMessage["type"], string>>,
  Fails<IsAny<ContentBlock>>,
  Fails<Fits<SDKUnknownMessage, SDKKnownMessage>>,
];

/** `switch (type)` leaves exactly the kind. */
export function byType(message: SDKMessage): string {
  switch (message.type) {
    case "assistant": {
      const _: Same<typeof message, SDKAssistantMessage> = true;
      const body: AssistantMessageBody = message.message;
      return body.model;
    }
    case "user": {
      const _: Same<typeof message, SDKUserMessage | SDKUserMessageReplay> = true;
      if (message.isReplay === true) {
        const _: Same<typeof message, SDKUserMessageReplay> = true;
        return message.uuid;
      }
      return message.message.role;
    }
    case "result": {
      const _: Same<typeof message, SDKResultMessage> = true;
      if (message.subtype === "success") {
        const _: Same<typeof message, SDKResultSuccess> = true;
        return message.result;
      }
      const __: Same<typeof message, SDKResultError> = true;
      return message.errors.join();
    }
    case "stream_event": {
      const _: Same<typeof message, SDKPartialAssistantMessage> = true;
      if (message.event.type === "content_block_delta" && message.event.delta.type === "text_delta") {
        return message.event.delta.text;
      }
      return message.uuid;
    }
    case "system":
      return bySubtype(message);
    case "tool_progress":
      return message.tool_name;
    case "rate_limit_event":
      return message.rate_limit_info.status;
    case "prompt_suggestion":
      return message.suggestion;
    case "conversation_reset":
      return message.new_conversation_id;
    case "tool_use_summary":
      return message.summary;
    case "auth_status":
      return message.output.join();
    case "active_goal":
      return message.value?.condition ?? "";
    case "command_lifecycle":
      return message.command_uuid;
    default: {
      const _: Same<typeof message, SDKUnknownMessage> = true;
      const kind: string = message.type;
      const anything: unknown = message.whatever;
      return kind + String(anything);
    }
  }
}

function bySubtype(message: Extract<SDKMessage, { type: "system" }>): string {
  switch (message.subtype) {
    case "init": {
      const _: Same<typeof message, SDKSystemMessage> = true;
      return message.tools.join();
    }
    case "task_started": {
      const _: Same<typeof message, SDKTaskStartedMessage> = true;
      return message.task_id;
    }
    case "status":
      return message.status ?? "none";
    case "compact_boundary":
      return message.compact_metadata.trigger;
    case "api_retry":
      return message.error;
    default:
      return messageKind(message);
  }
}

/** A comparison narrows as a `switch` does, and an unknown subtype of `system` stays a system message. */
export function byComparison(message: SDKMessage): string | undefined {
  if (message.type === "system" && message.subtype === "hook_response") return message.outcome;
  if (message.type !== "assistant") return undefined;
  return message.message.content.flatMap((block) => block.type === "text" ? [block.text] : []).join();
}

/** Blocks are open, too. */
export function byBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.signature;
    case "tool_use":
      return block.name + Object.keys(block.input).join();
    case "tool_result":
      return block.tool_use_id;
    default:
      return block.type;
  }
}

/** A filter by a word keeps its type. */
export const results = (messages: readonly SDKMessage[]): SDKResultMessage[] =>
  messages.filter((message) => message.type === "result");

/** What is said of unknown kinds. */
export type UnknownArms = [
  Holds<Fits<SDKUnknownMessage, SDKMessage>>,
  Holds<Fits<SDKUnknownSystemMessage, SDKMessage>>,
  Holds<Fits<SDKUnknownMessage["type"], string>>,
];

/** What a prompt yields may leave out everything but what the CLI needs. */
export const shortest: SDKUserMessage = { type: "user", message: { role: "user", content: "hello" } };

/** The form of the peer is fine as well. */
export const peers: SDKUserMessage = {
  type: "user",
  session_id: "",
  parent_tool_use_id: null,
  message: {
    role: "user",
    content: [
      { type: "text", text: "look", cache_control: { type: "ephemeral" } },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "" } },
    ],
  },
};

/** Blocks as other packages type them fit into a prompt. */
export const foreign = (input: unknown, content: { type: "browser_state" }[]): SDKUserMessage => ({
  type: "user",
  message: {
    role: "user",
    content: [{ type: "tool_use", id: "x", name: "y", input }, { type: "tool_result", tool_use_id: "x", content }],
  },
});
