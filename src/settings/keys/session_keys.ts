import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { ABSENT, either, entriesOf, flag, list, number, oneOf, text, texts } from "../rules/rule.ts";
import { object } from "../rules/object_rule.ts";
import { guard, type KeyRules, lenient, mildChoice, same } from "./key_rule.ts";

const milliseconds = { whole: true, to: 2_147_483_647 };

/** Sessions: where they run, what is kept of them, what runs beside them; and what steers managed settings. */
export const SESSION_KEYS: KeyRules = {
  ...same(text, "$schema", "processWrapper", "agent", "plansDirectory", "autoMemoryDirectory", "claudeMd"),
  ...same(flag, "disableReplyCheck", "autoMemoryEnabled", "autoDreamEnabled"),
  ...same(
    guard(true),
    "disableAgentView",
    "disableRemoteControl",
    "disableWorkflows",
    "disableArtifact",
    "isolatePeerMachines",
  ),
  ...same(
    guard(false),
    "enableArtifact",
    "enableWorkflows",
    "fileCheckpointingEnabled",
    "remoteControlAtStartup",
    "autoUploadSessions",
  ),
  env: {
    read(value, at) {
      if (!isJsonObject(value)) return at.fail("must be an object");
      const kept: JsonObject = {};
      for (const [name, written] of entriesOf(value)) kept[name] = String(written);
      return Object.keys(kept).length === 0 && at.reader === "managed" ? ABSENT : kept;
    },
  },
  claudeMdExcludes: texts(),
  cleanupPeriodDays: number({ whole: true, above: 0 }),
  desktopSessionCleanupPeriodDays: number({ whole: true, from: 0 }),
  bashOutputMaxChars: lenient(number({ whole: true, above: 0 })),
  taskOutputMaxChars: lenient(number({ whole: true, above: 0 })),
  defaultShell: oneOf(["bash", "powershell"]),
  worktree: {
    ...object({
      symlinkDirectories: texts({ keepsRest: "managed" }),
      sparsePaths: texts({ keepsRest: "managed" }),
      baseRef: oneOf(["fresh", "head"]),
      bgIsolation: { ...oneOf(["worktree", "none"]), otherwise: ABSENT, strictest: "worktree", guards: true },
      location: lenient(text),
    }, { keepsRest: true }),
    strictest: { bgIsolation: "worktree" },
  },
  workflowSizeGuideline: oneOf(["unrestricted", "small", "medium", "large"]),
  teammateMode: mildChoice("auto", "in-process", "iterm2", "tmux"),
  remote: object({ defaultEnvironmentId: text }),
  daemonColdStart: oneOf(["transient", "ask"]),
  crossSessionInbound: {
    ...oneOf(["accept", "hold", "refuse"]),
    otherwise: ABSENT,
    strictest: "refuse",
    nullIsInvalid: true,
  },
  sshConfigs: list(object({
    id: text,
    name: text,
    sshHost: text,
    sshPort: number({ whole: true }),
    sshIdentityFile: text,
    startDirectory: text,
  }, { required: ["id", "name", "sshHost"] })),

  parentSettingsBehavior: oneOf(["first-wins", "merge"]),
  managedSourcesBehavior: oneOf(["first-wins", "merge"]),
  policyHelper: lenient(object({
    path: text,
    timeoutMs: { ...number({ ...milliseconds, from: 1000 }), nullable: true },
    refreshIntervalMs: {
      ...either("0, or a number from 60000", oneOfZero(), number({ ...milliseconds, from: 60_000 })),
      nullable: true,
    },
  }, { required: ["path"] })),
};

function oneOfZero(): ReturnType<typeof number> {
  return number({ from: 0, to: 0 });
}
