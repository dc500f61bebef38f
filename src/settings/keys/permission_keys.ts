import { ABSENT, flag, list, oneOf, type Rule, texts, textThat } from "../rules/rule.ts";
import { object } from "../rules/object_rule.ts";
import { permissionRule } from "../rules/permission_rule.ts";
import { guard, innerGuard, type KeyRules, same } from "./key_rule.ts";

const disable: Rule = { ...oneOf(["disable"]), strictest: "disable", falseUnsets: true };
/** Paths; what is no text counts as the empty one. */
const paths: Rule = { ...list({ ...textThat(() => true, "text"), otherwise: "" }), otherwise: ABSENT };

/** Who is asked, and what an invalid object of rules counts as in managed settings: the strictest there is. */
export const PERMISSION_KEYS: KeyRules = {
  permissions: {
    ...object({
      allow: list(permissionRule("allow"), { keepsRest: "everyone", mayEmpty: true }),
      deny: list(permissionRule("deny"), { keepsRest: "everyone" }),
      ask: list(permissionRule("ask"), { keepsRest: "everyone" }),
      defaultMode: {
        ...oneOf(["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"], { manual: "default" }),
        strictest: "default",
        guards: true,
      },
      disableBypassPermissionsMode: disable,
      disableAutoMode: disable,
      blockReadsOutsideWorkingDirectories: innerGuard(true),
      blockWritesOutsideWorkingDirectories: innerGuard(true),
      denyInsteadOfPrompting: innerGuard(true),
      blockReadsExemptPaths: paths,
      workingDirectoriesAsGiven: paths,
      workingDirectoriesExclude: paths,
      additionalDirectories: texts({ keepsRest: "managed" }),
    }, {
      open: true,
      keepsRest: true,
      // Without what is denied, what is allowed would be more than was meant.
      takes: { deny: ["allow", "additionalDirectories"], ask: ["allow", "additionalDirectories"] },
    }),
    strictest: {
      disableBypassPermissionsMode: "disable",
      blockReadsOutsideWorkingDirectories: true,
      blockWritesOutsideWorkingDirectories: true,
      disableAutoMode: "disable",
      denyInsteadOfPrompting: true,
    },
  },
  autoMode: {
    ...object({
      allow: texts({ keepsRest: "managed" }),
      soft_deny: texts({ keepsRest: "managed" }),
      hard_deny: texts({ keepsRest: "managed" }),
      environment: texts({ keepsRest: "managed" }),
      classifyAllShell: innerGuard(true),
    }, {
      keepsRest: true,
      takes: { soft_deny: ["allow", "environment"], hard_deny: ["allow", "environment"] },
      takesForParts: true,
    }),
    strictest: { classifyAllShell: true },
  },
  disableAutoMode: { ...disable, nullable: true },
  ...same(guard(true), "allowManagedPermissionRulesOnly"),
  ...same(guard(false), "skipDangerousModePermissionPrompt", "skipAutoPermissionPrompt", "useAutoModeDuringPlan"),
  showClearContextOnPlanAccept: flag,
};
