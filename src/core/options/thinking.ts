import type { OpenString } from "../messages/unknown.ts";

/** How much work an answer is worth. */
export type EffortLevel = OpenString<"low" | "medium" | "high" | "xhigh" | "max">;

/** How thinking is shown. */
export type ThinkingDisplay = OpenString<"summarized" | "omitted">;

/** The model decides when and how much it thinks. */
export interface ThinkingAdaptive {
  /** The kind. */
  type: "adaptive";
  /** How it is shown. */
  display?: ThinkingDisplay | undefined;
}

/** The model thinks, within a budget. Without a budget this is the same as `adaptive`. */
export interface ThinkingEnabled {
  /** The kind. */
  type: "enabled";
  /** Tokens. */
  budgetTokens?: number | undefined;
  /** How it is shown. */
  display?: ThinkingDisplay | undefined;
}

/** The model does not think. */
export interface ThinkingDisabled {
  /** The kind. */
  type: "disabled";
}

/** Whether and how the model thinks before it answers. */
export type ThinkingConfig = ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled;
