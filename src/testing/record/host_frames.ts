import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { hookIds, type LiveIds } from "./live_ids.ts";
import type { CompareFrames } from "./replay_plan.ts";

/** Longest piece of a frame that is shown. */
const SHOWN = 300;

/** Whether a frame of the host is the one meant, whatever is in it. */
export function isSameKind(expected: JsonObject, got: JsonObject, ids: LiveIds): boolean {
  if (expected.type !== got.type) return false;
  switch (expected.type) {
    case "control_request":
      return part(expected, "request").subtype === part(got, "request").subtype;
    case "control_response":
      return part(expected, "response").request_id === part(got, "response").request_id;
    case "control_cancel_request":
      return ids.of(expected.request_id) === got.request_id;
    default:
      return true;
  }
}

/** What is wrong with a frame that is the one meant; undefined if nothing is. */
export function difference(
  expected: JsonObject,
  got: JsonObject,
  compare: CompareFrames,
  ids: LiveIds,
): string | undefined {
  if (typeof compare === "function") return compare(expected, got) ? undefined : "the compare function says no";
  const missing = missingParts(expected, got);
  if (missing !== undefined) return missing;
  if (compare === "strict") return firstDifference(ids.rewrite(expected), got, "");
  if (expected.type !== "control_response") return undefined;
  const recorded = decision(expected);
  const live = decision(got);
  return recorded === live ? undefined : `it says ${live}, not ${recorded}`;
}

/** A frame in a few words, and its beginning. */
export function showFrame(frame: JsonObject | string | undefined): string {
  if (frame === undefined) return "bytes that are no text";
  if (typeof frame === "string") return `the text ${shorten(JSON.stringify(frame))}`;
  return `${kindOf(frame)} ${shorten(JSON.stringify(frame))}`;
}

/** Type and what says more: `control_request set_model`, `system/init`. */
export function kindOf(frame: JsonObject): string {
  const inner = frame.type === "control_request" ? part(frame, "request").subtype : frame.subtype;
  const words = [frame.type ?? "a frame without a type", ...typeof inner === "string" ? [inner] : []];
  return words.join(frame.type === "control_request" ? " " : "/");
}

function part(frame: JsonObject, name: string): JsonObject {
  const value = frame[name];
  return isJsonObject(value) ? value : {};
}

function shorten(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;
}

/** What the CLI of the recording calls must be there to be called. */
function missingParts(expected: JsonObject, got: JsonObject): string | undefined {
  const live = hookIds(got);
  const hooks = [...hookIds(expected).keys()].filter((place) => !live.has(place));
  if (hooks.length > 0) return `these hooks of the recording are not there (event and place): ${hooks.join(", ")}`;
  const servers = part(expected, "request").sdkMcpServers;
  const there = part(got, "request").sdkMcpServers;
  const names = (Array.isArray(servers) ? servers : []).filter((name) =>
    !(Array.isArray(there) && there.includes(name))
  );
  return names.length > 0 ? `these MCP servers of the recording are not there: ${names.join(", ")}` : undefined;
}

/** The words of an answer that the CLI acts on. */
function decision(frame: JsonObject): string {
  const response = part(frame, "response");
  const payload = part(response, "response");
  const output = part(payload, "hookSpecificOutput");
  const words = {
    answer: response.subtype,
    behavior: payload.behavior ?? part(output, "decision").behavior,
    action: payload.action,
    decision: payload.decision ?? output.permissionDecision,
    continue: payload.continue === false ? false : undefined,
  };
  return Object.entries(words).flatMap(([name, word]) => word === undefined ? [] : [`${name} ${String(word)}`]).join(
    ", ",
  );
}

/** Made anew each time. */
const FRESH = new Set(["request_id", "uuid", "hookCallbackIds"]);

function firstDifference(
  expected: JsonValue | undefined,
  got: JsonValue | undefined,
  path: string,
): string | undefined {
  if (isJsonObject(expected) && isJsonObject(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      if (FRESH.has(key)) continue;
      const found = firstDifference(expected[key], got[key], path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    for (const [index, item] of expected.entries()) {
      const found = firstDifference(item, got[index], `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (expected === got) return undefined;
  const show = (value: JsonValue | undefined): string =>
    value === undefined ? "missing" : shorten(JSON.stringify(value));
  return `${path} is ${show(got)}, not ${show(expected)}`;
}
