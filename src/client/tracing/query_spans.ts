import type { Attributes, Context, Span } from "@opentelemetry/api";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type { TraceVariables } from "../../transport/process/environment.ts";
import {
  aboutTool,
  queryAttributes,
  resultAttributes,
  sumOfUsage,
  text,
  type TokenUsage,
  turnAttributes,
  usageAttributes,
  usageOf,
} from "./span_attributes.ts";
import { inAnyCase } from "./in_any_case.ts";
import { type MadeSpan, SpanMaker } from "./span_maker.ts";
import { type ToolSpan, ToolSpans } from "./tool_spans.ts";
import type { TraceEnding } from "./tracing.ts";
import type { OpenTelemetryApi } from "./registered_api.ts";
import { carrierVariables } from "./carrier_variables.ts";

/** What a query is traced with. */
export interface QueryTrace {
  /** What was active when it was asked for. */
  readonly active: Context | undefined;
  /** When that was, in milliseconds since 1970. */
  readonly startTime: number;
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

/**
 * The spans of one query: `invoke_agent`, below it a `chat` for each turn, below that an `execute_tool` for each call, and
 * hooks and permissions below what they are about.
 *
 * Turns are known by frames that are seen when they are read; calls of tools by messages, which are seen when the consumer
 * takes them, by the times written in them, and by what the CLI asks about them before.
 */
export class QuerySpans {
  readonly #maker: SpanMaker;
  readonly #query: MadeSpan;
  readonly #tools: ToolSpans;
  readonly #active: Context;
  /** Hooks and permissions that run. */
  readonly #asked = new Set<Span>();
  /** The turn that runs. */
  #turn: MadeSpan | undefined;
  /** The turn whose messages the consumer takes, which may be behind. */
  #takenTurn: MadeSpan | undefined;
  /** Turns by the frame that began them. */
  readonly #turns = new WeakMap<JsonObject, MadeSpan>();
  #usage: TokenUsage | undefined;

  constructor(api: OpenTelemetryApi, { active = api.ROOT_CONTEXT, startTime, agent, model }: QueryTrace) {
    this.#maker = new SpanMaker(api);
    const attributes = queryAttributes({ agent, model });
    const name = agent === undefined ? "invoke_agent" : `invoke_agent ${agent}`;
    this.#query = this.#maker.begin(name, active, { attributes, startTime });
    this.#tools = new ToolSpans(this.#maker);
    this.#active = active;
  }

