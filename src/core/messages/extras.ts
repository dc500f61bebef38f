import type { SDKFrame, SDKSystemFrame } from "./frame.ts";
import type { OpenString } from "./unknown.ts";

/**
 * What became of a user line: a receipt. Delivered for lines that were given a `uuid` by the prompt; `completed` comes
 * after the result. Outside the peer's types (CLI 2.1.332).
 */
export interface SDKCommandLifecycleMessage extends SDKFrame {
  /** The kind. */
  type: "command_lifecycle";
  /** The line. */
  command_uuid: string;
  /** How it stands. */
  state: OpenString<"queued" | "started" | "completed" | "cancelled">;
}

/** Another model took over because the first one is overloaded (`fallbackModel`). Outside the peer's types (CLI 2.1.332). */
export interface SDKModelFallbackMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "model_fallback";
  /** What made the change. */
  trigger: OpenString<"overloaded">;
  /** The model that was asked first. */
  original_model: string;
  /** The model that took over. */
  fallback_model: string;
  /** What it says to people. */
  content: string;
}

/** The session has another title. Outside the peer's types (CLI 2.1.332). */
export interface SDKSessionTitleChangedMessage extends SDKSystemFrame {
  /** The kind. */
  subtype: "session_title_changed";
  /** The title from now on. */
  title: string;
}
