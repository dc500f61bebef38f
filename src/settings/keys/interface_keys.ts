import { anything, either, flag, list, number, oneOf, record, text, texts, textThat } from "../rules/rule.ts";
import { object } from "../rules/object_rule.ts";
import { guard, type KeyRules, lenient, mildChoice, same } from "./key_rule.ts";

const THEMES = ["auto", "dark", "light", "dark-daltonized", "light-daltonized", "dark-ansi", "light-ansi"];

const attribution = object(
  { commit: text, pr: text, sessionUrl: { ...flag, strictest: false } },
  { open: true, keepsRest: true },
);

/** What a person sees and types. */
export const INTERFACE_KEYS: KeyRules = {
  ...same(text, "outputStyle", "language", "prUrlTemplate", "timeFormat", "timeZone"),
  ...same(
    flag,
    "respectGitignore",
    "workflowKeywordTriggerEnabled",
    "bashEditDiffEnabled",
    "respondToBashCommands",
    "spinnerTipsEnabled",
    "syntaxHighlightingDisabled",
    "terminalTitleFromRename",
    "promptSuggestionEnabled",
    "emojiCompletionEnabled",
    "prefersReducedMotion",
    "showThinkingSummaries",
    "verbose",
    "autoScrollEnabled",
    "wheelScrollAccelerationEnabled",
    "showTurnDuration",
    "showMessageTimestamps",
    "terminalProgressBarEnabled",
    "todoFeatureEnabled",
    "inputNeededNotifEnabled",
    "agentPushNotifEnabled",
    "voiceEnabled",
  ),
  viewMode: mildChoice("default", "verbose", "focus"),
  defaultView: oneOf(["chat", "transcript"]),
  tui: oneOf(["default", "fullscreen"]),
  theme: lenient(
    either("a theme", oneOf(THEMES), textThat((value) => value.startsWith("custom:"), "a theme of your own")),
  ),
  editorMode: mildChoice("normal", "vim"),
  keybindingFlavor: mildChoice("classic", "readline"),
  vimInsertModeRemaps: lenient(record(anything)),
  preferredNotifChannel: mildChoice(
    "auto",
    "iterm2",
    "iterm2_with_bell",
    "terminal_bell",
    "kitty",
    "ghostty",
    "notifications_disabled",
  ),
  spellcheck: lenient(object(
    { enabled: lenient(flag), checker: lenient(text), language: lenient(text), color: lenient(text) },
    { open: true },
  )),
  spinnerVerbs: object({ mode: oneOf(["append", "replace"]), verbs: texts() }, { required: ["mode", "verbs"] }),
  spinnerTipsOverride: lenient(object({
    excludeDefault: lenient(flag),
    tips: {
      ...list(either("text or an object", text, record(anything)), { keepsRest: "everyone", mayEmpty: true }),
      otherwise: [],
    },
    tipsFile: lenient(text),
    label: lenient(text),
  }, { open: true })),
  footerLinksRegexes: lenient(
    list(object({ type: text }, { required: ["type"], open: true }), { keepsRest: "everyone", mayEmpty: true }),
  ),
  maxProseWidth: lenient(number({ whole: true, from: 40 })),
  companyAnnouncements: texts(),
  voice: object({ enabled: flag, mode: oneOf(["hold", "tap"]), autoSubmit: flag }),
  feedbackSurveyRate: number({ from: 0, to: 1 }),
  feedbackDrafts: { ...oneOf(["notify", "quiet", "off"]), strictest: "off", guards: true, nullable: true },
  askUserQuestionTimeout: mildChoice("60s", "5m", "10m", "never"),
  dialogExpiry: mildChoice("60s", "5m", "10m", "never"),
  disableDeepLinkRegistration: { ...oneOf(["disable"]), strictest: "disable", nullable: true, falseUnsets: true },
  attribution: {
    members: attribution.members ?? {},
    read(value, at) {
      if (value === true) return {};
      return value === false ? { commit: "", pr: "", sessionUrl: false } : attribution.read(value, at);
    },
    strictest: { sessionUrl: false },
  },
  attributionProject: text,
  attributionProjectPolicy: {
    ...lenient(object({ default: text }, { keepsRest: true })),
    managedOnly: true,
  },
  ...same(flag, "includeCoAuthoredBy", "includeGitInstructions"),
  ...same(guard(true), "disableWindowsBashCommandSplit"),
};
