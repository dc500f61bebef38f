import { assert } from "chai";
import { ControlTimeoutError, createSdkMcpServer, query, tool } from "../../mod.ts";
import { type JsonObject, scriptedCli, step, type VirtualClock, virtualClock } from "../../src/testing/mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { z } from "zod";

/** Moves the clock in steps until the work is over. */
async function passUntil<T>(clock: VirtualClock, work: Promise<T>, stepMs = 1_000): Promise<T> {
  let over = false;
  const done = work.finally(() => over = true);
  done.catch(() => {});
  for (let turn = 0; !over && turn < 2_000; turn++) await clock.pass(stepMs);
  return await done;
}

async function drain(run: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of run);
}

const TOUCH = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" };

function closing(t: TestContext, run: { close(): Promise<void> }, clock: VirtualClock): void {
  t.cleanup(() => passUntil(clock, run.close()));
}

export default suite("deadlines on a virtual clock", (test) => {
  test("a hook that exceeds its time limit is a deny", async (t) => {
    const clock = virtualClock();
    const asked = deferred<void>();
    const transport = scriptedCli([
      step.turn("Denied.", {
        during: [
          step.ask({
            subtype: "hook_callback",
            callback_id: "hook_0",
            tool_use_id: "toolu_1",
            input: { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {}, tool_use_id: "toolu_1" },
          }, { check: { response: { hookSpecificOutput: { permissionDecision: "deny" } } } }),
        ],
      }),
    ], { clock }).transport();
    const run = query({
      prompt: "Go",
      options: {
        hooks: {
          PreToolUse: [{
            timeout: 3_600,
            hooks: [() => {
              asked.resolve();
              return new Promise(() => {});
            }],
          }],
        },
        tether: { transport, clock },
      },
    });
    closing(t, run, clock);
    const over = drain(run);
    await asked.promise;
    await clock.pass(3_600_000);
    await over;
    transport.verify();
  });

  test("a CLI that never answers setModel() fails at its deadline", async (t) => {
    const clock = virtualClock();
    const transport = scriptedCli([step.begin(), step.hang()], { answers: { set_model: null }, clock }).transport();
    const run = query({ prompt: "Go", options: { tether: { transport, clock } } });
    closing(t, run, clock);
    await run.next();
    const failed = rejectsWith(run.setModel("opus"), ControlTimeoutError);
    await clock.pass(179_999);
    const before = clock.pending;
    await clock.pass(1);
    assert.include((await failed).message, "set_model");
    assert.isBelow(clock.pending, before);
  });

  test("initialize that is never answered fails at its deadline", async () => {
    const clock = virtualClock();
    const transport = scriptedCli([step.hang()], { answers: { initialize: null }, clock }).transport();
    const run = query({ prompt: "Go", options: { tether: { transport, clock } } });
    await passUntil(clock, rejectsWith(drain(run), ControlTimeoutError));
    assert.isAtLeast(clock.now(), 60_000);
    assert.strictEqual(clock.pending, 0);
  });

  test("a permission nobody decides is a deny at permissionMs", async (t) => {
    const clock = virtualClock();
    const asked = deferred<void>();
    const transport = scriptedCli([
      step.turn("No.", { during: [step.ask(TOUCH, { check: { response: { behavior: "deny" } } })] }),
    ], { clock }).transport();
    const run = query({
      prompt: "Go",
      options: {
        canUseTool: () => {
          asked.resolve();
          return new Promise(() => {});
        },
        tether: { transport, clock, timeouts: { permissionMs: 86_400_000 } },
      },
    });
    closing(t, run, clock);
    const over = drain(run);
    await asked.promise;
    await clock.pass(86_400_000);
    await over;
    transport.verify();
  });

  test("a tool that exceeds its own limit fails its call", async (t) => {
    const clock = virtualClock();
    const asked = deferred<void>();
    let answer: JsonObject | undefined;
    const transport = scriptedCli([
      step.begin(),
      step.run(async (cli) => {
        const message = (id: number, method: string, params: JsonObject): JsonObject => ({
          subtype: "mcp_message",
          server_name: "slow",
          message: { jsonrpc: "2.0", id, method, params },
        });
        const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "cli", version: "1" } };
        await cli.ask(message(1, "initialize", client));
        answer = await cli.ask(message(2, "tools/call", { name: "wait", arguments: {} }));
      }),
      step.finish(),
    ], { clock }).transport();
    const wait = tool("wait", "Waits", { more: z.string().optional() }, () => {
      asked.resolve();
      return new Promise<never>(() => {});
    }, { timeoutMs: 600_000 });
    const run = query({
      prompt: "Go",
      options: {
        mcpServers: { slow: createSdkMcpServer({ name: "slow", tools: [wait] }) },
        tether: { transport, clock },
      },
    });
    closing(t, run, clock);
    const over = drain(run);
    await asked.promise;
    await clock.pass(600_000);
    await over;
    assert.include(JSON.stringify(answer), '"isError":true');
    transport.verify();
  });

  test("closing goes from the end of input over its grace to the forced end", async () => {
    const clock = virtualClock();
    const transport = scriptedCli([step.begin(), step.hang()], { eof: "ignore", sigterm: "ignore", clock }).transport();
    const run = query({ prompt: "Go", options: { tether: { transport, clock } } });
    await run.next();
    const began = clock.now();
    await passUntil(clock, run.close());
    assert.deepInclude(await transport.exited, { signal: "SIGKILL" });
    assert.isAtLeast(clock.now() - began, 10_000);
    assert.strictEqual(clock.pending, 0);
  });

  test("a CLI that tells no states is over after its quiet", async () => {
    const clock = virtualClock();
    const transport = scriptedCli([step.turn("Hello!")], { cli: "old", clock }).transport();
    const run = query({ prompt: "Go", options: { tether: { transport, clock } } });
    await passUntil(clock, drain(run), 500);
    assert.isAtLeast(clock.now(), 2_000);
    transport.verify();
  });
});
