import { signalOf } from "../../core/abort_source.ts";
import { OptionError } from "../../core/errors/mod.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { isJsonObject } from "../../core/json.ts";
import type { HookCallback, HookCallbackMatcher, HookInput, Options } from "../../core/options/mod.ts";
import { ControlAnswerError, type InboundRequest } from "../../core/protocol/mod.ts";
import type { DiagnosticListener } from "../../core/diagnostics.ts";
import { NO_TRACING, type TraceScope, type Tracing } from "../tracing/tracing.ts";
import { AGENT_SERVER_MATCHER, agentServerGate, agentServers } from "./agent_servers.ts";
import type { CallScope } from "./call_scope.ts";
import { failureText, outcomeError } from "./failure_text.ts";
import type { HandlersContext } from "./handlers.ts";
import { type HookFailure, hookFailure } from "./hook_failure.ts";
import { hookOutput } from "./hook_output.ts";

/** One registered callback. */
interface Registration {
  readonly event: string;
  readonly callback: HookCallback;
  readonly deadlineMs: number;
  readonly failure: HookFailure;
}

/**
 * How much earlier than the CLI's own clock ours runs out (at most a tenth of the time). The CLI starts counting before
 * the request is here, and a request that it takes back cannot be answered any more: the policy of {@linkcode hookFailure}
 * would never apply.
 */
const HEAD_START_MS = 250;

/** The hook callbacks of one query. */
export class HookHandlers {
  readonly #registrations = new Map<string, Registration>();
  readonly #calls: CallScope;
  readonly #onDiagnostic: DiagnosticListener;
  readonly #tracing: () => Tracing;
  /** The `hooks` field of `initialize`; undefined if no hooks were given. */
  readonly config: JsonObject | undefined;

  /** @throws {OptionError} for hooks that are no lists of callbacks. */
  constructor(
    options: Options,
    calls: CallScope,
    { onDiagnostic, tracing = () => NO_TRACING }: Pick<HandlersContext, "onDiagnostic" | "tracing">,
  ) {
    this.#calls = calls;
    this.#onDiagnostic = onDiagnostic;
    this.#tracing = tracing;
    this.config = this.#register(options);
  }

  /** Answers one `hook_callback` request. */
  async handle(request: InboundRequest): Promise<JsonObject> {
    const { callback_id: id } = request.fields;
    const registration = typeof id === "string" ? this.#registrations.get(id) : undefined;
    if (registration === undefined) throw new ControlAnswerError(`No hook callback found for ID: ${String(id)}`);
    const scope = this.#tracing().hook(registration.event, request.fields);
    try {
      return await this.#call(registration, request, scope);
    } finally {
      scope.end();
    }
  }

  async #call(registration: Registration, request: InboundRequest, scope: TraceScope): Promise<JsonObject> {
    const { input, tool_use_id: toolUseId } = request.fields;
    if (!isJsonObject(input)) return this.#failed(registration, scope, new TypeError("the CLI sent no input"));
    const outcome = await this.#calls.run(
      (own) =>
        scope.run(() =>
          registration.callback(
            input as unknown as HookInput,
            typeof toolUseId === "string" ? toolUseId : undefined,
            signalOf(own),
          )
        ),
      { by: request, deadlineMs: registration.deadlineMs },
    );
    if (outcome.kind !== "value") {
      return this.#failed(registration, scope, outcomeError(outcome), outcome.kind === "aborted");
    }
    try {
      return hookOutput(registration.event, outcome.value);
    } catch (error) {
      return this.#failed(registration, scope, error);
    }
  }

  /** A request that was taken back is nobody's fault: it is not reported, yet the gate is as closed. */
  #failed(registration: Registration, scope: TraceScope, cause: unknown, takenBack = false): JsonObject {
    const { event, failure } = registration;
    if (takenBack) scope.note({ "tether.cancelled": true });
    else {
      scope.fail(cause);
      this.#onDiagnostic({
        kind: "callback_failed",
        callback: `hooks.${event}`,
        gate: failure.kind === "closed",
        cause,
      });
    }
    if (failure.kind === "no_opinion") return {};
    const reason = `${event} hook failed: ${failureText(cause)}`;
    if (failure.kind === "closed") return failure.answer(reason);
    throw new ControlAnswerError(reason, undefined, { cause });
  }

  #register(options: Options): JsonObject | undefined {
    const { hooks } = options;
    const config: Record<string, JsonValue> = {};
    for (const [event, matchers] of Object.entries(hooks ?? {})) {
      if (matchers === undefined) continue;
      if (!Array.isArray(matchers)) throw new OptionError(`hooks.${event}`, "must be a list of matchers");
      if (matchers.length === 0) continue;
      config[event] = (matchers as readonly HookCallbackMatcher[])
        .map((matcher, index) => this.#addMatcher(event, matcher, `hooks.${event}[${index}]`));
    }
    const own = ownGates(options).map((gate) => this.#addMatcher("PreToolUse", gate, "hooks.PreToolUse"));
    if (own.length > 0) config.PreToolUse = [...((config.PreToolUse ?? []) as JsonValue[]), ...own];
    return hooks === undefined && own.length === 0 ? undefined : config;
  }

  #addMatcher(event: string, matcher: HookCallbackMatcher, path: string): JsonObject {
    if (!isJsonObject(matcher) || !Array.isArray(matcher.hooks)) {
      throw new OptionError(path, "must be an object with a list of callbacks in `hooks`");
    }
    const { timeout, onFailure } = matcher;
    const timed = typeof timeout === "number" && Number.isFinite(timeout);
    const ids = matcher.hooks.map((callback, index) => {
      if (typeof callback !== "function") throw new OptionError(`${path}.hooks[${index}]`, "must be a function");
      const id = `hook_${this.#registrations.size}`;
      this.#registrations.set(id, {
        event,
        callback,
        deadlineMs: timed && timeout > 0 ? deadlineBefore(timeout * 1000) : Infinity,
        failure: hookFailure(event, onFailure),
      });
      return id;
    });
    return {
      ...(matcher.matcher === undefined ? {} : { matcher: matcher.matcher }),
      hookCallbackIds: ids,
      ...(timed ? { timeout } : {}),
      ...(onFailure === undefined ? {} : { onFailure }),
    };
  }
}

function deadlineBefore(ms: number): number {
  return ms - Math.min(HEAD_START_MS, ms / 10);
}

/** Hooks that options ask for without naming them. They come behind the user's. */
function ownGates(options: Options): HookCallbackMatcher[] {
  const servers = agentServers(options);
  return [
    ...(options.tether?.gateAll === true ? [{ hooks: [askAlways] }] : []),
    ...(servers.size > 0
      ? [{ matcher: AGENT_SERVER_MATCHER, hooks: [agentServerGate(servers, options.agent) as HookCallback] }]
      : []),
  ];
}

/**
 * The hook of `tether.gateAll`: sends every call to the permission callback. Seen with CLI 2.1.332: "ask" from a hook
 * outranks allow rules, an "allow" of another hook, and every permission mode, bypassPermissions and dontAsk included.
 */
const askAlways: HookCallback = () =>
  Promise.resolve({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: "every tool call is asked for",
    },
  });
