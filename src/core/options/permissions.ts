import type { OpenString } from "../messages/unknown.ts";

/**
 * Who is asked before a tool runs.
 *
 * `default` asks; `acceptEdits` lets file edits in the working directory pass; `plan` only plans; `dontAsk` refuses what
 * it would ask; `auto` lets a classifier decide; `bypassPermissions` asks nobody.
 */
export type PermissionMode = OpenString<
  "default" | "acceptEdits" | "bypassPermissions" | "plan" | "dontAsk" | "auto"
>;

/**
 * What a rule does. A tool that is denied as a whole is taken away: the model reads that there is no such tool
 * (CLI 2.1.332).
 */
export type PermissionBehavior = "allow" | "deny" | "ask";

/**
 * Where a changed rule is kept. Only `session` and `cliArg` leave the disk alone. `projectSettings` is written at once, but
 * holds for the running session only in a folder that the user trusts (CLI 2.1.332).
 */
export type PermissionUpdateDestination =
  | "userSettings"
  | "projectSettings"
  | "localSettings"
  | "session"
  | "cliArg";

/** A rule taken apart: `Bash(git log:*)` is `{ toolName: "Bash", ruleContent: "git log:*" }`. */
export interface PermissionRuleValue {
  /** The tool. */
  toolName: string;
  /** What stands in the parentheses. */
  ruleContent?: string;
}

/** A change of permissions, as suggested by the CLI and as given back to it. */
export type PermissionUpdate =
  | {
    type: "addRules" | "replaceRules" | "removeRules";
    rules: PermissionRuleValue[];
    behavior: PermissionBehavior;
    destination: PermissionUpdateDestination;
  }
  | { type: "setMode"; mode: PermissionMode; destination: PermissionUpdateDestination }
  | {
    type: "addDirectories" | "removeDirectories";
    directories: string[];
    destination: PermissionUpdateDestination;
  };

/** How a person's answer is to be remembered in the transcript. */
export type PermissionDecisionClassification = "user_temporary" | "user_permanent" | "user_reject";

/** The answer of a permission callback. */
export type PermissionResult =
  | {
    behavior: "allow";
    /** Runs the tool with this input. Left out: the input the model gave. */
    updatedInput?: Record<string, unknown>;
    /** Applied in order. */
    updatedPermissions?: PermissionUpdate[];
    toolUseID?: string;
    decisionClassification?: PermissionDecisionClassification;
  }
  | {
    behavior: "deny";
    /** The model reads it. */
    message: string;
    /** Ends the turn too. */
    interrupt?: boolean;
    toolUseID?: string;
    decisionClassification?: PermissionDecisionClassification;
  };

/** Which MCP server a tool belongs to, and where that server was declared. */
export interface McpServerProvenance {
  /** The server. */
  name: string;
  /** Where it was declared. */
  source: string;
}

/** What a permission callback is told beside the tool's name and input. What the CLI left out is left out here. */
export interface PermissionContext {
  /** Aborts when the CLI takes the question back; an answer given after that is not sent. */
  signal: AbortSignal;
  /** Changes that would spare the next question of this kind. */
  suggestions?: PermissionUpdate[];
  /** The path that made the CLI ask. */
  blockedPath?: string;
  /** The MCP server the tool belongs to. */
  mcpServer?: McpServerProvenance;
  /** Why the CLI asks, in words. */
  decisionReason?: string;
  /** What kind of reason that is. An `ask` rule that alone made it ask is told by `rule` here. */
  decisionReasonType?: OpenString<
    | "rule"
    | "mode"
    | "subcommandResults"
    | "permissionPromptTool"
    | "hook"
    | "asyncAgent"
    | "sandboxOverride"
    | "workingDir"
    | "safetyCheck"
    | "classifier"
    | "other"
  >;
  /** A whole sentence for a dialog. */
  title?: string;
  /** The tool's name for people. */
  displayName?: string;
  /** What the call does: a Bash description, a file name, a URL. */
  description?: string;
  /** A dialog should have "no" as its first choice. */
  defaultToNo?: boolean;
  /** A dialog should not offer "always". */
  suppressAlwaysAllowRule?: boolean;
  /** Pairs the question with the `tool_use` block. */
  toolUseID: string;
  /** Set when a subagent asks. */
  agentID?: string;
  /** Names the question for `query.answerPermission()`, after the callback returned `null`. */
  requestId: string;
  /** An `ask` rule for the whole tool, where the call would have been asked about without it too (CLI 2.1.332). */
  matchedAskRule?: { source: string; toolName: string; ruleContent?: string };
}

/**
 * Decides whether a tool may run. Called only for calls that rules, hooks and the mode leave open.
 *
 * `null` leaves the question open: answer it later with `query.answerPermission(requestId, result)`. A callback that
 * throws, or returns anything else than an answer, denies the call.
 */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: PermissionContext,
) => Promise<PermissionResult | null>;
