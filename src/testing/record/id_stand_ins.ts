import type { TextPieces } from "./text_pieces.ts";
import { anyOf } from "./text_pieces.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Ids of the service and of the CLI by their beginnings; a digit is asked for, since names of fields begin so too. */
const PREFIXED =
  /(?<![A-Za-z0-9])(?:msg|toolu|srvtoolu|mcptoolu|req|batch|msgbatch|file|container|session|cse|org|user|wrkspc|sess|env|task|agent|call|resp|run|conv)_(?=[A-Za-z]{0,64}\d)[A-Za-z0-9]{10,}(?![A-Za-z0-9])/g;
const WORD = /[A-Za-z0-9]{6,}/g;
/** Shorter ids are replaced only where they are the whole text: within one they would eat ordinary words. */
const SHORTEST_IN_TEXT = 6;

/** Fields whose values are ids, whatever they look like. */
const ID_FIELDS: ReadonlySet<string> = new Set([
  "session_id",
  "sessionId",
  "uuid",
  "parentUuid",
  "leafUuid",
  "request_id",
  "requestId",
  "tool_use_id",
  "toolUseID",
  "toolUseId",
  "parent_tool_use_id",
  "message_id",
  "messageId",
  "task_id",
  "taskId",
  "agent_id",
  "agentId",
  "prompt_id",
  "promptId",
  "command_uuid",
  "message_uuid",
  "messageUuid",
  "user_message_id",
  "user_message_uuid",
  "user_message_uuids",
  "still_queued",
  "cancelled",
]);
/** Fields that end like ids and name something else. */
const NOT_IDS: ReadonlySet<string> = new Set([
  "callback_id",
  "hookCallbackIds",
  "model_id",
  "modelId",
  "plugin_id",
  "pluginId",
]);
/** Objects whose `id` is one. */
const WITH_ID: ReadonlySet<unknown> = new Set(["message", "tool_use", "server_tool_use", "mcp_tool_use"]);
/** What an id may look like in a field that only ends like one. */
const LIKE_ID = /^(?=[^\d]{0,64}\d)[A-Za-z0-9_-]{6,128}$/;

/** Stable stand-ins for ids: the same id always gets the same one, in the order in which they are first seen. */
export class IdStandIns {
  readonly #known = new Map<string, string>();
  readonly #counters = new Map<string, number>();
  /** Ids that are more than one word and follow no pattern. */
  readonly #odd = new Set<string>();
  #oddExpression: RegExp | undefined;

  /** Whether the value of a field is an id. `parent` is the object it stands in. */
  isId(field: string, value: string, parent: { readonly type?: unknown }): boolean {
    if (value === "" || NOT_IDS.has(field)) return false;
    if (ID_FIELDS.has(field)) return true;
    if (field === "id") {
      return WITH_ID.has(parent.type) || LIKE_ID.test(value) && /^[a-z]+_|^[0-9a-f-]{8,}$/.test(value);
    }
    return /(?:_id|_ids|Id|Ids|ID|_uuid|_uuids|Uuid|UUID)$/.test(field) && LIKE_ID.test(value);
  }

  /** The stand-in of an id; of a new one also from now on wherever it occurs. */
  of(id: string): string {
    const key = matchWhole(UUID, id) ? id.toLowerCase() : id;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const standIn = this.#next(key);
    this.#known.set(key, standIn);
    if (id.length >= SHORTEST_IN_TEXT && !matchWhole(WORD, id) && !matchWhole(UUID, id) && !matchWhole(PREFIXED, id)) {
      this.#odd.add(id);
      this.#oddExpression = anyOf(this.#odd, "g", ["(?<![A-Za-z0-9])", "(?![A-Za-z0-9])"]);
    }
    return standIn;
  }

  /** The stand-in of an id seen before. */
  known(id: string): string | undefined {
    return this.#known.get(id);
  }

  /** Replaces ids in a text: those that look like one, and those seen before; the latter not among words without a digit. */
  redact(text: TextPieces, isText: boolean): void {
    if (this.#oddExpression !== undefined) text.replace(this.#oddExpression, ([id]) => this.of(id));
    text.replace(UUID, ([id]) => this.of(id));
    text.replace(PREFIXED, ([id]) => this.of(id));
    text.replace(WORD, ([word]) => isText || /\d/.test(word) ? this.#inText(word) : undefined);
  }

  /** A short word without a digit may be an ordinary one. */
  #inText(word: string): string | undefined {
    return word.length >= 10 || /\d/.test(word) ? this.#known.get(word) : undefined;
  }

  #next(id: string): string {
    if (matchWhole(UUID, id)) return `00000000-0000-4000-8000-${this.#count("uuid").toString(16).padStart(12, "0")}`;
    const prefix = /^[a-z]+_(?=.)/.exec(id)?.[0] ?? "";
    return prefix + String(this.#count(prefix)).padStart(Math.max(id.length - prefix.length, 4), "0");
  }

  #count(kind: string): number {
    const count = (this.#counters.get(kind) ?? 0) + 1;
    this.#counters.set(kind, count);
    return count;
  }
}

function matchWhole(expression: RegExp, text: string): boolean {
  return text.match(expression)?.[0] === text;
}
