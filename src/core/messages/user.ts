import type { ContentBlockParam } from "./content_blocks.ts";
import type { SDKMessageOrigin } from "./origin.ts";

/** What a user line says, as the service takes it. */
export interface UserMessageBody {
  /** Always the same. */
  role: "user";
  /** Text, or blocks. */
  content: string | ContentBlockParam[];
}

/**
 * A user line. The same shape goes both ways: it is what a prompt iterable yields, and what the CLI writes for tool
 * results and for texts of its own.
 *
 * On input only `type` and `message` are needed; the CLI ends itself on a line without a `message` whose role is `user`.
 */
export interface SDKUserMessage {
  /** The kind. */
  type: "user";
  /** What it says. */
  message: UserMessageBody;
  /** The `tool_use` id of the Agent call when it belongs to a subagent. May be left out on input. */
  parent_tool_use_id?: string | null;
  /** A text that no user typed; on input the CLI marks it so for the model. */
  isSynthetic?: boolean;
  /** The tool's own structured output, beside the text the model reads. Output only. */
  tool_use_result?: unknown;
  /** `now` stops the running turn and goes first; otherwise lines wait or are folded into the running turn. */
  priority?: "now" | "next" | "later";
  /** Who or what it comes from. */
  origin?: SDKMessageOrigin;
  /** `false` adds the line to the conversation without a turn; an empty result still comes. */
  shouldQuery?: boolean;
  /** When, as ISO text. */
  timestamp?: string;
  /** The text was put together by a program: no slash commands, no `@` mentions. */
  client_composed?: true;
  /** Names the line in receipts, results and `rewindFiles`; stamped when missing. */
  uuid?: string;
  /** Texts that were pasted; the CLI appends them to the prompt in tags of their own. */
  pasted_content?: UserMessageBody["content"][];
  /** Pasted texts that stand in the message already. */
  inline_pastes?: string[];
  /** May be left out on input. */
  session_id?: string;
  /** The subagent it belongs to. */
  agent_id?: string;
  /** Which kind of subagent. */
  subagent_type?: string;
  /** What the subagent is to do. */
  task_description?: string;
  /** Never set on this kind; {@linkcode SDKUserMessageReplay} has `true`. A compaction summary carries `false`. */
  isReplay?: false;
  /** The refusal that the CLI answers with this text. Outside the peer's types (CLI 2.1.332). */
  refused_message_id?: string;
  /** It asks the model once more after a refusal. Outside the peer's types (CLI 2.1.332). */
  refusal_retry?: true;
  /** Why each call in here ran or did not. Outside the peer's types (CLI 2.1.332). */
  tool_result_meta?: {
    id: string;
    permission_decision?: { decision: string; source: string; reason_type?: string };
    non_execution_kind?: string;
  }[];
}

/** The echo of a line sent before, or the output of a local command. */
export interface SDKUserMessageReplay extends Omit<SDKUserMessage, "isReplay" | "uuid" | "session_id"> {
  /** The line that is echoed. */
  uuid: string;
  /** The session it belongs to. */
  session_id: string;
  /** Tells it from a new line. */
  isReplay: true;
  /** What was attached to it. */
  file_attachments?: unknown[];
}
