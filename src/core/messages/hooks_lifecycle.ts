import type { OpenString } from "./unknown.ts";

/** What the three hook messages share. They report command hooks of settings; callbacks of this program make none. */
export interface HookLifecycle {
  type: "system";
  hook_id: string;
  /** `Event:subject`, or just the event. */
  hook_name: string;
  hook_event: string;
  uuid: string;
  session_id: string;
}

/** A command hook began. Other events than SessionStart and Setup only with `includeHookEvents`. */
export interface SDKHookStartedMessage extends HookLifecycle {
  subtype: "hook_started";
}

/** A command hook wrote something; the texts are cumulative. */
export interface SDKHookProgressMessage extends HookLifecycle {
  subtype: "hook_progress";
  stdout: string;
  stderr: string;
  output: string;
}

/** A command hook is over. */
export interface SDKHookResponseMessage extends HookLifecycle {
  subtype: "hook_response";
  output: string;
  stdout: string;
  stderr: string;
  exit_code?: number;
  outcome: OpenString<"success" | "error" | "cancelled">;
}
