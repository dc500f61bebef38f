/** Hooks, permissions, questions and in-process tools, asked for by the real CLI. */
// Loaded ahead of the first query, whose budget for manifests its loading would use up.
import "@modelcontextprotocol/sdk/server/mcp.js";
import { assert } from "chai";
import { z } from "zod";
import {
  createSdkMcpServer,
  type HookCallback,
  OptionError,
  type Options,
  type PermissionResult,
  tool,
} from "../../mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import { block, turn } from "../../src/testing/mod.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { Scene } from "./real_query.ts";

/** What the tools of the last turn answered, as the model saw it. */
function seenByModel(scene: Scene): string {
  return JSON.stringify(scene.model.requests.at(-1)?.messages ?? []);
}

function calculator(): { server: ReturnType<typeof createSdkMcpServer>; calls: unknown[] } {
  const calls: unknown[] = [];
  const server = createSdkMcpServer({
    name: "calc",
    alwaysLoad: true,
    tools: [
      tool(
        "add",
        "adds two numbers",
        { a: z.number(), b: z.number().describe("the second") },
        ({ a, b }, { toolUseId }) => {
          calls.push({ a, b, toolUseId });
          return { content: [{ type: "text", text: `sum is ${a + b}` }] };
        },
      ),
      tool(
        "pair",
        "takes a pair",
        { type: "object", properties: { p: { items: [{ type: "string" }, {}] } } },
        (args) => {
          calls.push(args);
          throw new Error("kaboom of the pair");
        },
      ),
    ],
  });
  return { server, calls };
}

const failing: HookCallback = () => Promise.reject(new Error("the policy server is away"));

