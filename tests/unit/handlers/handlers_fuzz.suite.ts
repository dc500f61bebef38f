/** Whatever the CLI asks, and whatever callbacks come to: an answer that can be written, and no gate opened by accident. */

import { assert } from "chai";
import fc from "fast-check";
import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { tool } from "../../../src/client/tool.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { Options } from "../../../src/core/options/mod.ts";
import { ControlAnswerError, type HandlerResult, NEVER_ANSWERED, NO_ANSWER } from "../../../src/core/protocol/mod.ts";
import { encodeFrame } from "../../../src/core/streams/encode_frame.ts";
import { fieldOf, hostile, hostileValue } from "../../harness/fuzz/hostile_values.ts";
import { property } from "../../harness/fuzz/property.ts";
import { quietUntil } from "../../harness/fuzz/quiet.ts";
import { suite } from "../../harness/suite.ts";
import { type HandlersFixture, INITIALIZE, openHandlers, toolCall } from "./handlers_fixture.ts";

/** What a handler came to. */
type Came = { readonly result: HandlerResult } | { readonly threw: unknown };

/** Asks, and does not wait for ever. */
async function ask(fixture: HandlersFixture, subtype: string, fields: JsonObject): Promise<Came> {
  let came: Came | undefined;
  fixture.ask(subtype, fields).then((result) => came = { result }, (threw: unknown) => came = { threw });
  assert.isTrue(await quietUntil(() => came !== undefined), `${subtype} settles`);
  return came!;
}

/** An answer that can be written, silence, or a refusal in words. */
function assertSound(came: Came): JsonObject | undefined {
  if ("threw" in came) {
    assert.isTrue(came.threw instanceof ControlAnswerError || came.threw instanceof TypeError, String(came.threw));
    assert.isNotEmpty((came.threw as Error).message);
    return undefined;
  }
  const { result } = came;
  if (result === NO_ANSWER || result === NEVER_ANSWERED || result === undefined) return undefined;
  assert.isTrue(isJsonObject(result), "an answer is an object");
  encodeFrame(result);
  return result as JsonObject;
}

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonObject>;

/** Fields of requests, right ones and wrong ones, with anything in them. */
const anyFields: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.constantFrom(
    "tool_name",
    "input",
    "tool_use_id",
    "permission_suggestions",
    "mcp_server",
    "matched_ask_rule",
    "agent_id",
    "callback_id",
    "server_name",
    "message",
    "mcp_server_name",
    "requested_schema",
    "property_order",
    "dialog_kind",
    "payload",
    "__proto__",
    "constructor",
  ),
  fc.oneof(
    anyJson as fc.Arbitrary<unknown>,
    fc.constantFrom<unknown>("Bash", "AskUserQuestion", "hook_0", "hook_1", "s", "kind", {}, { questions: [{}] }, {
      questions: [null, { question: {}, options: [5, { label: [] }] }],
    }, { properties: { a: {} } }),
  ),
  { maxKeys: 8 },
) as fc.Arbitrary<JsonObject>;

const rpc: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: anyJson as fc.Arbitrary<unknown> },
  {
    weight: 4,
    arbitrary: fc.record({
      jsonrpc: fc.constantFrom<unknown>("2.0", "1.0", undefined, 2),
      id: fc.oneof(fc.constantFrom<unknown>(undefined, null, 0, 1, 2, "1", 1.5, -1), anyJson),
      method: fc.constantFrom<unknown>(
        undefined,
        5,
        "initialize",
        "tools/list",
        "tools/call",
        "ping",
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/progress",
        "resources/list",
        "__proto__",
        "",
      ),
      params: fc.oneof(
        fc.constantFrom<unknown>(
          undefined,
          {},
          INITIALIZE.params,
          { name: "echo", arguments: { text: "a" } },
          { name: "echo", arguments: { text: 5 } },
          { name: "echo", arguments: {}, _meta: { progressToken: {} } },
          { name: "nothing" },
          { name: "echo", _meta: { "io.modelcontextprotocol/related-task": 5 } },
          { requestId: 1 },
          { requestId: {} },
          { progressToken: 1, progress: 1 },
        ),
        anyJson,
      ),
      result: fc.constantFrom<unknown>(undefined, undefined, {}, 5),
      error: fc.constantFrom<unknown>(undefined, undefined, {}, null),
    }).map((message) => JSON.parse(JSON.stringify(message))),
  },
);

