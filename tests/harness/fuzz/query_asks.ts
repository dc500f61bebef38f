import { assert } from "chai";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { HookJSONOutput, PermissionResult } from "../../../src/core/options/mod.ts";

/** One question of the CLI, and what its callback said. */
interface Asked {
  readonly k: number;
  readonly id: string;
  readonly kind: "permission" | "question" | "hook";
  readonly decision: string;
  readonly gated: boolean;
  calls: number;
  /** What the callback gave as an allow, in time. */
  allowed: JsonObject | true | undefined;
}

/** The input of every question that is not changed by its answer. */
function inputOf(k: number): JsonObject {
  return { k, command: "ls" };
}

/** The callbacks of a query, and what may be on the wire for them: an allow is there only if one was given in time. */
export class QueryAsks {
  readonly asked: Asked[] = [];
  /** What was wrong where nothing can be thrown: what a callback throws is an answer. */
  readonly faults: unknown[] = [];
  /** Ids of what the consumer allowed by hand. */
  readonly #allowedByHand: Set<string> = new Set();
  readonly #gates: (() => void)[] = [];
  readonly #stopped: () => boolean;

  /** @param stopped True once the query was told to end: what is decided later opens nothing. */
  constructor(stopped: () => boolean) {
    this.#stopped = stopped;
  }

  /** A question of the CLI, as its frame. */
  ask(kind: Asked["kind"], decision: string, gated: boolean, more: JsonObject): JsonObject {
    const k = this.asked.length;
    const id = `ask-${k}`;
    this.asked.push({ k, id, kind, decision, gated, calls: 0, allowed: undefined });
    const request: JsonObject = kind === "hook"
      ? { subtype: "hook_callback", tool_use_id: `t${k}`, input: { hook_event_name: "PreToolUse", k }, ...more }
      : {
        subtype: "can_use_tool",
        tool_use_id: `t${k}`,
        tool_name: kind === "question" ? "AskUserQuestion" : "Bash",
        input: kind === "question" ? { ...inputOf(k), questions: [{ question: "why?", options: [] }] } : inputOf(k),
        ...more,
      };
    return { type: "control_request", request_id: id, request };
  }

  /** The callback of permissions. */
  decide(input: JsonObject, requestId: string, signal: AbortSignal): Promise<PermissionResult | null> {
    const asked = this.#called(input, requestId);
    return this.#come(asked, () => {
      // What the callback does to its copy must not change what runs.
      input.command = "rm";
      switch (asked.decision) {
        case "allow":
          return this.#allow(asked, signal, { behavior: "allow" }, inputOf(asked.k));
        case "allow with input":
          return this.#allow(asked, signal, { behavior: "allow", updatedInput: { changed: asked.k } }, {
            changed: asked.k,
          });
        case "deny":
          return { behavior: "deny", message: "no" };
        case "deny and interrupt":
          return { behavior: "deny", message: "no", interrupt: true };
        case "null":
          return null;
        case "reject":
          throw new Error("the callback");
        default:
          return (asked.decision === "rubbish" ? { behavior: "allow", updatedInput: 5 } : undefined) as never;
      }
    });
  }

  /** The callback of questions. */
  answer(k: number, requestId: string, signal: AbortSignal): Promise<Record<string, string> | null> {
    const asked = this.#called({ k }, requestId);
    return this.#come(asked, () => {
      switch (asked.decision) {
        case "allow":
        case "allow with input":
          return this.#allow(asked, signal, { "why?": "so" }, undefined);
        case "null":
          return null;
        case "reject":
          throw new Error("the callback");
        default:
          return 5 as never;
      }
    });
  }

  /** The callback of hooks. */
  hook(input: JsonObject, signal: AbortSignal): Promise<HookJSONOutput> {
    const asked = this.asked[input.k as number]!;
    asked.calls++;
    return this.#come(asked, () => {
      const output = (permissionDecision: "allow" | "deny"): HookJSONOutput => ({
        hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision },
      });
      switch (asked.decision) {
        case "allow":
        case "allow with input":
          return this.#allow(asked, signal, output("allow"), undefined);
        case "deny":
        case "deny and interrupt":
          return output("deny");
        case "nothing":
          return {};
        case "reject":
          throw new Error("the callback");
        default:
          return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "perhaps" } } as never;
      }
    });
  }

  /** The consumer answers by hand. */
  byHand(k: number, allow: boolean): PermissionResult {
    if (allow && !this.#stopped()) this.#allowedByHand.add(`ask-${k}`);
    return allow ? { behavior: "allow" } : { behavior: "deny", message: "by hand" };
  }

  /** Lets a callback that waits come to its end. */
  openGate(nth: number): void {
    this.#gates[nth]?.();
  }

  /** Lets all of them. */
  openGates(): void {
    for (const open of this.#gates) open();
  }

  /** Looks at every answer that the CLI has heard. */
  check(lines: readonly JsonObject[]): void {
    const ids = new Set<unknown>();
    for (const { type, response } of lines) {
      if (type !== "control_response" || !isJsonObject(response)) continue;
      const { request_id: id, subtype, response: payload } = response;
      if (id === undefined) continue;
      assert.isFalse(ids.has(id), `${String(id)} is answered once`);
      ids.add(id);
      const asked = this.asked.find((one) => one.id === id);
      if (asked === undefined || subtype !== "success" || !isJsonObject(payload)) continue;
      const specific = isJsonObject(payload.hookSpecificOutput) ? payload.hookSpecificOutput : {};
      const allows = payload.behavior === "allow" || specific.permissionDecision === "allow";
      if (!allows) continue;
      if (this.#allowedByHand.has(asked.id) && asked.kind !== "hook") continue;
      assert.isDefined(asked.allowed, `${String(id)} (${asked.decision}) is allowed, and nobody said so in time`);
      if (asked.kind === "permission") assert.deepEqual(payload.updatedInput, asked.allowed as JsonObject);
    }
    for (const { id, calls } of this.asked) assert.isAtMost(calls, 1, `the callback of ${id} is called once`);
  }

  #called(input: JsonObject, requestId: string): Asked {
    const asked = this.asked[input.k as number]!;
    asked.calls++;
    if (requestId !== asked.id) this.faults.push(new Error(`${asked.id} is asked as ${requestId}`));
    return asked;
  }

  #allow<T>(asked: Asked, signal: AbortSignal, result: T, wire: JsonObject | undefined): T {
    if (!signal.aborted && !this.#stopped()) asked.allowed = wire ?? true;
    return result;
  }

  #come<T>(asked: Asked, come: () => T): Promise<T> {
    if (!asked.gated) {
      // A callback may throw before it has a promise to give.
      return Promise.resolve(come());
    }
    return new Promise((resolve, reject) => {
      let opened = false;
      this.#gates.push(() => {
        if (opened) return;
        opened = true;
        try {
          resolve(come());
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}
