import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";

/**
 * What a request is for. `main` continues a conversation (the main one or a subagent's); `side` is a question the CLI
 * asks for itself, such as a title; `count_tokens` counts; `other` is no call of the Messages API.
 */
export type ModelRequestKind = "main" | "side" | "count_tokens" | "other";

/**
 * What a side request is about: `summary` is the one of a compaction, `suggestion` the guess at the next prompt,
 * `question` a side question, `structured` anything that wants JSON of a given shape (session titles are asked for so),
 * `text` the rest. Told apart by what CLI 2.1.332 sends.
 */
export type SideTopic = "summary" | "suggestion" | "question" | "structured" | "text";

/** What a tool answered, as the model is told. */
export interface ToolResult {
  /** The call it answers. */
  readonly toolUseId: string;
  /** The tool that was called; undefined if the call is not in the conversation. */
  readonly toolName: string | undefined;
  /** Its text, all text blocks joined by newlines. */
  readonly text: string;
  /** Whether the tool failed, or was denied. */
  readonly isError: boolean;
  /** The content as sent: a string or blocks (images and the like). */
  readonly content: JsonValue;
}

/** A call that the model made earlier in the conversation. */
export interface ToolUse {
  /** Id of the call. */
  readonly id: string;
  /** The tool. */
  readonly name: string;
  /** Its arguments, as the conversation has them. */
  readonly input: JsonObject;
}

/** A tool the model was offered. */
export interface OfferedTool {
  /** Its name (`Bash`, `mcp__calc__add`). */
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  /** JSON Schema of its arguments; an empty object if it has none. */
  readonly inputSchema: JsonObject;
  /** The whole entry as it was sent. */
  readonly definition: JsonObject;
}

/** The bare facts of a request. */
export interface ModelRequestFacts {
  /** Number among all requests, from 0. */
  readonly index: number;
  /** HTTP method. */
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; an empty object if there was none or it is not JSON. */
  readonly body: JsonObject;
}

/** One request the model was sent, with the questions a script asks of it. */
export class ModelRequest implements ModelRequestFacts {
  /** Number among all requests, from 0. */
  readonly index: number;
  /** HTTP method. */
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as parsed JSON, exactly as sent. */
  readonly body: JsonObject;
  /** What it is for. */
  readonly kind: ModelRequestKind;
  /** What a side request is about; undefined for all others. */
  readonly topic: SideTopic | undefined;

  /** Reads the facts; nothing is copied. */
  constructor(facts: ModelRequestFacts) {
    this.index = facts.index;
    this.method = facts.method;
    this.path = facts.path;
    this.headers = facts.headers;
    this.body = facts.body;
    const route = routeOf(this);
    this.topic = route === "messages" ? topicOf(this) : undefined;
    this.kind = route !== "messages" ? route : this.topic === undefined ? "main" : "side";
  }

  /** The model asked for. */
  get model(): string {
    return typeof this.body.model === "string" ? this.body.model : "";
  }

  /** Whether the answer is to be streamed. */
  get stream(): boolean {
    return this.body.stream === true;
  }

  /** The messages, oldest first. CLI 2.1.332 also sends some with the role `system` among them. */
  get messages(): readonly JsonObject[] {
    return Array.isArray(this.body.messages) ? this.body.messages.filter(isJsonObject) : [];
  }

  /** The system prompt as one text. */
  get system(): string {
    return textOf(this.body.system);
  }

  /** Names of the tools offered. The CLI may hold others back until the model searches for them. */
  get toolNames(): readonly string[] {
    return this.tools.map(({ name }) => name);
  }

  /** The tools offered. */
  get tools(): readonly OfferedTool[] {
    const tools = Array.isArray(this.body.tools) ? this.body.tools.filter(isJsonObject) : [];
    return tools.flatMap((definition) => typeof definition.name === "string" ? [offeredTool(definition)] : []);
  }

  /** The most tokens the answer may have; undefined if the request does not say. */
  get maxTokens(): number | undefined {
    return typeof this.body.max_tokens === "number" ? this.body.max_tokens : undefined;
  }

  /** How the model is to think, as sent; undefined if the request does not say. */
  get thinking(): JsonObject | undefined {
    return isJsonObject(this.body.thinking) ? this.body.thinking : undefined;
  }

  /** What `anthropic-beta` lists. */
  get betas(): readonly string[] {
    return (this.headers["anthropic-beta"] ?? "").split(",").map((beta) => beta.trim()).filter((beta) => beta !== "");
  }

  /** The subagent that asks; undefined for the main conversation. */
  get agentId(): string | undefined {
    return this.headers["x-claude-code-agent-id"];
  }

  /** The session that asks; subagents share it with their parent. */
  get sessionId(): string | undefined {
    return this.headers["x-claude-code-session-id"];
  }

