import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";

/** Ids that the host makes anew each time: which one now stands for which one of the recording. */
export class LiveIds {
  readonly #live = new Map<string, JsonValue>();
  readonly #hooks = new Map<string, string>();

  /** Learns from a frame of the host and the one that it stands for. */
  learn(expected: JsonObject, got: JsonObject): void {
    if (expected.type === "control_request") this.#set(expected.request_id, got.request_id);
    if (expected.type === "user") this.#set(expected.uuid, got.uuid);
    const recorded = hookIds(expected);
    const live = hookIds(got);
    for (const [place, id] of recorded) {
      const now = live.get(place);
      if (now !== undefined) this.#hooks.set(id, now);
    }
  }

  /** What stands for an id of the recording now. */
  of(id: JsonValue | undefined): JsonValue | undefined {
    return typeof id === "string" ? this.#live.get(id) ?? id : id;
  }

  /** A frame of the recording as it is said now. */
  rewrite(frame: JsonObject): JsonObject {
    const rewritten = this.#live.size === 0 ? frame : this.#value(frame) as JsonObject;
    const { request } = rewritten;
    if (!isJsonObject(request) || typeof request.callback_id !== "string") return rewritten;
    const hook = this.#hooks.get(request.callback_id) ?? request.callback_id;
    return { ...rewritten, request: { ...request, callback_id: hook } };
  }

  #set(recorded: JsonValue | undefined, live: JsonValue | undefined): void {
    if (typeof recorded === "string" && live !== undefined && live !== recorded) this.#live.set(recorded, live);
  }

  #value(value: JsonValue): JsonValue {
    if (typeof value === "string") return this.#live.get(value) ?? value;
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (!isJsonObject(value)) return value;
    const result: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      Object.defineProperty(result, key, {
        value: this.#value(member),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return result;
  }
}

/** The ids of the hooks that an `initialize` announces, by where they stand in it: `PreToolUse 0`. */
export function hookIds(frame: JsonObject): Map<string, string> {
  const ids = new Map<string, string>();
  const hooks = isJsonObject(frame.request) && frame.request.subtype === "initialize" ? frame.request.hooks : undefined;
  if (!isJsonObject(hooks)) return ids;
  for (const [event, matchers] of Object.entries(hooks)) {
    const list = Array.isArray(matchers)
      ? matchers.flatMap((matcher) => isJsonObject(matcher) ? matcher.hookCallbackIds ?? [] : [])
      : [];
    list.forEach((id, index) => {
      if (typeof id === "string") ids.set(`${event} ${index}`, id);
    });
  }
  return ids;
}
