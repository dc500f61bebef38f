/** What can be asked of a query about its MCP servers, its turns, tasks and open questions, on the real CLI. */
// Loaded ahead of the first query, whose budget for manifests its loading would use up.
import "@modelcontextprotocol/sdk/server/mcp.js";
import { assert } from "chai";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  ControlRequestError,
  createSdkMcpServer,
  type McpServerConfig,
  type McpServerStatus,
  OptionError,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  tool,
} from "../../mod.ts";
import { turn } from "../../src/testing/mod.ts";
import { Mailbox } from "../harness/mailbox.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { ownRunArguments } from "../harness/run_program.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { processFixture } from "../runtime/host_process.ts";
import { CUT_SHORT, DONE, Scene, userMessage } from "./real_query.ts";

const isResult = (message: { readonly type: string }): boolean => message.type === "result";

function isTask(subtype: "task_started" | "task_notification"): (message: SDKMessage) => boolean {
  return (message) => message.type === "system" && message.subtype === subtype;
}

/** A server over stdio, run by this very runtime. */
function library(): McpServerConfig {
  return {
    command: process.execPath,
    args: ownRunArguments(processFixture("mcp_server")),
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  };
}

function calculator(): ReturnType<typeof createSdkMcpServer> {
  return createSdkMcpServer({
    name: "calc",
    alwaysLoad: true,
    tools: [tool("answer", "answers", {}, () => ({ content: [{ type: "text", text: "forty-two" }] }))],
  });
}

async function textOf(promise: Promise<unknown>): Promise<string> {
  return (await rejectsWith(promise, ControlRequestError)).message;
}

