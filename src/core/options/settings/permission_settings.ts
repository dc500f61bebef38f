import type { PermissionMode } from "../permissions.ts";
import type { SandboxSettings } from "../sandbox.ts";

/** Permission rules of a settings file. */
export interface PermissionSettings {
  /** Rules whose calls run unasked. */
  allow?: string[];
  /** Rules whose calls are refused. */
  deny?: string[];
  /** Rules whose calls are always asked about. */
  ask?: string[];
  /** The mode a session starts in. */
  defaultMode?: PermissionMode;
  /** Takes that mode away. */
  disableBypassPermissionsMode?: "disable";
  /** Takes that mode away. */
  disableAutoMode?: "disable";
  /** Directories a session may work in beside its own. */
  additionalDirectories?: string[];
  /** Nothing outside the working directories is read. */
  blockReadsOutsideWorkingDirectories?: boolean;
  /** Nothing outside the working directories is written. */
  blockWritesOutsideWorkingDirectories?: boolean;
  /** Paths that are read all the same. */
  blockReadsExemptPaths?: string[];
  /** Working directories whose links are not resolved. */
  workingDirectoriesAsGiven?: string[];
  /** Paths in working directories that do not count as such. */
  workingDirectoriesExclude?: string[];
  /** What would be asked is refused. */
  denyInsteadOfPrompting?: boolean;
  /** Other keys pass through. */
  [key: string]: unknown;
}

/** What the classifier of the mode `auto` is told, each as sentences. `$defaults` stands for what it is told anyway. */
export interface AutoModeSettings {
  /** What is fine. */
  allow?: string[];
  /** What is refused unless the user asked for it. */
  soft_deny?: string[];
  /** What is always refused. */
  hard_deny?: string[];
  /** What it should know about the surroundings. */
  environment?: string[];
  /** Every command is classified, not only those that run code of others. */
  classifyAllShell?: boolean;
}

/** Settings of what may be done, and where. */
export interface AccessSettings {
  /** Rules and modes. */
  permissions?: PermissionSettings;
  /** The sandbox commands run in. */
  sandbox?: SandboxSettings;
  /** The mode `auto`. */
  autoMode?: AutoModeSettings;
  /** Takes the mode `auto` away. */
  disableAutoMode?: "disable";
  /** Planning classifies calls as the mode `auto` does. */
  useAutoModeDuringPlan?: boolean;
  /** Managed: only managed permission rules count. */
  allowManagedPermissionRulesOnly?: boolean;
  /** The user has agreed to the mode that asks nothing. */
  skipDangerousModePermissionPrompt?: boolean;
  /** The user has agreed to the mode `auto`. */
  skipAutoPermissionPrompt?: boolean;
  /** Accepting a plan offers to forget the conversation before it. */
  showClearContextOnPlanAccept?: boolean;
}
