import { OptionError } from "../errors/option_error.ts";
import type { Options } from "./options.ts";
import { readSettings } from "./settings_text.ts";

/** Options that cannot work together. */
export interface Contradiction {
  /** A word to name it by. */
  readonly id: string;
  /** Path of the option at fault. */
  readonly option: string;
  /** Follows the option's path in the message. */
  readonly problem: string;
  /** Whether these options have it. */
  holds(options: Options): boolean;
}

/** An option that counts as unset when it is empty, as in the peers. */
const given = (value: string | undefined): boolean => value !== undefined && value !== "";

/**
 * Every combination that fails at once, before anything is started.
 *
 * `bypassPermissions` without `allowDangerouslySkipPermissions` is not in here: the CLI decides on that, as with its peers.
 */
export const CONTRADICTIONS: readonly Contradiction[] = [
  {
    id: "two_permission_channels", // J11
    option: "permissionPromptToolName",
    problem: "cannot be used with canUseTool: one of the two answers permission questions",
    holds: (o) => given(o.permissionPromptToolName) && o.canUseTool !== undefined,
  },
  {
    id: "question_channel_taken",
    option: "permissionPromptToolName",
    problem: "cannot be used with tether.onQuestion: questions travel the same way",
    holds: (o) => given(o.permissionPromptToolName) && o.tether?.onQuestion !== undefined,
  },
  {
    id: "gate_without_callback",
    option: "tether.gateAll",
    problem: "needs canUseTool: that is what every call asks",
    holds: (o) => o.tether?.gateAll === true && o.canUseTool === undefined,
  },
  {
    id: "gate_without_host",
    option: "tether.gateAll",
    problem: 'cannot be used with permissionPrompts "none": nobody would be asked',
    holds: (o) => o.tether?.gateAll === true && o.permissionPrompts === "none",
  },
  {
    id: "fallback_is_model",
    option: "fallbackModel",
    problem: "must differ from model",
    holds: (o) => given(o.fallbackModel) && o.fallbackModel === o.model,
  },
  {
    id: "dialogs_without_callback", // K08
    option: "supportedDialogKinds",
    problem: "needs onUserDialog: a dialog that is announced must be shown",
    holds: (o) => (o.supportedDialogKinds?.length ?? 0) > 0 && o.onUserDialog === undefined,
  },
  {
    // With both, CLI 2.1.332 goes on with the latest conversation and says nothing about the other one.
    id: "resume_and_continue",
    option: "continue",
    problem: "cannot be used with resume: each names a conversation",
    holds: (o) => o.continue === true && given(o.resume),
  },
  {
    id: "session_id_taken", // K11
    option: "sessionId",
    problem: "with resume or continue needs forkSession: a session keeps its id",
    holds: (o) => given(o.sessionId) && (given(o.resume) || o.continue === true) && o.forkSession !== true,
  },
  {
    id: "point_without_resume",
    option: "resumeSessionAt",
    problem: "needs resume",
    holds: (o) => given(o.resumeSessionAt) && !given(o.resume),
  },
  {
    id: "drop_without_point",
    option: "resumeDropsTurn",
    problem: "needs resumeSessionAt",
    holds: (o) => o.resumeDropsTurn !== undefined && !given(o.resumeSessionAt),
  },
  {
    id: "sandbox_beside_file",
    option: "sandbox",
    problem: "cannot be merged into settings that are named by a path: give the settings themselves",
    holds: (o) => o.sandbox !== undefined && readSettings("settings", effectiveSettings(o)).kind === "path",
  },
  {
    id: "store_without_disk",
    option: "sessionStore",
    problem: "cannot be used with persistSession false: what is mirrored must first be written",
    holds: (o) => o.sessionStore !== undefined && o.persistSession === false,
  },
  {
    id: "store_and_checkpoints",
    option: "sessionStore",
    problem: "cannot be used with enableFileCheckpointing: file backups are not mirrored",
    holds: (o) => o.sessionStore !== undefined && o.enableFileCheckpointing === true,
  },
  {
    id: "store_cannot_list",
    option: "sessionStore",
    problem: "needs listSessions() for continue",
    holds: (o) => o.sessionStore !== undefined && o.continue === true && o.sessionStore.listSessions === undefined,
  },
  {
    id: "two_config_dirs",
    option: "tether.configDir",
    problem: "says something else than CLAUDE_CONFIG_DIR in tether.extraEnv",
    holds: (o) => {
      const dir = o.tether?.configDir;
      const other = o.tether?.extraEnv?.CLAUDE_CONFIG_DIR;
      return dir !== undefined && other !== undefined && dir !== other;
    },
  },
  {
    id: "isolated_and_named",
    option: "tether.isolateConfig",
    problem: "cannot be used with tether.configDir: it makes a directory of its own",
    holds: (o) => o.tether?.isolateConfig === true && o.tether.configDir !== undefined,
  },
  {
    id: "isolated_and_resumed",
    option: "tether.isolateConfig",
    problem: "cannot be used with resume or continue: the directory it makes holds no earlier session",
    holds: (o) => o.tether?.isolateConfig === true && (given(o.resume) || o.continue === true),
  },
  {
    id: "isolated_and_account",
    option: "tether.isolateConfig",
    problem: "cannot be used with user: that account could not read the directory it makes",
    holds: (o) => o.tether?.isolateConfig === true && o.user !== undefined,
  },
  {
    id: "isolated_transport",
    option: "tether.isolateConfig",
    problem: "cannot be used with tether.transport: nothing is started",
    holds: (o) => o.tether?.isolateConfig === true && o.tether.transport !== undefined,
  },
  {
    id: "transport_and_spawner",
    option: "tether.transport",
    problem: "cannot be used with spawnClaudeCodeProcess: nothing is started",
    holds: (o) => o.tether?.transport !== undefined && o.spawnClaudeCodeProcess !== undefined,
  },
];

/** The settings that count: the option, else what `extraArgs` names. */
export function effectiveSettings(options: Options): Options["settings"] | null {
  if (options.settings !== undefined && options.settings !== "") return options.settings;
  return options.extraArgs?.settings;
}

/** Options that are named and typed, and that this version cannot serve. A silent no would be worse than an error. */
export const NOT_AVAILABLE: readonly Contradiction[] = [
  {
    id: "session_store",
    option: "sessionStore",
    problem: "is not available in this version",
    holds: (o) => o.sessionStore !== undefined,
  },
  {
    id: "worker",
    option: "tether.worker",
    problem: "is not available in this version",
    holds: (o) => (o.tether as { readonly worker?: unknown } | undefined)?.worker !== undefined,
  },
];

/**
 * Checks options against both tables.
 *
 * @throws {OptionError} for the first contradiction there is, or the first option that is not available.
 */
export function checkContradictions(options: Options): void {
  for (const { holds, option, problem } of [...CONTRADICTIONS, ...NOT_AVAILABLE]) {
    if (holds(options)) throw new OptionError(option, problem);
  }
}
