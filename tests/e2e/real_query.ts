/** One query on the real CLI, with what it did: the scene of most end-to-end bodies. */
import { assert } from "chai";
import { existsSync } from "node:fs";
import {
  type Diagnostic,
  type HookCallback,
  type Options,
  type Query,
  query,
  type SDKMessage,
  type SDKUserMessage,
} from "../../mod.ts";
import { type ModelScript, type ScriptedModel, scriptedModel, type ScriptLines } from "../../src/testing/mod.ts";
import type { TestContext } from "../harness/suite.ts";
import { cliEnvFor, type CliHome, makeCliHome, pinnedCli } from "./real_cli.ts";

/** How the CLI's process ended. */
export type Exit = Extract<Diagnostic, { kind: "process_exited" }>;

/** What a scene is made of. */
export interface SceneOptions {
  readonly script: ScriptLines | ModelScript;
  readonly prompt: Parameters<typeof query>[0]["prompt"] | ((scene: Scene) => AsyncIterable<SDKUserMessage>);
  readonly options?: Options | ((scene: Scene) => Options);
}

/** A query, its model, and everything that was seen. */
export class Scene {
  readonly model: ScriptedModel;
  readonly folders: CliHome;
  readonly diagnostics: Diagnostic[] = [];
  readonly messages: SDKMessage[] = [];
  /** What PreToolUse saw, if `watch` is used: the command, or the tool's name. */
  readonly hooked: string[] = [];
  query!: Query;

  constructor(model: ScriptedModel, folders: CliHome) {
    this.model = model;
    this.folders = folders;
  }

  /** Starts the model and the query; both are gone when the body is over. */
  static async start(t: TestContext, given: SceneOptions): Promise<Scene> {
    const folders = await makeCliHome(t);
    const model = await scriptedModel(given.script);
    t.cleanup(() => model.close());
    const scene = new Scene(model, folders);
    const prompt = typeof given.prompt === "function" ? given.prompt(scene) : given.prompt;
    const options = typeof given.options === "function" ? given.options(scene) : given.options;
    scene.query = query({ prompt, options: scene.options(options) });
    t.cleanup(() => scene.query.close());
    return scene;
  }

  /** Options that run the pinned CLI against the model and note what happens. */
  options(given: Options = {}): Options {
    return {
      pathToClaudeCodeExecutable: pinnedCli().path,
      cwd: this.folders.cwd,
      env: cliEnvFor(this.model, this.folders),
      ...given,
      tether: {
        onDiagnostic: (event) => this.diagnostics.push(event),
        // Whether the CLI leaves by itself must not depend on how busy the machine is.
        timeouts: { graceMs: 60_000 },
        ...given.tether,
      },
    };
  }

  /** A PreToolUse hook that notes each command and has it say "hooked" first: only its answer can bring that about. */
  get watch(): NonNullable<Options["hooks"]> {
    const note: HookCallback<"PreToolUse"> = ({ tool_name, tool_input }) => {
      const { command, ...rest } = tool_input as { readonly command?: unknown };
      this.hooked.push(typeof command === "string" ? command : tool_name);
      if (typeof command !== "string") return Promise.resolve({});
      const updatedInput = { ...rest, command: `echo hooked; ${command}` };
      return Promise.resolve({
        hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput },
      });
    };
    return { PreToolUse: [{ hooks: [note] }] };
  }

  /** What the model was sent of a tool, in its nth request (from 0). */
  toolOutput(request: number): string | undefined {
    return this.model.requests[request]?.lastToolResult()?.text;
  }

  /** Reads to the end. */
  async drain(): Promise<readonly SDKMessage[]> {
    for await (const message of this.query) this.messages.push(message);
    return this.messages;
  }

  /** Reads until a message fits; it is part of `messages` then. */
  async until(fits: (message: SDKMessage) => boolean): Promise<SDKMessage> {
    for (;;) {
      const item = await this.query.next();
      if (item.done) throw new Error(`The query ended before the message came; it gave: ${this.kinds().join(", ")}`);
      this.messages.push(item.value);
      if (fits(item.value)) return item.value;
    }
  }

  /** What came, in short: `type` or `type/subtype`. */
  kinds(): string[] {
    return this.messages.map((message) =>
      "subtype" in message && typeof message.subtype === "string" ? `${message.type}/${message.subtype}` : message.type
    );
  }

  /** The results, in order. */
  results(): Extract<SDKMessage, { type: "result" }>[] {
    return this.messages.filter((message) => message.type === "result");
  }

  /**
   * How the process ended, having checked that it is gone, that it ended like `expected`, and that a signal of ours was
   * needed only if that says `forced`.
   */
  gone(expected: Partial<Exit> = {}): Exit {
    const exits = this.diagnostics.filter((event): event is Exit => event.kind === "process_exited");
    assert.lengthOf(exits, 1, "the process ended once");
    const exit = exits[0] as Exit;
    assert.isNumber(exit.pid);
    if (existsSync("/proc/self")) assert.isFalse(existsSync(`/proc/${exit.pid}`), "the process is reaped");
    assert.deepInclude(exit, expected);
    if (expected.forced === false) assert.notInclude(this.diagnostics.map((event) => event.kind), "process_forced");
    return exit;
  }
}

/** It left by itself, all being done. */
export const DONE: Partial<Exit> = { code: 0, signal: null, forced: false };
/** It left by itself after its turn was cut short: an error result makes its code 1. */
export const CUT_SHORT: Partial<Exit> = { code: 1, signal: null, forced: false };

/** One text as a user message. */
export function userMessage(content: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" };
}

/** Texts of the assistant's messages, in order. */
export function texts(messages: readonly SDKMessage[]): string[] {
  return messages.flatMap((message) =>
    message.type === "assistant"
      ? message.message.content.flatMap((block) => block.type === "text" ? [String(block.text)] : [])
      : []
  );
}
