import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { blocksOf, type ModelRequest } from "./model_request.ts";

/** What the Messages API would refuse in a request; undefined if it is well-formed. */
export function findFault(request: ModelRequest): string | undefined {
  const { body, headers } = request;
  if (headers["anthropic-version"] === undefined) return "anthropic-version: header is required";
  if (headers["x-api-key"] === undefined && headers.authorization === undefined) return "x-api-key header is required";
  if (request.model === "") return "model: Field required";
  if (request.kind !== "count_tokens" && !(typeof body.max_tokens === "number" && body.max_tokens >= 1)) {
    return "max_tokens: must be a number of at least 1";
  }
  return toolsFault(body) ?? messagesFault(body);
}

function toolsFault(body: JsonObject): string | undefined {
  if (body.tools === undefined) return undefined;
  if (!Array.isArray(body.tools)) return "tools: must be a list";
  const seen = new Set<string>();
  for (const tool of body.tools) {
    const name = isJsonObject(tool) ? tool.name : undefined;
    if (typeof name !== "string" || name === "") return "tools: every tool needs a name";
    if (seen.has(name)) return `tools: Tool names must be unique (${name})`;
    seen.add(name);
  }
  return undefined;
}

function messagesFault(body: JsonObject): string | undefined {
  const messages = body.messages;
  if (!Array.isArray(messages) || messages.length === 0) return "messages: at least one message is required";
  // Calls of the last assistant message, which the next user message has to answer.
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (!isJsonObject(message)) return `${at}: must be an object`;
    const { role, content } = message;
    if (role !== "user" && role !== "assistant" && role !== "system") return `${at}.role: unexpected value`;
    if (typeof content !== "string" && !Array.isArray(content)) return `${at}.content: must be text or blocks`;
    const blocks = blocksOf(content);
    if (blocks.some((part) => typeof part.type !== "string")) return `${at}.content: every block needs a type`;
    if (role === "system") continue;
    if (role === "user") {
      const answered = blocks.flatMap((part) => part.type === "tool_result" ? [String(part.tool_use_id)] : []);
      const stray = answered.find((id) => !open.includes(id));
      if (stray !== undefined) return `${at}: tool_result ${stray} has no tool_use in the message before`;
      const missing = open.find((id) => !answered.includes(id));
      if (missing !== undefined) return `${at}: tool_use ${missing} has no tool_result in the message after`;
      open = [];
    } else {
      if (open.length > 0) return `${at}: tool_use ${open[0]} has no tool_result in the message after`;
      open = blocks.flatMap((part) => part.type === "tool_use" ? [String(part.id)] : []);
    }
  }
  return open.length > 0 ? `messages: tool_use ${open[0]} has no tool_result` : undefined;
}