  /** The last thing a user (or, for a subagent, the calling model) said, reminders of the CLI left out. */
  get prompt(): string {
    return this.#userTexts().at(-1) ?? "";
  }

  /** The CLI's own notes in the last message, e.g. that a background task has ended. */
  get reminders(): readonly string[] {
    return textsOf(lastUser(this)?.content).filter(isReminder);
  }

  /** The first thing said in this conversation: it tells one subagent's requests from another's. */
  get firstPrompt(): string {
    return this.#userTexts()[0] ?? "";
  }

  /** The calls of the model's last answer, in its order. */
  toolUses(): ToolUse[] {
    return toolUsesOf(this.messages.findLast((message) => message.role === "assistant"));
  }

  /**
   * The results of the tools the last answer called, in the order they were sent (in which the tools ended). Empty when the
   * last message is a prompt.
   */
  toolResults(): ToolResult[] {
    return blocksOf(lastUser(this)?.content).flatMap((part) =>
      part.type === "tool_result" ? [this.#toolResult(part)] : []
    );
  }

  /** The last of {@linkcode toolResults}. */
  lastToolResult(): ToolResult | undefined {
    return this.toolResults().at(-1);
  }

  /** The result of one call, wherever in the conversation it stands. */
  toolResult(toolUseId: string): ToolResult | undefined {
    return this.messages.flatMap((message) => blocksOf(message.content))
      .filter((part) => part.type === "tool_result" && part.tool_use_id === toolUseId)
      .map((part) => this.#toolResult(part)).at(-1);
  }

  /** One line for error texts; holds no prompt text. */
  describe(): string {
    const roles = this.messages.map((message) => String(message.role)[0]).join("");
    return `request ${this.index} (${this.kind}, ${this.method} ${this.path}, messages ${roles || "none"})`;
  }

  #toolResult(part: JsonObject): ToolResult {
    const toolUseId = String(part.tool_use_id);
    const uses = this.messages.filter((message) => message.role === "assistant").flatMap(toolUsesOf);
    return {
      toolUseId,
      toolName: uses.findLast(({ id }) => id === toolUseId)?.name,
      text: textOf(part.content),
      isError: part.is_error === true,
      content: part.content ?? "",
    };
  }

  #userTexts(): string[] {
    return this.messages.filter((message) => message.role === "user").map((message) => spokenText(message.content))
      .filter((text) => text !== "");
  }
}

function routeOf(request: ModelRequest): "messages" | "count_tokens" | "other" {
  const path = request.path.split("?")[0];
  if (request.method !== "POST") return "other";
  if (path === "/v1/messages/count_tokens") return "count_tokens";
  return path === "/v1/messages" ? "messages" : "other";
}

/**
 * Summaries, suggestions and side questions go out with the whole conversation and all its tools, so only their words
 * tell. The rest has no tools; but neither has a conversation whose tools are switched off, which manages its context.
 */
function topicOf(request: ModelRequest): SideTopic | undefined {
  const last = lastUser(request);
  const texts = textsOf(last?.content);
  if (texts.at(-1)?.startsWith("[SUGGESTION MODE:") === true) return "suggestion";
  if (texts.some((text) => text.startsWith("CRITICAL: Respond with TEXT ONLY."))) return "summary";
  if (texts.some((text) => /^<system-reminder>\s*This is a side question /.test(text))) return "question";
  if (request.toolNames.length > 0) return undefined;
  const { output_config: output, context_management: context } = request.body;
  if (isJsonObject(output) && output.format !== undefined) return "structured";
  return context === undefined ? "text" : undefined;
}

function lastUser(request: ModelRequest): JsonObject | undefined {
  return request.messages.findLast((message) => message.role === "user");
}

function toolUsesOf(message: JsonObject | undefined): ToolUse[] {
  return blocksOf(message?.content).flatMap((part) =>
    part.type === "tool_use"
      ? [{ id: String(part.id), name: String(part.name), input: isJsonObject(part.input) ? part.input : {} }]
      : []
  );
}

function offeredTool(definition: JsonObject): OfferedTool {
  const { name, description, input_schema: schema } = definition;
  return {
    name: String(name),
    description: typeof description === "string" ? description : "",
    inputSchema: isJsonObject(schema) ? schema : {},
    definition,
  };
}

/** Message content as blocks; a bare string is one text block. */
export function blocksOf(content: JsonValue | undefined): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function textsOf(content: JsonValue | undefined): string[] {
  return blocksOf(content).flatMap((part) => part.type === "text" && typeof part.text === "string" ? [part.text] : []);
}

function textOf(content: JsonValue | undefined): string {
  return textsOf(content).join("\n");
}

function spokenText(content: JsonValue | undefined): string {
  return textsOf(content).filter((text) => !isReminder(text)).join("\n");
}

/** The CLI puts notes of its own into user messages, each in a block of its own between these tags. */
function isReminder(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith("<system-reminder>") && trimmed.endsWith("</system-reminder>");
}
