import type { OpenString } from "../messages/unknown.ts";
import type { PermissionBehavior } from "../options/permissions.ts";

/** A rule in words, in three parts, so that what it is about can be set off. */
export interface SDKPermissionRuleDescription {
  /** What comes first. */
  prefix: string;
  /** What it is about: a tool, the beginning of a command. */
  emphasis?: string;
  /** What comes last. */
  suffix?: string;
}

/** A permission rule in force. */
export interface SDKPermissionRuleEntry {
  /** What becomes of a call that fits. */
  behavior: PermissionBehavior;
  /** Where the rule stands: a settings file, the command line, or only in the session. */
  source: OpenString<
    | "userSettings"
    | "projectSettings"
    | "localSettings"
    | "policySettings"
    | "flagSettings"
    | "cliArg"
    | "command"
    | "session"
    | "hostCredential"
    | "mcpMount"
    | "mcpServerPolicy"
    | "toolsNarrowing"
  >;
  /** As it is written: `Bash(ls:*)`. */
  rule: string;
  /** The same in words. */
  description?: SDKPermissionRuleDescription;
  /** Whether it can be taken away, and for how long that lasts. */
  editability: OpenString<"persistent" | "session" | "readonly">;
  /** True for a rule that another one, or the mode, takes the effect from. */
  notInEffect?: boolean;
}

/** A folder that tools may work in beside the session's own. */
export interface SDKPermissionWorkspaceDirectory {
  /** Its path. */
  path: string;
  /** Where it was allowed. */
  source: string;
  /** Whatever else is said of it; nothing has been checked. */
  [key: string]: unknown;
}

/** Rules and folders in force. */
export interface SDKControlPermissionRulesState {
  /** The rules. */
  rules: SDKPermissionRuleEntry[];
  /** Folders beside the session's own. */
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  /** The folder the session began in. */
  originalCwd: string;
  /** Only managed rules count. */
  managedOnly: boolean;
  /** True if rules are kept back from this list. */
  withheld?: boolean;
  /** What could not be read in settings files: which one, the place in it, and what is wrong. */
  errors?: { file?: string; path: string; message: string }[];
}

/** The answer to the control request `list_permission_rules`. */
export interface SDKControlListPermissionRulesResponse {
  /** As they are now. */
  state: SDKControlPermissionRulesState;
}
