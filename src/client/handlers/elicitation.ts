import { signalOf } from "../../core/abort_source.ts";
import type { DiagnosticListener } from "../../core/diagnostics.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type {
  ElicitationRequest,
  OnElicitation,
  OnUserDialog,
  Options,
  UserDialogRequest,
} from "../../core/options/mod.ts";
import { type HandlerResult, type InboundRequest, NO_ANSWER } from "../../core/protocol/mod.ts";
import { kindOf, sendable } from "./answer_shape.ts";
import type { CallScope } from "./call_scope.ts";
import { outcomeError } from "./failure_text.ts";

const ELICITATION_TEXTS = {
  mode: "mode",
  url: "url",
  elicitation_id: "elicitationId",
  title: "title",
  display_name: "displayName",
  description: "description",
} as const;

/** Asks the user what MCP servers and the CLI's dialogs want to know. A callback that fails has cancelled. */
export class ElicitationHandlers {
  readonly #onElicitation: OnElicitation | undefined;
  readonly #onUserDialog: OnUserDialog | undefined;
  readonly #dialogKinds: readonly string[];
  readonly #calls: CallScope;
  readonly #onDiagnostic: DiagnosticListener;

  constructor(options: Options, calls: CallScope, onDiagnostic: DiagnosticListener) {
    this.#onElicitation = options.onElicitation;
    this.#onUserDialog = options.onUserDialog;
    this.#dialogKinds = options.supportedDialogKinds ?? [];
    this.#calls = calls;
    this.#onDiagnostic = onDiagnostic;
  }

  /** True if a callback may be asked. */
  get asks(): boolean {
    return this.#onElicitation !== undefined || this.#onUserDialog !== undefined;
  }

  /** Answers one `elicitation` request. Without a callback it is declined. */
  async elicit(inbound: InboundRequest): Promise<HandlerResult> {
    const callback = this.#onElicitation;
    if (callback === undefined) return { action: "decline" };
    const request = readElicitation(inbound.fields);
    return await this.#ask("onElicitation", inbound, (context) => callback(request, context), elicitationAnswer, {
      action: "cancel",
    });
  }

  /** Answers one `request_user_dialog` request. Without a callback the CLI gets no answer, as it expects. */
  async showDialog(inbound: InboundRequest): Promise<HandlerResult> {
    const callback = this.#onUserDialog;
    if (callback === undefined) return NO_ANSWER;
    const { dialog_kind: dialogKind, payload, tool_use_id: toolUseID } = inbound.fields;
    // A kind that was not declared has nobody to show it; cancelled is what the CLI takes for that.
    if (typeof dialogKind !== "string" || !this.#dialogKinds.includes(dialogKind)) return { behavior: "cancelled" };
    const request: UserDialogRequest = {
      dialogKind,
      payload: isJsonObject(payload) ? payload : {},
      ...(typeof toolUseID === "string" ? { toolUseID } : {}),
    };
    return await this.#ask("onUserDialog", inbound, (context) => callback(request, context), dialogAnswer, {
      behavior: "cancelled",
    });
  }

  async #ask(
    name: string,
    inbound: InboundRequest,
    call: (context: { signal: AbortSignal; requestId: string }) => Promise<unknown>,
    read: (result: unknown) => JsonObject,
    cancelled: JsonObject,
  ): Promise<HandlerResult> {
    const requestId = String(inbound.requestId ?? "");
    const outcome = await this.#calls.run((own) => call(Object.assign(signalOf(own), { requestId })), {
      by: inbound,
      deadlineMs: Infinity,
    });
    try {
      if (outcome.kind === "aborted") return cancelled;
      if (outcome.kind !== "value") throw outcomeError(outcome);
      return outcome.value === null ? NO_ANSWER : read(outcome.value);
    } catch (cause) {
      this.#onDiagnostic({ kind: "callback_failed", callback: name, gate: false, cause });
      return cancelled;
    }
  }
}

function readElicitation(fields: JsonObject): ElicitationRequest {
  const request: ElicitationRequest = {
    serverName: String(fields.mcp_server_name ?? ""),
    message: String(fields.message ?? ""),
  };
  for (const [wire, name] of Object.entries(ELICITATION_TEXTS) as [keyof typeof ELICITATION_TEXTS, "url"][]) {
    const value = fields[wire];
    if (typeof value === "string") request[name] = value;
  }
  if (isJsonObject(fields.requested_schema)) request.requestedSchema = orderedSchema(fields);
  return request;
}

/** The order in which the server wrote the fields of its form, which an object on the wire need not keep. */
function orderedSchema(fields: JsonObject): Record<string, unknown> {
  const schema = fields.requested_schema as JsonObject;
  const { property_order: order } = fields;
  if (!Array.isArray(order) || !isJsonObject(schema.properties)) return schema;
  const { properties } = schema;
  const names = [...new Set([...order.filter((name) => typeof name === "string"), ...Object.keys(properties)])];
  return {
    ...schema,
    properties: Object.fromEntries(
      names.filter((name) => Object.hasOwn(properties, name)).map((name) => [name, properties[name]]),
    ),
  };
}

function elicitationAnswer(result: unknown): JsonObject {
  if (!isJsonObject(result)) throw new TypeError(`it returned ${kindOf(result)} instead of an answer`);
  if (!["accept", "decline", "cancel"].includes(result.action as string)) {
    throw new TypeError('its action is none of "accept", "decline" and "cancel"');
  }
  return sendable(result);
}

function dialogAnswer(result: unknown): JsonObject {
  if (!isJsonObject(result)) throw new TypeError(`it returned ${kindOf(result)} instead of a dialog result`);
  if (result.behavior !== "completed" && result.behavior !== "cancelled") {
    throw new TypeError('its behavior is neither "completed" nor "cancelled"');
  }
  return sendable(result);
}