  /** What the child is to be given: its own spans then stand below the query's. @throws what a propagator throws. */
  childVariables(): TraceVariables | undefined {
    return carrierVariables(this.#maker.api, { active: this.#active, context: this.#query.context });
  }

  /** Runs work in the context of a span. */
  run<T>(context: Context, work: () => T): T {
    return this.#maker.api.context.with(context, work);
  }

  /** It failed. */
  fail(span: Span, cause: unknown): void {
    this.#maker.fail(span, cause);
  }

  /** A frame was read. */
  frame(frame: JsonObject): void {
    if (frame.type === "result") this.#endTurn(frame);
    else if (frame.type !== "system") return;
    else if (frame.subtype === "init") this.#beginTurn(frame);
    else if (frame.subtype === "task_started") {
      const { task_id: agent, tool_use_id: call } = frame;
      if (typeof agent === "string" && typeof call === "string") this.#tools.started(agent, call);
    }
  }

  /** A message goes to the consumer. */
  taken(message: JsonObject): void {
    switch (message.type) {
      case "system":
        if (message.subtype === "init") this.#takenTurn = this.#turns.get(message) ?? this.#takenTurn;
        // When it is taken: until then the subagent's own messages may be waiting.
        else if (message.subtype === "task_notification") this.#tools.finished(text(message.task_id) ?? "");
        return;
      case "assistant":
        return this.#calls(message);
      case "user":
        return this.#results(message);
      case "result":
        // A turn's calls that have no result by now were interrupted.
        if (this.#takenTurn !== undefined) this.#tools.endOfTurn(this.#takenTurn.context);
        return;
    }
  }

  /** A callback is about to be asked. */
  beginAsked(name: string, fields: JsonObject, attributes: Attributes, beginsCall: boolean): MadeSpan {
    const id = text(fields.tool_use_id);
    const input = isJsonObject(fields.input) ? fields.input : {};
    const toolName = text(fields.tool_name) ?? text(input.tool_name);
    const agent = text(fields.agent_id) ?? text(input.agent_id);
    const tool = beginsCall ? this.#call(toolName, id, agent) : this.#tools.get(id);
    const parent = tool?.context ?? this.#tools.starterOf(agent)?.context ?? this.#turnContext;
    const made = this.#maker.begin(name, parent, { attributes: { ...attributes, ...aboutTool(toolName, id) } });
    this.#asked.add(made.span);
    return made;
  }

  /** The callback has answered. */
  endAsked(span: Span): void {
    if (this.#asked.delete(span)) span.end();
  }

  /** Where the call of a tool of this program belongs; undefined for a message that is no call. */
  ofCall({ server_name: server, message }: JsonObject): Context | undefined {
    if (!isJsonObject(message) || message.method !== "tools/call" || !isJsonObject(message.params)) return undefined;
    const { name, _meta: meta } = message.params;
    const id = isJsonObject(meta) ? text(meta["claudecode/toolUseId"]) : undefined;
    return this.#call(`mcp__${String(server)}__${String(name)}`, id, undefined)?.context ?? this.#turnContext;
  }

  /** The query is over: every span ends. @throws what the first thing that went wrong with one of them threw. */
  end({ how, error }: TraceEnding): void {
    const { span } = this.#query;
    const turn = this.#turn;
    this.#turn = undefined;
    inAnyCase([
      ...[...this.#asked].map((asked) => () => this.endAsked(asked)),
      ...this.#tools.open.map((id) => () => this.#tools.end(id, { failed: false })),
      () => turn?.span.end(),
      () => {
        if (this.#usage !== undefined) span.setAttributes(usageAttributes(this.#usage));
        span.setAttribute("tether.query.end", how);
        if (how === "failed") this.#maker.fail(span, error);
      },
      () => span.end(),
    ]);
  }

  get #turnContext(): Context {
    return (this.#turn ?? this.#query).context;
  }

  #beginTurn(init: JsonObject): void {
    this.#turn?.span.end();
    const attributes = turnAttributes(init);
    const model = attributes["gen_ai.request.model"];
    const { SpanKind } = this.#maker.api;
    const name = model === undefined ? "chat" : `chat ${String(model)}`;
    this.#turn = this.#maker.begin(name, this.#query.context, { attributes, kind: SpanKind.CLIENT });
    this.#turns.set(init, this.#turn);
    const conversation = attributes["gen_ai.conversation.id"];
    if (conversation !== undefined) this.#query.span.setAttribute("gen_ai.conversation.id", conversation);
  }

  #endTurn(result: JsonObject): void {
    const usage = usageOf(result);
    this.#usage = this.#usage === undefined ? usage : sumOfUsage(this.#usage, usage);
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    inAnyCase([
      () => turn.span.setAttributes(resultAttributes(result)),
      () => result.is_error === true && this.#maker.markFailed(turn.span, errorType(result)),
      () => turn.span.end(),
    ]);
  }

  #calls(message: JsonObject): void {
    const body = isJsonObject(message.message) ? message.message : {};
    const starter = this.#tools.starter(text(message.parent_tool_use_id));
    const turn = this.#takenTurn ?? this.#turn;
    const model = text(body.model);
    // A message that the CLI wrote itself names no model (`<synthetic>`).
    if (starter === undefined && model !== undefined && !model.startsWith("<")) {
      turn?.span.setAttribute("gen_ai.response.model", model);
    }
    for (const block of blocksOf(body)) {
      const name = text(block.name);
      const id = text(block.id);
      if (block.type !== "tool_use" || name === undefined || id === undefined) continue;
      this.#tools.begin(name, id, { starter, turn: (turn ?? this.#query).context, at: timeOf(message) });
    }
  }

  #results(message: JsonObject): void {
    for (const block of blocksOf(isJsonObject(message.message) ? message.message : {})) {
      const id = text(block.tool_use_id);
      if (block.type !== "tool_result" || id === undefined) continue;
      this.#tools.end(id, { failed: block.is_error === true, at: timeOf(message) });
    }
  }

  /** The call that something is about; begun here if nothing was heard of it before. */
  #call(name: string | undefined, id: string | undefined, agent: string | undefined): ToolSpan | undefined {
    if (name === undefined || id === undefined) return this.#tools.get(id);
    return this.#tools.begin(name, id, { starter: this.#tools.starterOf(agent), turn: this.#turnContext });
  }
}

function blocksOf(body: JsonObject): JsonObject[] {
  return Array.isArray(body.content) ? body.content.filter(isJsonObject) : [];
}

/** When the CLI wrote a message, in milliseconds since 1970; undefined if it does not say, or says what cannot be. */
function timeOf(message: JsonObject): number | undefined {
  const at = typeof message.timestamp === "string" ? Date.parse(message.timestamp) : NaN;
  return Number.isNaN(at) || at > Date.now() ? undefined : at;
}

function errorType(result: JsonObject): string {
  const status: JsonValue | undefined = result.api_error_status;
  if (typeof status === "number") return String(status);
  return text(result.subtype) === "success" ? "_OTHER" : text(result.subtype) ?? "_OTHER";
}
