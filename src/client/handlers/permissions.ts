import { type Abortable, signalOf } from "../../core/abort_source.ts";
import type { DiagnosticListener } from "../../core/diagnostics.ts";
import { copyOfJson, type JsonObject } from "../../core/json.ts";
import type { CanUseTool, OnQuestion, Options } from "../../core/options/mod.ts";
import {
  ControlAnswerError,
  type HandlerResult,
  type InboundRequest,
  NO_ANSWER,
  type RequestId,
} from "../../core/protocol/mod.ts";
import { NO_SCOPE, type TraceScope } from "../tracing/tracing.ts";
import type { CallOutcome, CallScope } from "./call_scope.ts";
import { failureText, outcomeError } from "./failure_text.ts";
import type { HandlersContext } from "./handlers.ts";
import { type PermissionRequest, readPermissionRequest } from "./permission_context.ts";
import { denial, permissionAnswer } from "./permission_result.ts";
import { QUESTION_TOOL, readAnswers, readQuestions } from "./questions.ts";

/** A question, and what it is traced by until it is answered. */
interface Question extends PermissionRequest {
  readonly scope: TraceScope;
  /** Somebody has answered it while its callback was still running: what that comes to counts no more. */
  answered: boolean;
}

/** A question that has no answer yet. */
interface OpenRequest {
  readonly inbound: InboundRequest;
  readonly request: Question;
  readonly forget: () => void;
}

/** The name of a callback, in diagnostics. */
type Asked = "canUseTool" | "onQuestion";

/** Decides on `can_use_tool` requests. Whatever goes wrong is a deny. */
export class PermissionHandlers {
  readonly #canUseTool: CanUseTool | undefined;
  readonly #onQuestion: OnQuestion | undefined;
  readonly #calls: CallScope;
  readonly #context: HandlersContext;
  readonly #onDiagnostic: DiagnosticListener;
  readonly #open = new Map<string, OpenRequest>();

  constructor(options: Options, calls: CallScope, context: HandlersContext) {
    this.#canUseTool = options.canUseTool;
    this.#onQuestion = options.tether?.onQuestion;
    this.#calls = calls;
    this.#context = context;
    this.#onDiagnostic = context.onDiagnostic;
  }

  /** True if a callback may be asked. */
  get asks(): boolean {
    return this.#canUseTool !== undefined || this.#onQuestion !== undefined;
  }

