import type { OpenString } from "../../messages/unknown.ts";

/** How worktrees are made. */
export interface WorktreeSettings {
  /** Folders that are linked, not copied. */
  symlinkDirectories?: string[];
  /** The only folders that are checked out. */
  sparsePaths?: string[];
  /** What a worktree begins with: the remote's branch, or what is checked out. */
  baseRef?: OpenString<"fresh" | "head">;
  /** Whether work in the background has to have one. */
  bgIsolation?: OpenString<"worktree" | "none">;
  /** Where they are made. */
  location?: string;
}

/** Settings of sessions: where they run, what is kept of them, what runs beside them. */
export interface SessionSettings {
  /** For editors. */
  $schema?: string;
  /** Variables for the session and what it starts. */
  env?: Record<string, string>;
  /** The agent that leads a conversation. */
  agent?: string;
  /** A command that is put before those the CLI starts. */
  processWrapper?: string;
  /** Days transcripts are kept; 1 at least. */
  cleanupPeriodDays?: number;
  /** Days the desktop app keeps sessions. */
  desktopSessionCleanupPeriodDays?: number;
  /** Edited files can be taken back. */
  fileCheckpointingEnabled?: boolean;
  /** Where plans are written. */
  plansDirectory?: string;
  /** The model keeps notes between sessions. */
  autoMemoryEnabled?: boolean;
  /** Where. */
  autoMemoryDirectory?: string;
  /** It puts them in order when nothing else is to do. */
  autoDreamEnabled?: boolean;
  /** Managed: instructions for every session. */
  claudeMd?: string;
  /** Files of instructions that are not read. */
  claudeMdExcludes?: string[];
  /** The shell for commands. */
  defaultShell?: OpenString<"bash" | "powershell">;
  /** Characters of a command's output that the model is shown. */
  bashOutputMaxChars?: number;
  /** Characters of a task's output that the model is shown. */
  taskOutputMaxChars?: number;
  /** On Windows, chained commands are not looked at one by one. */
  disableWindowsBashCommandSplit?: boolean;
  /** Answers are not checked before they are shown. */
  disableReplyCheck?: boolean;
  /** Worktrees. */
  worktree?: WorktreeSettings;
  /** Sessions in the cloud. */
  remote?: { defaultEnvironmentId?: string };
  /** Agents in the background are off. */
  disableAgentView?: boolean;
  /** Sessions cannot be steered from elsewhere. */
  disableRemoteControl?: boolean;
  /** They can from their start on. */
  remoteControlAtStartup?: boolean;
  /** Workflows are off. */
  disableWorkflows?: boolean;
  /** Workflows are on. */
  enableWorkflows?: boolean;
  /** How large a workflow may get. */
  workflowSizeGuideline?: OpenString<"unrestricted" | "small" | "medium" | "large">;
  /** Results are not published as pages. */
  disableArtifact?: boolean;
  /** Results may be published as pages. */
  enableArtifact?: boolean;
  /** How the members of a team are shown. */
  teammateMode?: OpenString<"auto" | "in-process" | "iterm2" | "tmux">;
  /** Sessions of other machines are not seen. */
  isolatePeerMachines?: boolean;
  /** What happens with messages of other sessions. */
  crossSessionInbound?: OpenString<"accept" | "hold" | "refuse">;
  /** What happens when the background service is not running. */
  daemonColdStart?: OpenString<"transient" | "ask">;
  /** Sessions are uploaded. */
  autoUploadSessions?: boolean;
  /** Machines the desktop app reaches by SSH. */
  sshConfigs?: {
    id: string;
    name: string;
    sshHost: string;
    sshPort?: number;
    sshIdentityFile?: string;
    startDirectory?: string;
  }[];
  /** Commands that list such machines. */
  sshHostCommands?: unknown[];
}

/** Settings about managed settings themselves. */
export interface ManagedControlSettings {
  /** Managed: a program that prints managed settings. The refresh is 0 for never, else a minute at least. */
  policyHelper?: { path: string; timeoutMs?: number; refreshIntervalMs?: number };
  /** Managed: whether what a host demands of its sessions is added to these settings. Default `first-wins`: it is not. */
  parentSettingsBehavior?: OpenString<"first-wins" | "merge">;
  /** Managed: whether weaker managed settings are added to these. Default `first-wins`: they are not. */
  managedSourcesBehavior?: OpenString<"first-wins" | "merge">;
  /** Managed: nothing starts until the server's settings are there. */
  forceRemoteSettingsRefresh?: boolean;
  /** Managed, on Windows: its settings count in its Linux subsystem, too. */
  wslInheritsWindowsSettings?: boolean;
}