const echo = tool(
  "echo",
  "says it again",
  { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as never,
  (args) => ({ content: [{ type: "text", text: String((args as { text: string }).text) }] }),
);

export default suite("handlers: fuzz", (test) => {
  property(
    test,
    "any request, whatever is in its fields, has an answer that can be written, or a refusal in words",
    [
      fc.constantFrom(
        "can_use_tool",
        "hook_callback",
        "mcp_message",
        "elicitation",
        "request_user_dialog",
        "unheard_of",
      ),
      anyFields,
    ],
    async (t, subtype, fields) => {
      const calls: string[] = [];
      const fixture = openHandlers(t, {
        canUseTool: (name, input) => {
          calls.push(typeof name, typeof input);
          return Promise.resolve({ behavior: "deny", message: "no" });
        },
        hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({ decision: "block" })] }], Stop: [{ hooks: [] }] },
        onElicitation: () => Promise.resolve({ action: "decline" }),
        onUserDialog: () => Promise.resolve({ behavior: "cancelled" }),
        supportedDialogKinds: ["kind"],
        tether: { onQuestion: () => Promise.resolve(null) },
      });
      const answer = assertSound(await ask(fixture, subtype, fields));
      if (subtype === "can_use_tool") assert.notStrictEqual(answer?.behavior, "allow");
      assert.notInclude(JSON.stringify(answer ?? {}), '"permissionDecision":"allow"');
      if (calls.length > 0) assert.deepEqual(calls, ["string", "object"], "a callback gets what its type says");
      assert.strictEqual(fixture.clock.pending, 0);
    },
    { runs: 100 },
  );

  property(
    test,
    "whatever a permission callback gives: allowed is what says so itself, everything else is denied or open",
    [hostile, fc.boolean()],
    async (t, given, throws) => {
      const value = hostileValue(given);
      const options: Options = {
        canUseTool: () => {
          if (throws) throw value;
          return value as never;
        },
      };
      const fixture = openHandlers(t, options);
      const came = await ask(fixture, "can_use_tool", { tool_name: "Bash", input: { a: 1 }, tool_use_id: "t" });
      assert.notProperty(came, "threw", "a gate answers");
      const answer = assertSound(came);
      if (answer === undefined) {
        assert.isTrue(!throws && (value === null || fieldOf(value, "then") !== undefined), "only null leaves it open");
      } else if (answer.behavior === "allow") {
        assert.isFalse(throws);
        const said = fieldOf(value, "behavior") === "allow" || typeof fieldOf(value, "then") === "function";
        assert.isTrue(said, "nobody said allow");
        assert.isTrue(isJsonObject(answer.updatedInput));
      } else {
        assert.strictEqual(answer.behavior, "deny");
        assert.isString(answer.message);
        assert.isNotEmpty(answer.message);
      }
    },
    { runs: 100 },
  );

  property(
    test,
    "whatever a hook gives: a gate is as it says or closed, and nothing of it is lost on the way",
    [
      fc.constantFrom("PreToolUse", "UserPromptSubmit", "PermissionRequest", "Stop", "PreModelSwitch"),
      fc.constantFrom(undefined, "continue", "block"),
      hostile,
      fc.boolean(),
    ],
    async (t, event, onFailure, given, throws) => {
      const value = hostileValue(given);
      const options = {
        hooks: {
          [event]: [{
            ...onFailure === undefined ? {} : { onFailure },
            hooks: [() => {
              if (throws) throw value;
              return value;
            }],
          }],
        },
      } as unknown as Options;
      const came = await ask(openHandlers(t, options), "hook_callback", { callback_id: "hook_0", input: {} });
      const gate = onFailure !== "continue" && event !== "Stop" && event !== "PermissionRequest";
      if (gate) assert.notProperty(came, "threw", "a gate answers");
      const answer = assertSound(came);
      if (answer === undefined || !gate) return;
      const specific = isJsonObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {};
      if (answer.decision === "block" || specific.permissionDecision === "deny") return;
      // It is open, or says more than yes and no: then that is what was given, word for word.
      assert.isFalse(throws, "a hook that throws closes its gate");
      const settled = await Promise.resolve(value as object);
      const sent = settled === undefined || settled === null ? {} : JSON.parse(JSON.stringify(settled));
      if (isJsonObject(sent.hookSpecificOutput)) sent.hookSpecificOutput.hookEventName ??= event;
      assert.deepEqual(answer, sent);
      assert.doesNotHaveAnyKeys(answer, ["behavior", "permissionDecision", "updatedInput"], "nobody reads that");
    },
    { runs: 140 },
  );

  property(
    test,
    "whatever an elicitation or a dialog comes to: one of the answers there are",
    [fc.constantFrom("elicitation", "request_user_dialog"), hostile],
    async (t, subtype, given) => {
      const options = {
        onElicitation: () => hostileValue(given),
        onUserDialog: () => hostileValue(given),
        supportedDialogKinds: ["kind"],
      } as unknown as Options;
      const came = await ask(openHandlers(t, options), subtype, { dialog_kind: "kind", mcp_server_name: "s" });
      assert.notProperty(came, "threw");
      const answer = assertSound(came);
      if (answer === undefined) return;
      if (subtype === "elicitation") assert.include(["accept", "decline", "cancel"], answer.action as string);
      else assert.include(["completed", "cancelled"], answer.behavior as string);
    },
    { runs: 50 },
  );

  property(
    test,
    "any JSON as a message to an MCP server: answered as JSON-RPC or in silence, and the server goes on",
    [fc.array(rpc, { maxLength: 6 })],
    async (t, messages) => {
      const fixture = openHandlers(t, { mcpServers: { s: createSdkMcpServer({ name: "s", tools: [echo] }) } });
      for (const message of messages) {
        const answer = assertSound(
          await ask(fixture, "mcp_message", { server_name: "s", message: message as JsonObject }),
        );
        if (answer === undefined) continue;
        const reply = answer.mcp_response as JsonObject;
        assert.strictEqual(reply.jsonrpc, "2.0");
        assert.isTrue(reply.result !== undefined || reply.error !== undefined, "a reply says something");
        const id = (message as JsonObject | null)?.id;
        if (
          reply.result !== undefined && isJsonObject(message) && typeof message.method === "string" && id !== undefined
        ) {
          assert.deepEqual(reply.id, id);
        }
      }
      const begun = await ask(fixture, "mcp_message", { server_name: "s", message: INITIALIZE });
      assert.property((assertSound(begun)?.mcp_response as JsonObject).result, "serverInfo");
      const called = await ask(fixture, "mcp_message", {
        server_name: "s",
        message: toolCall(900, "echo", { text: "hi" }),
      });
      assert.deepNestedInclude(assertSound(called) as JsonObject, { "mcp_response.result.content[0].text": "hi" });
    },
    { runs: 60 },
  );
});
