/** Handlers behind a real control channel: what is written for a request, in which order, and what never is. */
import { assert } from "chai";
import { z } from "zod";
import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { createHandlers, type Handlers } from "../../../src/client/handlers/handlers.ts";
import { tool } from "../../../src/client/tool.ts";
import type { ToolReturn } from "../../../src/client/tools/tool_types.ts";
import { deferred } from "../../../src/core/deferred.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import { resolveTimeouts } from "../../../src/core/limits.ts";
import type { HookJSONOutput, Options, PermissionResult } from "../../../src/core/options/mod.ts";
import { type Channel, openChannel } from "../../harness/channel_fixture.ts";
import { suite, type TestContext } from "../../harness/suite.ts";
import { until } from "../../harness/until.ts";
import { settle } from "../../harness/virtual_clock.ts";
import { toolCall } from "./handlers_fixture.ts";

interface Scene extends Channel {
  readonly handlers: Handlers;
}

function open(t: TestContext, options: Options): Scene {
  const channel: Channel = openChannel(t, { onRequest: (request) => handlers.handle(request) });
  const handlers = createHandlers(options, {
    clock: channel.clock,
    timeouts: resolveTimeouts(),
    onDiagnostic: (event) => channel.diagnostics.push(event),
    sendControl: (subtype, fields) => channel.connection.request(subtype, fields),
    respond: (requestId, payload) => channel.connection.respond(requestId, payload),
  });
  t.cleanup(() => handlers.close());
  return { ...channel, handlers };
}

function mcp(id: string, message: JsonObject): [string, JsonObject] {
  return [id, { subtype: "mcp_message", server_name: "s", message }];
}

export default suite("handlers on a connection", (test) => {
  test("a hook that is taken back is never answered, however it settles", async (t) => {
    const hang = deferred<HookJSONOutput>();
    let calls = 0;
    const { peer } = open(t, {
      hooks: { PreToolUse: [{ hooks: [() => (calls++, hang.promise)] }] },
    });
    peer.ask("h", { subtype: "hook_callback", callback_id: "hook_0", input: {} });
    await until(() => calls === 1);
    peer.takeBack("h");
    peer.ask("after", { subtype: "elicitation" });
    await peer.heard(({ type }) => type === "control_response");
    hang.resolve({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } });
    await settle();
    assert.deepEqual(peer.answersTo("h"), []);
    assert.lengthOf(peer.answersTo("after"), 1);
  });

  test("a connection that ends while a gate is open writes no success for it", async (t) => {
    const hang = deferred<HookJSONOutput>();
    let signal: AbortSignal | undefined;
    const { peer, connection } = open(t, {
      hooks: {
        PreToolUse: [{
          hooks: [(_input, _id, options) => {
            signal = options.signal;
            return hang.promise;
          }],
        }],
      },
    });
    peer.ask("h", { subtype: "hook_callback", callback_id: "hook_0", input: {} });
    await until(() => signal !== undefined);
    connection.drain(new Error("closing"));
    await until(() => peer.inputEnded);
    assert.isTrue(signal?.aborted);
    assert.deepEqual(peer.answersTo("h"), []);
    hang.resolve({});
  });

  test("J09 a question left open is answered by answerPermission, once", async (t) => {
    const { peer, handlers } = open(t, { canUseTool: () => Promise.resolve(null) });
    peer.ask("p", { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "toolu_1" });
    const result: PermissionResult = { behavior: "allow" };
    let answered = false;
    while (!answered) {
      await settle();
      answered = await handlers.answerPermission("p", result);
    }
    assert.isFalse(await handlers.answerPermission("p", result));
    assert.deepEqual(peer.answersTo("p"), [{
      subtype: "success",
      request_id: "p",
      response: { behavior: "allow", updatedInput: { command: "ls" }, toolUseID: "toolu_1" },
    }]);
  });

  test("an early answer through answerPermission stands; what the callback returns later is dropped", async (t) => {
    const late = deferred<PermissionResult>();
    let asked: string | undefined;
    const { peer, handlers } = open(t, {
      canUseTool: (_name, _input, { requestId }) => {
        asked = requestId;
        return late.promise;
      },
    });
    peer.ask("p", { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" });
    await until(() => asked === "p");
    assert.isTrue(await handlers.answerPermission("p", { behavior: "deny", message: "first" }));
    late.resolve({ behavior: "allow" });
    await settle();
    assert.lengthOf(peer.answersTo("p"), 1);
    assert.include(peer.answersTo("p")[0]?.response as JsonObject, { message: "first" });
  });

  test("L14 L16 tool calls side by side: each answered once, progress ahead of its result, cancels in silence", async (t) => {
    const held = deferred<ToolReturn>();
    let started = 0;
    const { peer, connection } = open(t, {
      mcpServers: {
        s: createSdkMcpServer({
          name: "s",
          tools: [
            tool("big", "b", { n: z.number() }, async ({ n }, { sendProgress }) => {
              await sendProgress(1);
              return { content: [{ type: "text", text: String(n).repeat(1_000) }] };
            }),
            tool("hold", "h", {}, () => {
              started++;
              return held.promise;
            }),
          ],
        }),
      },
    });
    peer.onLine = (line) => {
      if (isJsonObject(line.request) && line.request.subtype === "mcp_message") peer.answer(line.request_id);
    };
    peer.ask(...mcp("held", toolCall(99, "hold")));
    await until(() => started === 1);
    for (let n = 1; n <= 32; n++) peer.ask(...mcp(`call-${n}`, toolCall(n, "big", { n })));
    peer.ask(...mcp("cancel", { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } }));
    await until(() => peer.lines.filter(({ type }) => type === "control_response").length === 33);
    held.resolve({ content: [] });
    await settle();
    assert.deepEqual(peer.answersTo("held"), []);
    assert.strictEqual(connection.openInbound, 0, "nobody remembers what is never answered");
    for (let n = 1; n <= 32; n++) {
      const [answer] = peer.answersTo(`call-${n}`);
      assert.deepNestedInclude(answer as JsonObject, {
        "response.mcp_response.id": n,
        "response.mcp_response.result.content[0].text": String(n).repeat(1_000),
      });
      const progressAt = peer.lines.findIndex(({ request }) =>
        isJsonObject(request) && JSON.stringify(request).includes(`"progressToken":${n},`)
      );
      const resultAt = peer.lines.findIndex(({ response }) =>
        isJsonObject(response) && response.request_id === `call-${n}`
      );
      assert.isAtLeast(progressAt, 0);
      assert.isBelow(progressAt, resultAt);
    }
  });

  test("a tool result without a JSON form is a failed call that names the value, and the conversation goes on", async (t) => {
    const { peer, diagnostics } = open(t, {
      mcpServers: {
        s: createSdkMcpServer({
          name: "s",
          tools: [tool("odd", "o", {}, () => ({ structuredContent: { rows: [{ big: 1n }] } }))],
        }),
      },
    });
    peer.ask(...mcp("c", toolCall(1, "odd")));
    await peer.heard(({ type }) => type === "control_response");
    assert.deepNestedInclude(peer.answersTo("c")[0] as JsonObject, {
      "response.mcp_response.result.isError": true,
      "response.mcp_response.result.content[0].text":
        "its result cannot be sent: structuredContent.rows[0].big is a bigint",
    });
    assert.include(diagnostics[0], { kind: "callback_failed", callback: "tool odd" });
    peer.ask(...mcp("d", toolCall(1, "odd")));
    await until(() => peer.answersTo("d").length === 1);
  });
});