export default suite("query methods on the real CLI: servers and turns", (test) => {
  test("MCP servers: how they stand, resources, off and on, others in their place (H30)", async (t) => {
    const prompt = new Mailbox<SDKUserMessage>();
    const scene = await Scene.start(t, {
      script: [turn.text("one"), turn.toolUse("mcp__second__answer", {}), turn.text("two")],
      prompt,
      options: { mcpServers: { library: library(), calc: calculator() }, allowedTools: ["mcp__second__answer"] },
    });
    const { query } = scene;
    const status = async (name: string): Promise<McpServerStatus | undefined> =>
      (await query.mcpServerStatus()).find((server) => server.name === name);

    // A turn waits for its servers.
    prompt.put(userMessage("go"));
    await scene.until(isResult);
    const { config, ...shown } = await status("library") ?? {};
    assert.deepInclude(config, { type: "stdio", command: process.execPath });
    assert.deepEqual(shown, {
      name: "library",
      status: "connected",
      serverInfo: { name: "library", version: "1.2.3" },
      transport: "stdio",
      scope: "dynamic",
      source: "dynamic",
      tools: [{ name: "look", annotations: { readOnly: true } }],
    });
    assert.deepInclude(await status("calc"), { status: "connected", transport: "sdk", source: "sdk" });

    assert.deepEqual(await query.readMcpResource("library", "ui://page"), {
      contents: [{ uri: "ui://page", mimeType: "text/html", text: "<b>page</b>" }],
    });
    assert.include(await textOf(query.readMcpResource("library", "file:///page")), "ui://");
    assert.include(await textOf(query.readMcpResource("calc", "ui://page")), "does not support SDK MCP servers");
    assert.include(await textOf(query.readMcpResource("none", "ui://page")), "none");

    await query.reconnectMcpServer("library");
    assert.deepInclude(await status("library"), { status: "connected" });
    assert.include(await textOf(query.reconnectMcpServer("none")), "none");
    assert.include(await textOf(query.reconnectMcpServer("calc")), "SDK servers");

    for (const name of ["library", "calc"]) {
      await query.toggleMcpServer(name, false);
      assert.deepInclude(await status(name), { status: "disabled" });
      await query.toggleMcpServer(name, true);
      assert.deepInclude(await status(name), { status: "connected" });
    }
    assert.include(await textOf(query.toggleMcpServer("none", true)), "none");

    assert.deepEqual(await query.setMcpPermissionModeOverride("library", "auto"), {});
    assert.deepEqual(await query.setMcpPermissionModeOverride("library", null), {});
    assert.include((await query.setMcpPermissionModeOverride("none", "default")).warning, "none");
    assert.include(await textOf(query.setMcpPermissionModeOverride("calc", "x" as never)), "must be one of");

    await rejectsWith(query.setMcpServers({ bad: { type: "sdk", name: "bad" } as never }), OptionError);
    assert.deepInclude(await status("calc"), { status: "connected" }, "nothing was changed");
    const replaced = await query.setMcpServers({
      second: calculator(),
      gone: { command: join(scene.folders.cwd, "nothing") },
    });
    assert.sameMembers(replaced.added, ["second", "gone"]);
    assert.deepEqual(replaced.removed, ["calc"]);
    assert.sameMembers(Object.keys(replaced.errors), ["gone"]);
    assert.include(replaced.errors.gone, "ENOENT", "it was tried, without any `args`");
    prompt.put(userMessage("go on"));
    await scene.until(isResult);
    assert.strictEqual(scene.toolOutput(2), "forty-two");
    assert.deepEqual((await query.setMcpServers({})).removed.toSorted(), ["gone", "second"]);
    assert.isUndefined(await status("second"));
    assert.deepInclude(await status("library"), { status: "connected" }, "what the CLI was started with stays");
    prompt.end();
    await scene.drain();
    scene.gone(DONE);
  });

  test("turns: what is streamed in, sent to the background, stopped, interrupted and dropped (H19 H20 H24)", async (t) => {
    const prompt = new Mailbox<SDKUserMessage>();
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("Bash", { command: "touch one; sleep 100", description: "d" }, { id: "toolu_one" }),
        turn.text("in the background"),
        turn.toolUse("Bash", { command: "touch two; sleep 100", description: "d" }, { id: "toolu_two" }),
        turn.text("queued, and run"),
        turn.toolUse("Bash", { command: "touch three; sleep 100", description: "d" }, { id: "toolu_three" }),
        turn.toolUse("Bash", { command: "sleep 100", description: "d" }, { id: "toolu_four" }),
      ],
      prompt,
      options: { allowedTools: ["Bash"] },
    });
    const { query, folders: { cwd } } = scene;
    const runs = (name: string): Promise<void> => until(() => existsSync(join(cwd, name)));
    assert.isTrue(await query.backgroundTasks(), "everything that runs, which is nothing");
    assert.isFalse(await query.backgroundTasks("toolu_none"));
    await query.stopTask("none");
    await query.streamInput("one");
    // A call can be sent to the background once the CLI calls it a task, after some 2 s.
    const started = await scene.until(isTask("task_started"));
    assert.isTrue(await query.backgroundTasks("toolu_one"));
    await scene.until(isResult);
    const { task_id: taskId } = started as unknown as { readonly task_id: string };
    await query.stopTask(taskId);
    const stopped = await scene.until(isTask("task_notification"));
    assert.deepInclude(stopped, { task_id: taskId, status: "stopped" });
    await query.streamInput("two");
    await runs("two");
    const queued = crypto.randomUUID();
    await query.streamInput([{ ...userMessage("run later"), uuid: queued }]);
    assert.deepEqual(await query.interrupt(), { still_queued: [queued] });
    assert.deepInclude(await scene.until(isResult), { terminal_reason: "aborted_tools" });
    assert.deepInclude(await scene.until(isResult), { subtype: "success", result: "queued, and run" });
    await query.streamInput("three");
    await runs("three");
    const dropped = crypto.randomUUID();
    await query.streamInput([{ ...userMessage("never run"), uuid: dropped }]);
    assert.deepEqual(await query.interrupt({ cancelQueued: true }), { still_queued: [], cancelled: [dropped] });
    assert.deepInclude(await scene.until(isResult), { subtype: "error_during_execution" });
    // Right behind a prompt: its turn is waited for, or nothing would be interrupted.
    await query.streamInput("four");
    await query.interrupt();
    // Stopped before the model was asked, a turn may end well (seen once, on a busy machine). It ends: its command takes longer
    // than this body may.
    const cut = await scene.until(isResult) as SDKResultMessage;
    assert.include(["error_during_execution", "success"], cut.subtype);
    prompt.end();
    await scene.drain();
    scene.gone(cut.is_error ? CUT_SHORT : DONE);
  });

  test("initialized once more: an open question is not asked twice, and is answered; hooks go on (H25)", async (t) => {
    let open = "";
    let asked = 0;
    const scene = await Scene.start(t, {
      script: [
        turn.toolUse("Write", { file_path: "w.txt", content: "x" }),
        turn.toolUse("Bash", { command: "echo late", description: "d" }),
        turn.text("done"),
      ],
      prompt: "go",
      options: ({ watch }) => ({
        hooks: watch,
        canUseTool: (_name, _input, { requestId }) => {
          open = requestId;
          asked++;
          return Promise.resolve(null);
        },
      }),
    });
    const { query } = scene;
    const draining = scene.drain();
    await until(() => open !== "");
    const first = await query.initializationResult();
    const again = await query.reinitialize();
    assert.deepInclude(again, { session_state: "requires_action", hooks_applied: true });
    assert.strictEqual(await query.initializationResult(), first, "the first stays what it was");
    assert.deepEqual(again.models, first.models);
    assert.strictEqual(asked, 1);
    assert.isTrue(await query.answerPermission(open, { behavior: "allow" }));
    assert.isFalse(await query.answerPermission(open, { behavior: "allow" }));
    await draining;
    assert.isTrue(existsSync(join(scene.folders.cwd, "w.txt")));
    assert.deepEqual(scene.hooked, ["Write", "echo late"]);
    assert.strictEqual(scene.toolOutput(2), "hooked\nlate");
    assert.strictEqual(asked, 1);
    scene.gone(DONE);
  });
});
