import type { OpenString } from "../../messages/unknown.ts";

/** An entry in the list of models to choose from. */
export interface ModelPickerOption {
  /** The model's name. */
  model: string;
  /** What it is called in the list. */
  label?: string;
  /** A line about it. */
  description?: string;
  /** The model whose abilities it has. */
  behavesAs?: string;
}

/** What a model costs, in US dollars for a million tokens; from 0 to 10,000. */
export interface ModelPrice {
  /** Tokens sent. */
  input: number;
  /** Tokens received. */
  output: number;
  /** Tokens read from the cache. */
  cacheRead: number;
  /** Tokens written to the cache. */
  cacheWrite: number;
}

/** Settings for one model. Other keys pass through. */
export interface SettingsOfModel {
  /** How much work an answer is worth. */
  effortLevel?: OpenString<"low" | "medium" | "high" | "xhigh">;
  /** The most that can be chosen. */
  maxEffortLevel?: OpenString<"low" | "medium" | "high" | "xhigh" | "max">;
  /** Tokens after which a conversation is summed up: 100,000 at least, or `auto`. */
  autoCompactWindow?: number | "auto";
  /** Other keys pass through. */
  [key: string]: unknown;
}

/** Settings of models, thinking and the context. */
export interface ModelSettings {
  /** The model to start with. */
  model?: string;
  /** Models to turn to when it is overloaded, in this order. */
  fallbackModel?: string[];
  /** Models that may be chosen. */
  availableModels?: string[];
  /** Managed: the default model has to be one of those, too. */
  enforceAvailableModels?: boolean;
  /** Managed: whether entries of that list are whole names or beginnings. */
  availableModelsMatch?: OpenString<"exact" | "prefix">;
  /** Managed: models that may not be chosen. See `matchDeniedModels`. */
  deniedModels?: string[];
  /** What a provider calls a model, by the model's own name. */
  modelOverrides?: Record<string, string>;
  /** What the list of models to choose from shows. */
  modelPicker?: { options: ModelPickerOption[]; replaceBuiltInOptions?: boolean };
  /** What models cost, for the sums that are shown. The multiplier is at most 10. */
  modelPricing?: { multiplier?: number; overrides?: Record<string, ModelPrice> };
  /** Settings by model. */
  modelSettings?: Record<string, SettingsOfModel>;
  /** The model that is asked for advice. */
  advisorModel?: string;
  /** How much work an answer is worth. */
  effortLevel?: OpenString<"low" | "medium" | "high" | "xhigh">;
  /** The most that can be chosen. */
  maxEffortLevel?: OpenString<"low" | "medium" | "high" | "xhigh" | "max">;
  /** The model thinks before it answers. */
  alwaysThinkingEnabled?: boolean;
  /** Prompts may turn into workflows of many agents. */
  ultracode?: boolean;
  /** Answers come faster and cost more. */
  fastMode?: boolean;
  /** That has to be chosen anew in each session. */
  fastModePerSessionOptIn?: boolean;
  /** Another model takes over when this one refuses. */
  switchModelsOnFlag?: boolean;
  /** Work goes on by itself when a limit of usage is over. */
  autoContinueAtUsageLimit?: boolean;
  /** A long conversation is summed up by itself. */
  autoCompactEnabled?: boolean;
  /** Tokens after which that happens; 100,000 at least. */
  autoCompactWindow?: number;
  /** The summary is prepared before it is needed. */
  precomputeCompactionEnabled?: boolean;
  /** A conversation that rests is summed up. */
  idleCompaction?: boolean;
  /** How long the service keeps a prompt cached. */
  promptCacheTtl?: OpenString<"5m" | "1h">;
  /** The same for subagents. */
  subagentPromptCacheTtl?: OpenString<"5m" | "1h">;
}
