import type { Query } from "../../client/query_interface.ts";
import type { Diagnostic } from "../../core/diagnostics.ts";
import type { JsonObject } from "../../core/json.ts";
import type {
  ClarifyingQuestion,
  ElicitationResult,
  HookEvent,
  PermissionResult,
  UserDialogResult,
} from "../../core/options/mod.ts";
import type {
  AskCallbackOptions,
  ElicitationAsk,
  PermissionAskOptions,
  QuestionReply,
  ToolCallOptions,
} from "./callback_asks.ts";
import type { HookFields } from "./hook_fields.ts";
import type { HookVerdict } from "./hook_verdict.ts";
import type { ListedTool, ToolReply } from "./server_session.ts";

/** The callbacks of some options, asked as the CLI asks them. */
export interface TestedCallbacks {
  /**
   * Something happens: every callback whose matcher fits is called, all at once. Settles with what the CLI is answered and
   * what that comes to.
   *
   * @param fields What the test cares about; the rest of the input is filled in. One that is undefined is left out.
   * @throws {ScriptError} if the options have no hook for the event, or no answer comes in time.
   */
  hook<Event extends HookEvent>(
    event: Event,
    fields?: HookFields<Event>,
    options?: AskCallbackOptions,
  ): Promise<HookVerdict>;
  /**
   * Asks `canUseTool` (or, for questions, `onQuestion`) about a call that the CLI has left open. Settles with what the CLI
   * is answered. Rules of settings, modes and `PreToolUse` hooks are not looked at: the CLI asks them first.
   *
   * A callback that returns `null` leaves the question open until `query.answerPermission()` is called.
   *
   * @throws {ScriptError} if the options have no callback for permissions, or no answer comes in time.
   */
  permission(
    toolName: string,
    input?: Record<string, unknown>,
    options?: PermissionAskOptions,
  ): Promise<PermissionResult>;
  /** Puts questions of the model to whoever answers them, `tether.onQuestion` or `canUseTool`. */
  question(
    questions: ClarifyingQuestion | readonly ClarifyingQuestion[],
    options?: PermissionAskOptions,
  ): Promise<QuestionReply>;
  /** Asks what an MCP server wants to know. Without `onElicitation` it is declined. */
  elicit(asked: ElicitationAsk, options?: AskCallbackOptions): Promise<ElicitationResult>;
  /** Shows a dialog. @throws {ScriptError} if the options have no `onUserDialog`. */
  dialog(kind: string, payload?: Record<string, unknown>, options?: AskCallbackOptions): Promise<UserDialogResult>;
  /** Names of the servers of this program. */
  readonly servers: readonly string[];
  /** The tools that a server of this program lists. @throws {ScriptError} if there is no such server. */
  tools(server: string, options?: AskCallbackOptions): Promise<ListedTool[]>;
  /**
   * Calls a tool of a server of this program. A call that fails settles all the same: see {@linkcode ToolReply.isError}.
   *
   * @throws {ScriptError} if there is no such server, or no answer comes in time.
   */
  tool(server: string, name: string, args?: Record<string, unknown>, options?: ToolCallOptions): Promise<ToolReply>;
  /** Any other request of MCP (`resources/list`, `prompts/get`). Rejects with the server's error, code `mcp_error`. */
  mcp(
    server: string,
    method: string,
    params?: Record<string, unknown>,
    options?: AskCallbackOptions,
  ): Promise<JsonObject>;
  /** What the query had to say so far: a callback that failed is here with its error (`callback_failed`). */
  readonly diagnostics: readonly Diagnostic[];
  /** The query the callbacks belong to: for `answerPermission()`, `setMcpServers()` and the like. */
  readonly query: Query;
  /** Ends it: what is still asked rejects, what still runs is aborted. Idempotent. */
  close(): Promise<void>;
  /** The same as {@linkcode close}. */
  [Symbol.asyncDispose](): Promise<void>;
}
