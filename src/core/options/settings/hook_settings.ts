import type { HookEvent } from "../hook_inputs.ts";

/** What every hook of a settings file can say. */
export interface SettingsHookCommon {
  /** A permission rule: the hook runs for calls it matches. */
  if?: string;
  /** Seconds until it is given up. */
  timeout?: number;
  /** What is shown while it runs. */
  statusMessage?: string;
  /** It runs once in a session. */
  once?: boolean;
}

/** One hook of a settings file, by its type. */
export type SettingsHook =
  & SettingsHookCommon
  & (
    | {
      /** Runs a command. */
      type: "command";
      command: string;
      /** Arguments; with them no shell is used. */
      args?: string[];
      shell?: "bash" | "powershell";
      /** Nobody waits for it. */
      async?: boolean;
      /** Nobody waits for it, and the model is woken if it ends with 2. */
      asyncRewake?: boolean;
      onFailure?: "block" | "continue";
    }
    | {
      /** Asks a model. */
      type: "prompt";
      prompt: string;
      model?: string;
      /** A no goes back to the model instead of ending the turn. */
      continueOnBlock?: boolean;
    }
    | {
      /** Asks an agent that has tools. */
      type: "agent";
      prompt: string;
      model?: string;
    }
    | {
      /** Calls a URL. */
      type: "http";
      url: string;
      headers?: Record<string, string>;
      /** Variables whose values may stand in headers. */
      allowedEnvVars?: string[];
      onFailure?: "block" | "continue";
    }
    | {
      /** Calls a tool of an MCP server. */
      type: "mcp_tool";
      server: string;
      tool: string;
      input?: Record<string, unknown>;
      onFailure?: "block" | "continue";
    }
  );

/** Hooks of a settings file, and which subjects of an event they are for. */
export interface SettingsHookMatcher {
  /** A name, several joined by `|`, or a regular expression. Left out: everything. */
  matcher?: string;
  /** What runs. */
  hooks: SettingsHook[];
}

/** A command whose output is shown. */
export interface StatusLineSettings {
  /** What it is. */
  type: "command";
  /** The command. It is given the session as JSON. */
  command: string;
  /** Blanks beside it. */
  padding?: number;
  /** Seconds after which it runs again; 1 at least. */
  refreshInterval?: number;
  /** It shows the editor's mode itself. */
  hideVimModeIndicator?: boolean;
}

/** Settings of hooks and of commands whose output is shown. */
export interface HookSettings {
  /** Hooks by event. */
  hooks?: Partial<Record<HookEvent, SettingsHookMatcher[]>>;
  /** No hook of any settings runs. */
  disableAllHooks?: boolean;
  /** Managed: only managed hooks run, and those of a host. */
  allowManagedHooksOnly?: boolean;
  /** The status line. */
  statusLine?: StatusLineSettings;
  /** The line about a subagent. */
  subagentStatusLine?: { type: "command"; command: string };
  /** A command that finds files for the `@` of a prompt. */
  fileSuggestion?: { type: "command"; command: string };
}