export default suite("handlers on the real CLI", (test) => {
  test("L21 L25 in-process tools: listed by manifest, called, failing; the model sees it all", async (t) => {
    const { server, calls } = calculator();
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("mcp__calc__add", { a: 1, b: 2 }, { id: "toolu_1" }),
        turn.toolUse("mcp__calc__add", { a: ["x"], b: 2 }, { id: "toolu_2" }),
        turn.toolUse("mcp__calc__pair", { p: ["x", 1] }, { id: "toolu_3" }),
        turn.text("done"),
      ],
      prompt: "go",
      options: { mcpServers: { calc: server }, allowedTools: ["mcp__calc__add", "mcp__calc__pair"] },
    });
    const { sdk_mcp_manifests_parked: parked } = await scene.query.initializationResult();
    // On a machine under load the budget for manifests may run out, and the CLI does the handshake itself.
    if (parked !== undefined) assert.deepEqual(parked as unknown, { calc: "parked" });
    await scene.drain();
    assert.deepEqual(calls, [{ a: 1, b: 2, toolUseId: "toolu_1" }, { p: ["x", 1] }]);
    const seen = seenByModel(scene);
    for (const text of ["sum is 3", "Invalid arguments for tool add", "kaboom of the pair"]) assert.include(seen, text);
    const listed = JSON.stringify(scene.model.requests[0]?.body.tools);
    assert.include(listed, "the second");
    assert.include(listed, '"prefixItems":[{"type":"string"},{}]');
    assert.notInclude(listed, "draft-07");
    assert.strictEqual(scene.gone().code, 0);
  });

  test("one tool set in two conversations at once", async (t) => {
    const { server, calls } = calculator();
    const options: Options = { mcpServers: { calc: server }, allowedTools: ["mcp__calc__add"] };
    const scenes = await Promise.all(
      [10, 20].map((a) =>
        Scene.start(t, {
          script: [turn.toolUse("mcp__calc__add", { a, b: 1 }), turn.text("done")],
          prompt: "go",
          options,
        })
      ),
    );
    await Promise.all(scenes.map((scene) => scene.drain()));
    assert.include(seenByModel(scenes[0]!), "sum is 11");
    assert.include(seenByModel(scenes[1]!), "sum is 21");
    assert.lengthOf(calls, 2);
  });

  test("L16 an interrupt reaches the tool that is running", async (t) => {
    const started = deferred<AbortSignal>();
    const server = createSdkMcpServer({
      name: "slow",
      alwaysLoad: true,
      tools: [tool("wait", "waits", {}, (_args, { signal }) => {
        started.resolve(signal);
        return new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason), { once: true })
        );
      })],
    });
    const scene = await Scene.start(t, {
      script: [turn.toolUse("mcp__slow__wait", {}), turn.text("never said")],
      prompt: "go",
      options: { mcpServers: { slow: server }, allowedTools: ["mcp__slow__wait"] },
    });
    const draining = scene.drain();
    const signal = await started.promise;
    await scene.query.interrupt();
    await draining;
    assert.isTrue(signal.aborted);
    assert.strictEqual(scene.results().at(-1)?.subtype, "error_during_execution");
  });

  test("a PreToolUse hook that fails keeps the tool from running, and the model is told why", async (t) => {
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "echo ran-anyway", description: "d" }), turn.text("done")],
      prompt: "go",
      options: { allowedTools: ["Bash"], hooks: { PreToolUse: [{ hooks: [failing] }] } },
    });
    await scene.drain();
    assert.include(seenByModel(scene), "PreToolUse hook failed: the policy server is away");
    assert.notInclude(seenByModel(scene), '"content":"ran-anyway');
    assert.deepInclude(scene.diagnostics.filter(({ kind }) => kind === "callback_failed")[0], { gate: true });
  });

  test("a typo in a verdict does not open the gate", async (t) => {
    const typo = (() => Promise.resolve({ decision: "deny", reason: "no" })) as unknown as HookCallback;
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "touch ran", description: "d" }), turn.text("done")],
      prompt: "go",
      options: { allowedTools: ["Bash"], hooks: { PreToolUse: [{ hooks: [typo] }] } },
    });
    await scene.drain();
    assert.include(seenByModel(scene), "decision has a value that the CLI refuses");
  });

  test('with onFailure "continue" the tool runs all the same', async (t) => {
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "echo ran-$((1+1))", description: "d" }), turn.text("done")],
      prompt: "go",
      options: { allowedTools: ["Bash"], hooks: { PreToolUse: [{ hooks: [failing], onFailure: "continue" }] } },
    });
    await scene.drain();
    assert.include(seenByModel(scene), "ran-2");
  });

  test("I21 a UserPromptSubmit hook past its time blocks the prompt; the conversation lives", async (t) => {
    const hang: HookCallback = () => deferred<void>().promise;
    const scene = await Scene.start(t, {
      script: [turn.text("never said")],
      prompt: "go",
      options: { hooks: { UserPromptSubmit: [{ hooks: [hang], timeout: 2 }] } },
    });
    await scene.drain();
    assert.lengthOf(scene.model.requests.filter(({ kind }) => kind === "main"), 0);
    assert.strictEqual(scene.results()[0]?.subtype, "success");
    assert.include(JSON.stringify(scene.messages), "UserPromptSubmit hook failed: it did not answer within 1800 ms");
  });

  test("gateAll: allow rules do not let a call past the permission callback", async (t) => {
    const asked: string[] = [];
    const scene = await Scene.start(t, {
      script: [
        turn.blocks([
          block.toolUse("Bash", { command: "echo one", description: "d" }),
          block.toolUse("Read", { file_path: "/etc/hostname" }),
        ]),
        turn.text("done"),
      ],
      prompt: "go",
      options: {
        allowedTools: ["Bash", "Read"],
        canUseTool: (name) => {
          asked.push(name);
          return Promise.resolve({ behavior: "deny", message: `not ${name}` });
        },
        tether: { gateAll: true },
      },
    });
    await scene.drain();
    assert.sameMembers(asked, ["Bash", "Read"]);
    assert.include(seenByModel(scene), "not Bash");
    assert.include(seenByModel(scene), "not Read");
  });

  test("J09 a question left open by null is answered later, and the tool runs", async (t) => {
    const question = deferred<string>();
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "touch made-$((2+2))", description: "d" }), turn.text("done")],
      prompt: "go",
      options: {
        canUseTool: (_name, _input, { requestId }) => {
          question.resolve(requestId);
          return Promise.resolve(null);
        },
      },
    });
    const draining = scene.drain();
    const requestId = await question.promise;
    const result: PermissionResult = { behavior: "allow" };
    assert.isTrue(await scene.query.answerPermission(requestId, result));
    assert.isFalse(await scene.query.answerPermission(requestId, result));
    await draining;
    assert.notInclude(seenByModel(scene), '"is_error":true');
    assert.strictEqual(scene.gone().code, 0);
  });

  test("a permission callback that throws denies", async (t) => {
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "touch x", description: "d" }), turn.text("done")],
      prompt: "go",
      options: { canUseTool: () => Promise.reject(new Error("no database")) },
    });
    await scene.drain();
    assert.include(seenByModel(scene), "The permission callback failed: no database");
  });

  test("the model's questions reach onQuestion, and its answers the model", async (t) => {
    const asked: string[] = [];
    const input = {
      questions: [{
        question: "Which database?",
        header: "DB",
        multiSelect: false,
        options: [{ label: "Redis", description: "fast" }, { label: "Postgres", description: "sound" }],
      }],
    };
    const scene = await Scene.start(t, {
      script: [turn.toolUse("AskUserQuestion", input), turn.text("done")],
      prompt: "go",
      options: {
        tether: {
          onQuestion: (questions) => {
            asked.push(...questions.map(({ question }) => question));
            return Promise.resolve({ "Which database?": "Postgres" });
          },
        },
      },
    });
    await scene.drain();
    assert.deepEqual(asked, ["Which database?"]);
    assert.match(seenByModel(scene), /Which database\?[^}]*Postgres/);
  });

  test("a tool that cannot be listed ends the query with an error that names it, and no process is left", async (t) => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    const server = createSdkMcpServer({ name: "bad", tools: [tool("pick", "picks", union, () => ({ content: [] }))] });
    const scene = await Scene.start(t, {
      script: [turn.text("x")],
      prompt: "go",
      options: { mcpServers: { bad: server } },
    });
    const error = await rejectsWith(scene.drain(), OptionError);
    assert.strictEqual(error.option, 'inputSchema of tool "pick"');
    scene.gone();
  });
});
