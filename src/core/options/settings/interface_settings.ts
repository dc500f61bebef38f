import type { OpenString } from "../../messages/unknown.ts";

/** How long a question waits for an answer. */
export type QuestionPatience = OpenString<"60s" | "5m" | "10m" | "never">;

/** Settings of what a person sees, hears and types. */
export interface InterfaceSettings {
  /** How the model writes. */
  outputStyle?: string;
  /** The language it answers in. */
  language?: string;
  /** Colours; `custom:` and a name for one's own. */
  theme?: string;
  /** How text is edited. */
  editorMode?: OpenString<"normal" | "vim">;
  /** Which keys the editor has. */
  keybindingFlavor?: OpenString<"classic" | "readline">;
  /** Keys typed while inserting, and what they mean. */
  vimInsertModeRemaps?: { [key: string]: unknown };
  /** How the screen is drawn. */
  tui?: OpenString<"default" | "fullscreen">;
  /** How much of the conversation is shown. */
  viewMode?: OpenString<"default" | "verbose" | "focus">;
  /** What is shown first. */
  defaultView?: OpenString<"chat" | "transcript">;
  /** Results of tools are shown in full. */
  verbose?: boolean;
  /** Nothing moves. */
  prefersReducedMotion?: boolean;
  /** New text scrolls into view. */
  autoScrollEnabled?: boolean;
  /** The wheel scrolls faster the faster it is turned. */
  wheelScrollAccelerationEnabled?: boolean;
  /** Code has no colours. */
  syntaxHighlightingDisabled?: boolean;
  /** Columns of running text; 40 at least. */
  maxProseWidth?: number;
  /** Spelling. Other keys pass through. */
  spellcheck?: { enabled?: boolean; checker?: string; language?: string; color?: string; [key: string]: unknown };
  /** How times are written. */
  timeFormat?: string;
  /** The time zone they are in. */
  timeZone?: string;
  /** A renamed session names the terminal. */
  terminalTitleFromRename?: boolean;
  /** The terminal shows progress. */
  terminalProgressBarEnabled?: boolean;
  /** How long a turn took is shown. */
  showTurnDuration?: boolean;
  /** When a message came is shown. */
  showMessageTimestamps?: boolean;
  /** What the model thought is shown in short. */
  showThinkingSummaries?: boolean;
  /** Prompts are suggested. */
  promptSuggestionEnabled?: boolean;
  /** Names of emoji are completed. */
  emojiCompletionEnabled?: boolean;
  /** Edits made by commands are shown. */
  bashEditDiffEnabled?: boolean;
  /** The model answers to commands typed with `!`. */
  respondToBashCommands?: boolean;
  /** Finding files leaves out what git ignores. */
  respectGitignore?: boolean;
  /** The list of things to do is used. */
  todoFeatureEnabled?: boolean;
  /** A word in a prompt starts a workflow. */
  workflowKeywordTriggerEnabled?: boolean;
  /** Tips are shown while one waits. */
  spinnerTipsEnabled?: boolean;
  /** Tips of one's own. Other keys pass through. */
  spinnerTipsOverride?: {
    excludeDefault?: boolean;
    tips?: (string | { [key: string]: unknown })[];
    tipsFile?: string;
    label?: string;
    [key: string]: unknown;
  };
  /** Words for what the model is doing. */
  spinnerVerbs?: { mode: OpenString<"append" | "replace">; verbs: string[] };
  /** Texts in the output that become links below it. Other kinds pass through. */
  footerLinksRegexes?: { type: string; pattern?: string; url?: string; label?: string; [key: string]: unknown }[];
  /** The URL of a pull request, made of `{host}`, `{owner}`, `{repo}`, `{number}`, `{url}`. */
  prUrlTemplate?: string;
  /** Lines shown at the start, one at a time. */
  companyAnnouncements?: string[];
  /** How often one is asked for an opinion, from 0 to 1. */
  feedbackSurveyRate?: number;
  /** What happens with feedback the model drafted. */
  feedbackDrafts?: OpenString<"notify" | "quiet" | "off">;
  /** How long a question of the model waits. */
  askUserQuestionTimeout?: QuestionPatience;
  /** How long any dialog waits. */
  dialogExpiry?: QuestionPatience;
  /** How one is told that a session waits. */
  preferredNotifChannel?: OpenString<
    "auto" | "iterm2" | "iterm2_with_bell" | "terminal_bell" | "kitty" | "ghostty" | "notifications_disabled"
  >;
  /** The telephone is told that an answer is needed. */
  inputNeededNotifEnabled?: boolean;
  /** The model may write to the telephone. */
  agentPushNotifEnabled?: boolean;
  /** Dictation. */
  voice?: { enabled?: boolean; mode?: OpenString<"hold" | "tap">; autoSubmit?: boolean };
  /** The older form of `voice.enabled`. */
  voiceEnabled?: boolean;
  /** Links of the CLI's own scheme are not registered. */
  disableDeepLinkRegistration?: "disable";
  /** How commits and pull requests name the model; `false` for not at all. Other keys pass through. */
  attribution?: boolean | { commit?: string; pr?: string; sessionUrl?: boolean; [key: string]: unknown };
  /** The project that work is counted for. */
  attributionProject?: string;
  /** Managed: the project where none is named. */
  attributionProjectPolicy?: { default?: string };
  /** The older form of `attribution`: commits name the model. */
  includeCoAuthoredBy?: boolean;
  /** The model is told how to commit and open pull requests. */
  includeGitInstructions?: boolean;
}
