/** A query and the asynchronous contexts it is used from. Needs a runtime with `AsyncLocalStorage`. */

import { assert } from "chai";
import { AsyncLocalStorage } from "node:async_hooks";
import { type Diagnostic, type Options, query, type SDKUserMessage } from "../../mod.ts";
import { type JsonObject, scriptedCli, step } from "../../src/testing/mod.ts";
import { suite } from "../harness/suite.ts";

const ASK: JsonObject = {
  subtype: "can_use_tool",
  tool_name: "Bash",
  input: { command: "ls" },
  tool_use_id: "toolu_1",
};

const HOOK: JsonObject = {
  subtype: "hook_callback",
  callback_id: "hook_0",
  input: { hook_event_name: "Stop", stop_hook_active: false },
};

export default suite("query in asynchronous contexts", (test) => {
  test("callbacks see the context in which the query was made, whoever loops and closes (P02 P03)", async (t) => {
    const context = new AsyncLocalStorage<string>();
    const seen: [string, string | undefined][] = [];
    const note = (what: string): void => void seen.push([what, context.getStore()]);
    const transport = scriptedCli([step.turn("done", { during: [step.ask(ASK), step.ask(HOOK)] }), step.user()])
      .transport();
    const prompt = async function* (): AsyncGenerator<SDKUserMessage> {
      note("prompt");
      yield { type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: null, session_id: "" };
      await new Promise(() => {});
    };
    const options: Options = {
      tether: { transport, onDiagnostic: () => note("diagnostic") },
      canUseTool: (_name, input) => {
        note("permission");
        return Promise.resolve({ behavior: "allow", updatedInput: input });
      },
      hooks: {
        Stop: [{
          hooks: [() => {
            note("hook");
            return Promise.resolve({});
          }],
        }],
      },
    };
    const running = context.run("maker", () => query({ prompt: prompt(), options }));
    t.cleanup(() => running.close());
    const types = await context.run("reader", async () => {
      const types: string[] = [];
      for (let item = await running.next(); !item.done; item = await running.next()) {
        types.push(item.value.type);
        assert.strictEqual(context.getStore(), "reader");
        if (item.value.type === "result") break;
      }
      return types;
    });
    assert.deepEqual(types, ["system", "assistant", "result"]);
    await context.run("closer", () => running.close());
    assert.deepEqual(seen.filter(([what]) => what !== "diagnostic"), [
      ["prompt", "maker"],
      ["permission", "maker"],
      ["hook", "maker"],
    ]);
    assert.deepEqual(seen.filter(([, where]) => where !== "maker"), []);
  });

  test("what fails where nobody waits is told, and the query goes on (P05)", async () => {
    const diagnostics: Diagnostic[] = [];
    const transport = scriptedCli([step.turn("done", { during: [step.ask(HOOK)] })]).transport();
    const fault = new Error("mine");
    const types: string[] = [];
    const options: Options = {
      tether: { transport, onDiagnostic: (event) => diagnostics.push(event) },
      hooks: {
        Stop: [{
          hooks: [async () => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            throw fault;
          }],
        }],
      },
    };
    for await (const message of query({ prompt: "go", options })) types.push(message.type);
    assert.deepEqual(types, ["system", "assistant", "result"]);
    assert.deepEqual(diagnostics.flatMap((event) => event.kind === "callback_failed" ? [event.cause] : []), [fault]);
  });
});
