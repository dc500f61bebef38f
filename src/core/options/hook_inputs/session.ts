import type { OpenString } from "../../messages/unknown.ts";
import type { BaseHookInput } from "./base.ts";

/**
 * A session begins. Sent to a callback for `clear` and `compact`; never for `startup`, `resume` and `fork`, which are over
 * before callbacks exist (CLI 2.1.332).
 */
export interface SessionStartHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "SessionStart";
  /** How it begins. */
  source: OpenString<"startup" | "resume" | "clear" | "compact" | "fork">;
  /** Which kind of agent. */
  agent_type?: string;
  /** The model. */
  model?: string;
  /** The session's title. */
  session_title?: string;
  /** How long a resumed session has been silent. */
  seconds_since_last_response?: number;
  /** Tokens of the conversation. */
  context_tokens?: number;
  /** What the service had cached of it is probably gone. */
  prompt_cache_likely_expired?: boolean;
  /** What filling the cache again would cost. US dollars. */
  estimated_cache_write_usd?: number;
}

/** Why a session ended. */
export type ExitReason = OpenString<"clear" | "resume" | "logout" | "prompt_input_exit" | "other">;

/** A session ends. Sent to a callback on `/clear`, not at the end of input (CLI 2.1.332). */
export interface SessionEndHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "SessionEnd";
  /** Why. */
  reason: ExitReason;
}

/** The CLI sets itself up. Not sent to callbacks (CLI 2.1.332). */
export interface SetupHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "Setup";
  /** What set it off. */
  trigger: OpenString<"init" | "maintenance">;
}

/** The conversation is about to be summed up. */
export interface PreCompactHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PreCompact";
  /** What set it off. */
  trigger: OpenString<"manual" | "auto">;
  /** What the user said the summary should hold. */
  custom_instructions: string | null;
}

/** The conversation was summed up. */
export interface PostCompactHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "PostCompact";
  /** What set it off. */
  trigger: OpenString<"manual" | "auto">;
  /** The summary. */
  compact_summary: string;
}

/** What both model switch hooks are told. */
export interface ModelSwitchHookInput extends BaseHookInput {
  /** The model until now. */
  from_model: string;
  /** The model from now on. */
  to_model: string;
  /** What was asked for; `null` for the default. */
  requested_model: string | null;
  /** Tokens of the conversation. */
  context_tokens: number;
  /** The service still has the conversation cached. */
  prompt_cache_warm: boolean;
  /** How long the service caches. */
  cache_ttl: OpenString<"5m" | "1h">;
  /** What filling the cache again would cost. US dollars. */
  estimated_cache_write_usd: number;
  /** Where the price comes from. */
  pricing: OpenString<"configured" | "catalog" | "default">;
}

/** Another model is about to take over. Not sent when it is the one that is there already (CLI 2.1.332). */
export interface PreModelSwitchHookInput extends ModelSwitchHookInput {
  /** The event. */
  hook_event_name: "PreModelSwitch";
  /** Who switches. */
  source: OpenString<"command" | "picker" | "sdk">;
}

/** Another model took over. */
export interface PostModelSwitchHookInput extends ModelSwitchHookInput {
  /** The event. */
  hook_event_name: "PostModelSwitch";
  /** Who switched. */
  source: OpenString<"command" | "picker" | "sdk" | "auto" | "resume">;
}