  /** Answers one `can_use_tool` request, or leaves it open if its callback returns `null`. */
  async handle(inbound: InboundRequest): Promise<HandlerResult> {
    const scope = this.#context.tracing?.().permission(inbound.fields) ?? NO_SCOPE;
    let result: HandlerResult;
    try {
      const request = readPermissionRequest(inbound.fields, this.#nameOf(inbound.requestId));
      const question: Question = { ...request, scope, answered: false };
      result = await this.#serve(inbound, question);
    } catch (error) {
      scope.fail(error);
      scope.end();
      throw error;
    }
    // One that is left open ends with its answer.
    if (result !== NO_ANSWER) scope.end();
    return result;
  }

  /** Answers an open request. A result that makes no sense is answered as a deny. False if the request is gone. */
  async answer(requestId: string, result: unknown): Promise<boolean> {
    const open = this.#open.get(requestId);
    if (open === undefined || open.inbound.requestId === undefined) return false;
    open.forget();
    open.request.answered = true;
    const answer = this.#toAnswer("answerPermission", result, open.request);
    open.request.scope.end();
    return await this.#context.respond(open.inbound.requestId, answer);
  }

  /** Forgets what is open. */
  close(): void {
    for (const open of [...this.#open.values()]) open.forget();
  }

  async #serve(inbound: InboundRequest, request: Question): Promise<HandlerResult> {
    const { toolUseID } = request.context;
    const isQuestion = request.toolName === QUESTION_TOOL;
    if (isQuestion && this.#onQuestion !== undefined) return await this.#ask(this.#onQuestion, inbound, request);
    if (this.#canUseTool !== undefined) return await this.#decide(this.#canUseTool, inbound, request);
    if (this.#onQuestion === undefined) throw new ControlAnswerError("canUseTool callback is not provided.");
    return denial("Nobody here decides on tool calls; only questions are answered.", toolUseID);
  }

  async #decide(canUseTool: CanUseTool, inbound: InboundRequest, request: Question): Promise<HandlerResult> {
    // Open from the start: the answer of a callback that hands the question on may overtake the `null` it returns.
    const forget = this.#remember(inbound, request);
    const outcome = await this.#run(
      inbound,
      request,
      // A copy: what the callback does to it must not change what an allow lets run.
      (own) => canUseTool(request.toolName, copyOfJson(request.input), Object.assign(signalOf(own), request.context)),
    );
    if (request.answered) {
      if (outcome.kind === "threw") this.#report("canUseTool", outcome.error);
      return NO_ANSWER;
    }
    if (outcome.kind === "value" && outcome.value === null && inbound.requestId !== undefined) return NO_ANSWER;
    forget();
    if (outcome.kind !== "value") return this.#refuse("canUseTool", outcome, request);
    return this.#toAnswer("canUseTool", outcome.value, request);
  }

  async #ask(onQuestion: OnQuestion, inbound: InboundRequest, request: Question): Promise<HandlerResult> {
    const { toolUseID, agentID, requestId } = request.context;
    try {
      const questions = readQuestions(request.input);
      const outcome = await this.#run(inbound, request, (own) =>
        onQuestion(
          questions,
          Object.assign(signalOf(own), { requestId, toolUseID, ...(agentID === undefined ? {} : { agentID }) }),
        ));
      if (outcome.kind !== "value") return this.#refuse("onQuestion", outcome, request);
      if (outcome.value === null) return denial("The user did not answer.", toolUseID);
      const answered = readAnswers(
        outcome.value,
        questions,
        (fault) => this.#report("onQuestion", new TypeError(fault)),
      );
      const updatedInput = { ...request.input, ...answered };
      return this.#toAnswer("onQuestion", { behavior: "allow", updatedInput }, request);
    } catch (error) {
      return this.#deny("onQuestion", error, request);
    }
  }

  /** What the callback knows the question by: its id, or what tells it apart from an open one of the same look (`1`, `"1"`). */
  #nameOf(requestId: RequestId | undefined): string {
    let name = String(requestId ?? "");
    while (name !== "" && this.#open.has(name)) name += `'`;
    return name;
  }

  #run<T>(
    inbound: InboundRequest,
    { scope }: Question,
    call: (own: Abortable) => Promise<T>,
  ): Promise<CallOutcome<T>> {
    return this.#calls.run((own) => scope.run(() => call(own)), {
      by: inbound,
      deadlineMs: this.#context.timeouts.permissionMs,
    });
  }

  #toAnswer(asked: Asked | "answerPermission", result: unknown, request: Question): JsonObject {
    try {
      const answer = permissionAnswer(result, request, (fault) => this.#report(asked, new TypeError(fault)));
      request.scope.note({ "tether.permission.behavior": String(answer.behavior) });
      if (answer.interrupt === true) this.#context.interrupts?.();
      return answer;
    } catch (error) {
      return this.#deny(asked, error, request);
    }
  }

  /** A question that was taken back is not reported; its answer is not sent, and would be a deny if it were. */
  #refuse(
    asked: Asked,
    outcome: Exclude<CallOutcome<unknown>, { kind: "value" }>,
    request: Question,
  ): JsonObject {
    if (outcome.kind === "aborted") return denial("The question was taken back.", request.context.toolUseID);
    return this.#deny(asked, outcomeError(outcome), request);
  }

  #deny(asked: Asked | "answerPermission", cause: unknown, request: Question): JsonObject {
    request.scope.fail(cause);
    this.#report(asked, cause, true);
    return denial(`The permission callback failed: ${failureText(cause)}`, request.context.toolUseID);
  }

  #report(callback: string, cause: unknown, gate = false): void {
    this.#onDiagnostic({ kind: "callback_failed", callback, gate, cause });
  }

  #remember(inbound: InboundRequest, request: Question): () => void {
    const { requestId } = request.context;
    const forget = (): void => {
      stopListening();
      if (this.#open.get(requestId) === open) this.#open.delete(requestId);
    };
    const open: OpenRequest = { inbound, request, forget };
    this.#open.set(requestId, open);
    const stopListening = inbound.onAbort(() => {
      forget();
      request.scope.note({ "tether.cancelled": true });
      request.scope.end();
    });
    return forget;
  }
}
