import { assert } from "chai";
import fc from "fast-check";
import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { tool } from "../../../src/client/tool.ts";
import type { ToolReturn } from "../../../src/client/tools/tool_types.ts";
import { type Deferred, deferred } from "../../../src/core/deferred.ts";
import { isJsonObject } from "../../../src/core/json.ts";
import { type HandlerResult, NEVER_ANSWERED } from "../../../src/core/protocol/mod.ts";
import { createSdkMcpServer as createEagerly } from "../../../src/mcp/mod.ts";
import { property } from "../../harness/fuzz/property.ts";
import { suite } from "../../harness/suite.ts";
import { settle } from "../../harness/virtual_clock.ts";
import { INITIALIZE, openHandlers, toolCall } from "./handlers_fixture.ts";

/** One thing that happens. `who` is one of two queries; `which` picks among what is there. */
type Step = readonly [
  "call" | "cancel" | "take back" | "finish" | "fail" | "initialize" | "wait",
  who: number,
  which: number,
];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom("call", "call", "call", "cancel", "take back", "finish", "fail", "initialize", "wait"),
  fc.nat(1),
  fc.nat(20),
);

interface Call {
  readonly id: number;
  readonly who: number;
  readonly controller: AbortController;
  taken: boolean;
  outcome: HandlerResult | { readonly threw: unknown };
}

export default suite("MCP bridge under random orders", (test) => {
  for (const kind of ["a tool set", "one server object"] as const) {
    property(
      test,
      `${kind}, two queries: every call settles once, to its own id, and is silent only if it was taken back`,
      [fc.array(step, { maxLength: 40 })],
      async (t, steps) => {
        const runs: Deferred<ToolReturn>[] = [];
        const hold = tool("hold", "h", {}, (_args, { signal }) => {
          const run = deferred<ToolReturn>();
          runs.push(run);
          // Every other tool listens to its signal.
          if (runs.length % 2 === 0) {
            signal.addEventListener("abort", () => run.reject(signal.reason), { once: true });
          }
          return run.promise;
        });
        const options = { name: "s", tools: [hold] };
        const server = kind === "a tool set" ? createSdkMcpServer(options) : createEagerly(options);
        const queries = [0, 1].map(() => openHandlers(t, { mcpServers: { s: server } }));
        const calls: Call[] = [];
        let nextId = 1;
        for (const [what, who, which] of steps) {
          const query = queries[who]!;
          if (what === "call") {
            const call: Call = {
              id: nextId++,
              who,
              controller: new AbortController(),
              taken: false,
              outcome: undefined,
            };
            calls.push(call);
            query.ask("mcp_message", { server_name: "s", message: toolCall(call.id, "hold") }, {
              signal: call.controller.signal,
            }).then((outcome) => call.outcome = outcome, (threw) => call.outcome = { threw });
          } else if (what === "cancel" || what === "take back") {
            const call = calls[which % (calls.length || 1)];
            if (call === undefined || call.outcome !== undefined) continue;
            call.taken = true;
            if (what === "take back") call.controller.abort();
            else {
              const params = { requestId: call.id };
              await queries[call.who]!.mcp("s", { jsonrpc: "2.0", method: "notifications/cancelled", params });
            }
          } else if (what === "finish" || what === "fail") {
            const run = runs[which % (runs.length || 1)];
            if (what === "finish") run?.resolve({ content: [] });
            else run?.reject(new Error("failed"));
          } else if (what === "initialize") {
            assert.property(await query.mcp("s", INITIALIZE), "result");
          } else {
            await settle();
          }
        }
        await settle();
        for (const run of runs) run.resolve({ content: [] });
        await Promise.all(queries.map((query) => query.handlers.close()));
        await settle();
        for (const { id, outcome, taken } of calls) {
          if (outcome === NEVER_ANSWERED) assert.isTrue(taken);
          else if (isJsonObject(outcome) && isJsonObject(outcome.mcp_response)) {
            assert.strictEqual(outcome.mcp_response.id, id);
          } else assert.fail(`a call came to ${String(outcome)}`);
        }
        for (const query of queries) assert.strictEqual(query.clock.pending, 0);
      },
      { runs: 60 },
    );
  }
});
