import { either, flag, list, number, oneOf, record, text, texts } from "../rules/rule.ts";
import { object } from "../rules/object_rule.ts";
import { allowedTexts, guard, type KeyRules, lenient, mildChoice, same } from "./key_rule.ts";

const EFFORTS = ["low", "medium", "high", "xhigh"];
const window = number({ whole: true, from: 100_000 });
const price = number({ from: 0, to: 10_000 });

/** Models, thinking, the context. */
export const MODEL_KEYS: KeyRules = {
  ...same(text, "model", "advisorModel"),
  fallbackModel: texts(),
  availableModels: allowedTexts,
  enforceAvailableModels: guard(true),
  availableModelsMatch: { ...oneOf(["exact", "prefix"]), strictest: "exact", guards: true, managedOnly: true },
  deniedModels: { ...texts({ keepsRest: "managed", mayEmpty: true }), managedOnly: true },
  modelOverrides: record(text),
  modelPicker: {
    ...lenient(object({
      options: list(
        object({ model: text, label: text, description: text, behavesAs: text }, { required: ["model"] }),
        { keepsRest: "everyone", mayEmpty: true },
      ),
      replaceBuiltInOptions: lenient(flag),
    }, { required: ["options"] })),
  },
  modelPricing: lenient(object({
    multiplier: lenient(number({ above: 0, to: 10 })),
    overrides: lenient(record(
      object({ input: price, output: price, cacheRead: price, cacheWrite: price }, {
        required: ["input", "output", "cacheRead", "cacheWrite"],
      }),
      { keepsRest: "everyone", mayEmpty: true },
    )),
  })),
  modelSettings: lenient(record(
    object({
      effortLevel: mildChoice(...EFFORTS),
      maxEffortLevel: mildChoice(...EFFORTS, "max"),
      autoCompactWindow: lenient(either('a number of tokens, or "auto"', oneOf(["auto"]), window)),
    }, { open: true }),
    { keepsRest: "everyone", mayEmpty: true },
  )),
  effortLevel: mildChoice(...EFFORTS),
  maxEffortLevel: mildChoice(...EFFORTS, "max"),
  ultracode: lenient(flag),
  autoCompactWindow: lenient(window),
  promptCacheTtl: mildChoice("5m", "1h"),
  subagentPromptCacheTtl: mildChoice("5m", "1h"),
  fastModePerSessionOptIn: guard(true),
  autoContinueAtUsageLimit: guard(false),
  ...same(
    flag,
    "alwaysThinkingEnabled",
    "fastMode",
    "switchModelsOnFlag",
    "autoCompactEnabled",
    "precomputeCompactionEnabled",
    "idleCompaction",
  ),
};
