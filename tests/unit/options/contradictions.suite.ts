import { assert } from "chai";
import {
  checkContradictions,
  CONTRADICTIONS,
  NOT_AVAILABLE,
  type Options,
  validateOptions,
} from "../../../src/core/options/mod.ts";
import { refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";

const canUseTool = () => Promise.resolve(null);
const onQuestion = () => Promise.resolve(null);
const store = { append: () => Promise.resolve(), load: () => Promise.resolve(null) };
const sessionId = "5b3c2f10-9b7a-4c7f-8f43-4b1d5f2c7e11";
const transport = {} as NonNullable<NonNullable<Options["tether"]>["transport"]>;

/** For each contradiction: options that have it, and the nearest ones that do not. */
const CASES: Readonly<Record<string, { readonly with: readonly Options[]; readonly without: readonly Options[] }>> = {
  two_permission_channels: {
    with: [{ canUseTool, permissionPromptToolName: "t" }],
    without: [{ canUseTool }, { permissionPromptToolName: "t" }, { canUseTool, permissionPromptToolName: "" }],
  },
  question_channel_taken: {
    with: [{ tether: { onQuestion }, permissionPromptToolName: "t" }],
    without: [{ tether: { onQuestion }, canUseTool }, { tether: { onQuestion } }],
  },
  gate_without_callback: {
    with: [{ tether: { gateAll: true } }, { tether: { gateAll: true, onQuestion } }],
    without: [{ tether: { gateAll: true }, canUseTool }, { tether: { gateAll: false } }],
  },
  gate_without_host: {
    with: [{ tether: { gateAll: true }, canUseTool, permissionPrompts: "none" }],
    without: [{ tether: { gateAll: true }, canUseTool, permissionPrompts: "host" }, { permissionPrompts: "none" }],
  },
  fallback_is_model: {
    with: [{ model: "opus", fallbackModel: "opus" }],
    without: [{ model: "opus", fallbackModel: "opus,haiku" }, { fallbackModel: "opus" }, {
      model: "",
      fallbackModel: "",
    }],
  },
  dialogs_without_callback: {
    with: [{ supportedDialogKinds: ["x"] }],
    without: [{ supportedDialogKinds: [] }, { supportedDialogKinds: ["x"], onUserDialog: canUseTool }],
  },
  resume_and_continue: {
    with: [{ resume: "a", continue: true }],
    without: [{ resume: "a", continue: false }, { resume: "", continue: true }],
  },
  session_id_taken: {
    with: [{ sessionId, resume: "a" }, { sessionId, continue: true }],
    without: [{ sessionId, resume: "a", forkSession: true }, { sessionId }, { sessionId: "", resume: "a" }],
  },
  point_without_resume: {
    with: [{ resumeSessionAt: "a" }, { resumeSessionAt: "a", continue: true }],
    without: [{ resumeSessionAt: "a", resume: "b" }, { resumeSessionAt: "" }],
  },
  drop_without_point: {
    with: [{ resumeDropsTurn: "a", resume: "b" }, { resumeDropsTurn: "" }],
    without: [{ resumeDropsTurn: "", resumeSessionAt: "a", resume: "b" }],
  },
  sandbox_beside_file: {
    with: [{ sandbox: {}, settings: "/a.json" }, { sandbox: {}, extraArgs: { settings: "/a.json" } }],
    without: [{ sandbox: {}, settings: ' {"a":1}' }, { sandbox: {}, settings: {} }, { sandbox: {}, settings: "" }],
  },
  store_without_disk: {
    with: [{ sessionStore: store, persistSession: false }],
    without: [{ sessionStore: store, persistSession: true }, { persistSession: false }],
  },
  store_and_checkpoints: {
    with: [{ sessionStore: store, enableFileCheckpointing: true }],
    without: [{ sessionStore: store }, { enableFileCheckpointing: true }],
  },
  store_cannot_list: {
    with: [{ sessionStore: store, continue: true }],
    without: [
      { sessionStore: store, resume: "a" },
      { sessionStore: { ...store, listSessions: () => Promise.resolve([]) }, continue: true },
    ],
  },
  two_config_dirs: {
    with: [{ tether: { configDir: "/a", extraEnv: { CLAUDE_CONFIG_DIR: "/b" } } }],
    without: [
      { tether: { configDir: "/a", extraEnv: { CLAUDE_CONFIG_DIR: "/a" } } },
      { tether: { configDir: "/a" }, env: { CLAUDE_CONFIG_DIR: "/b" } },
    ],
  },
  isolated_and_named: {
    with: [{ tether: { isolateConfig: true, configDir: "/a" } }],
    without: [{ tether: { isolateConfig: false, configDir: "/a" } }],
  },
  isolated_and_resumed: {
    with: [{ tether: { isolateConfig: true }, resume: "x" }, { tether: { isolateConfig: true }, continue: true }],
    without: [
      { tether: { isolateConfig: false }, resume: "x" },
      { tether: { isolateConfig: true }, continue: false, resume: "" },
      { tether: { isolateConfig: true }, sessionId: "x", persistSession: false },
    ],
  },
  isolated_and_account: {
    with: [{ tether: { isolateConfig: true }, user: "nobody" }],
    without: [{ user: "nobody" }, { tether: { isolateConfig: true } }],
  },
  isolated_transport: {
    with: [{ tether: { isolateConfig: true, transport } }],
    without: [{ tether: { transport } }],
  },
  transport_and_spawner: {
    with: [{ tether: { transport }, spawnClaudeCodeProcess: () => ({}) as never }],
    without: [{ tether: { transport } }, { spawnClaudeCodeProcess: () => ({}) as never }],
  },
};

export default suite("contradictions", (test) => {
  test("every row of the table has its cases here", () => {
    assert.sameMembers(CONTRADICTIONS.map(({ id }) => id), Object.keys(CASES));
  });

  test("J11, K08, K11: each holds where it should and nowhere near", () => {
    for (const { id, holds } of CONTRADICTIONS) {
      for (const options of CASES[id]?.with ?? []) assert.isTrue(holds(options), `${id} with ${Object.keys(options)}`);
      for (const options of CASES[id]?.without ?? []) {
        assert.isFalse(holds(options), `${id} without ${Object.keys(options)}`);
      }
    }
  });

  test("what holds is refused before anything is started, by the option's path", () => {
    for (const { id, option } of CONTRADICTIONS) {
      for (const options of CASES[id]?.with ?? []) {
        // Where two rows hold, the first one speaks.
        const first = CONTRADICTIONS.find(({ holds }) => holds(options));
        assert.equal(refusedOption(() => checkContradictions(options)), first?.option);
        if (first?.id === id) assert.equal(first.option, option);
      }
    }
  });

  test("what is typed and cannot be served says so", () => {
    const given: Record<string, Options> = {
      session_store: { sessionStore: store },
      worker: { tether: { worker: true } as Options["tether"] },
    };
    for (const { id, option } of NOT_AVAILABLE) {
      assert.equal(refusedOption(() => validateOptions(given[id] ?? {})), option, id);
    }
  });

  test("bypassPermissions without its allow flag stays legal", () => {
    validateOptions({ permissionMode: "bypassPermissions" });
  });
});
