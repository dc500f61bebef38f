import type { SDKSystemFrame } from "./frame.ts";
import type { OpenString } from "./unknown.ts";

/** What the three hook messages share. They report command hooks of settings; callbacks of this program make none. */
export interface HookLifecycle extends SDKSystemFrame {
  /** Names this run of the hook. */
  hook_id: string;
  /** `Event:subject`, or just the event. */
  hook_name: string;
  /** The event. */
  hook_event: string;
}

/** A command hook began. Other events than SessionStart and Setup only with `includeHookEvents`. */
export interface SDKHookStartedMessage extends HookLifecycle {
  /** The kind. */
  subtype: "hook_started";
}

/** A command hook wrote something; the texts are cumulative. */
export interface SDKHookProgressMessage extends HookLifecycle {
  /** The kind. */
  subtype: "hook_progress";
  /** What it wrote so far. */
  stdout: string;
  /** What it complained of so far. */
  stderr: string;
  /** Both streams together. */
  output: string;
}

/** A command hook is over. */
export interface SDKHookResponseMessage extends HookLifecycle {
  /** The kind. */
  subtype: "hook_response";
  /** Both streams together. */
  output: string;
  /** What it wrote so far. */
  stdout: string;
  /** What it complained of so far. */
  stderr: string;
  /** How the command ended. */
  exit_code?: number;
  /** How the hook ended. */
  outcome: OpenString<"success" | "error" | "cancelled">;
}
