import type { Context, Span } from "@opentelemetry/api";
import { toolAttributes } from "./span_attributes.ts";
import { inAnyCase } from "./in_any_case.ts";
import type { SpanMaker } from "./span_maker.ts";

/** A tool that runs. */
export interface ToolSpan {
  readonly span: Span;
  /** Work for the tool stands in it. */
  readonly context: Context;
  /** The turn it belongs to and cannot outlast; undefined for a subagent's. */
  readonly turn: Context | undefined;
  /** The call that started its subagent. */
  readonly starter: ToolSpan | undefined;
}

/** The tools that run, by the id of their call. Whoever hears of a call first begins its span. */
export class ToolSpans {
  readonly #maker: SpanMaker;
  readonly #open = new Map<string, ToolSpan>();
  /** Calls that started a subagent, by its id. */
  readonly #starters = new Map<string, string>();
  /** Such calls that have their result, while the subagent goes on in the background. */
  readonly #left = new Map<string, ToolSpan>();

  constructor(maker: SpanMaker) {
    this.#maker = maker;
  }

  /** The tool of a call, if it runs. */
  get(id: string | undefined): ToolSpan | undefined {
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** A call that may have started a subagent: one that runs, or whose subagent does. */
  starter(callId: string | undefined): ToolSpan | undefined {
    return callId === undefined ? undefined : this.get(callId) ?? this.#left.get(callId);
  }

  /** The call that started a subagent, while either runs. */
  starterOf(agentId: string | undefined): ToolSpan | undefined {
    return agentId === undefined ? undefined : this.starter(this.#starters.get(agentId));
  }

  /** A subagent was started by a call. */
  started(agentId: string, callId: string): void {
    this.#starters.set(agentId, callId);
  }

  /** A subagent has ended: calls of it that have no result get none. */
  finished(agentId: string): void {
    const callId = this.#starters.get(agentId);
    if (callId === undefined) return;
    const starter = this.starter(callId);
    this.#starters.delete(agentId);
    this.#left.delete(callId);
    for (const [id, tool] of [...this.#open]) {
      if (starter !== undefined && tool.starter === starter) this.end(id, { failed: false });
    }
  }

  /** Begins the span of a call, below the call that started its subagent, else below its turn. */
  begin(name: string, id: string, place: { starter?: ToolSpan | undefined; turn: Context; at?: number | undefined }) {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const { starter, turn, at } = place;
    const made = this.#maker.begin(`execute_tool ${name}`, starter?.context ?? turn, {
      attributes: toolAttributes(name, id),
      startTime: at,
    });
    const tool: ToolSpan = { ...made, turn: starter === undefined ? turn : undefined, starter };
    this.#open.set(id, tool);
    return tool;
  }

  /** A call has its result. */
  end(id: string, result: { readonly failed: boolean; readonly at?: number | undefined }): void {
    const tool = this.#open.get(id);
    if (tool === undefined) return;
    this.#open.delete(id);
    if ([...this.#starters.values()].includes(id)) this.#left.set(id, tool);
    inAnyCase([
      () => result.failed && this.#maker.markFailed(tool.span, "tool_error"),
      () => tool.span.end(result.at),
    ]);
  }

  /** A turn is over: calls of it that have no result get none. */
  endOfTurn(turn: Context): void {
    for (const [id, tool] of [...this.#open]) if (tool.turn === turn) this.end(id, { failed: false });
  }

  /** The calls that run, by their ids. */
  get open(): string[] {
    return [...this.#open.keys()];
  }
}
