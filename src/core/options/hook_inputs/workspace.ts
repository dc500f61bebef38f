import type { OpenString } from "../../messages/unknown.ts";
import type { BaseHookInput } from "./base.ts";

/** Settings or skills changed on disk. */
export interface ConfigChangeHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "ConfigChange";
  /** Whose settings. */
  source: OpenString<"user_settings" | "project_settings" | "local_settings" | "policy_settings" | "skills">;
  /** The file. */
  file_path?: string;
}

/** A memory file was read. */
export interface InstructionsLoadedHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "InstructionsLoaded";
  /** The file. */
  file_path: string;
  /** Whose it is. */
  memory_type: OpenString<"User" | "Project" | "Local" | "Managed">;
  /** Why it was read. */
  load_reason: OpenString<"session_start" | "nested_traversal" | "path_glob_match" | "include" | "compact">;
  /** The patterns it is for. */
  globs?: string[];
  /** The file that made it be read. */
  trigger_file_path?: string;
  /** The file that includes it. */
  parent_file_path?: string;
}

/** A worktree is wanted; the hook makes it. */
export interface WorktreeCreateHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "WorktreeCreate";
  /** What it is to be called. */
  name: string;
}

/** A worktree is no longer wanted. */
export interface WorktreeRemoveHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "WorktreeRemove";
  /** Where it is. */
  worktree_path: string;
}

/** The working directory changed. Not seen by callbacks (CLI 2.1.332), neither for `cd` in Bash nor for the worktree tools. */
export interface CwdChangedHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "CwdChanged";
  /** The directory until now. */
  old_cwd: string;
  /** The directory from now on. */
  new_cwd: string;
}

/** A watched file changed: one of the `watchPaths` that a SessionStart callback gave (CLI 2.1.332). */
export interface FileChangedHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "FileChanged";
  /** The file. */
  file_path: string;
  /** What happened to it. */
  event: OpenString<"change" | "add" | "unlink">;
}

/** A directory was added to the session. */
export interface DirectoryAddedHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "DirectoryAdded";
  /** The directory. */
  directory: string;
  /** Who added it. */
  source: OpenString<"slash_command" | "register_repo_root">;
}
