/** The fault matrix on the real CLI: its most telling cells. */
import { assert } from "chai";
import process from "node:process";
import { AbortError, ClaudeSDKClient, ProcessError } from "../../mod.ts";
import { scriptedModel, turn } from "../../src/testing/mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { killWith, newMark, runningWith } from "../runtime/children.ts";
import { makeCliHome } from "./real_cli.ts";
import { Scene } from "./real_query.ts";
import { STUBBORN_SERVER } from "./stubborn_server.ts";

const KILLED = { code: null, signal: "SIGKILL", forced: false };

/** The CLI's process. */
async function pidOf(scene: Scene): Promise<number> {
  const { pid } = await scene.query.initializationResult();
  assert.isNumber(pid);
  return pid as number;
}

/** The loop rejects with the end by SIGKILL, once. */
async function toldOfKill(scene: Scene, drained: Promise<unknown>): Promise<ProcessError> {
  const error = await rejectsWith(drained, ProcessError);
  assert.deepInclude(error, { code: "process_killed", signal: "SIGKILL", exitCode: null });
  assert.isNotEmpty(error.argv);
  assert.deepEqual(await scene.query.next(), { done: true, value: undefined });
  scene.gone(KILLED);
  await scene.query.close();
  return error;
}

export default suite("faults of the real CLI", (test) => {
  test("SIGKILL in mid-turn: the loop and what was asked are told so", async (t) => {
    const scene = await Scene.start(t, { script: [turn.stall()], prompt: "go" });
    await scene.until((message) => message.type === "system");
    await scene.model.waitForRequest(1);
    const drained = scene.drain();
    process.kill(await pidOf(scene), "SIGKILL");
    const error = await toldOfKill(scene, drained);
    assert.strictEqual(await rejection(scene.query.setModel("x")), error);
  });

  test(
    "SIGKILL while a tool runs: told so; MCP servers go with it, the command has a session of its own and stays",
    async (t) => {
      const [command, server] = [newMark(), newMark()];
      t.cleanup(() => killWith(command));
      t.cleanup(() => killWith(server));
      const scene = await Scene.start(t, {
        script: [turn.toolUse("Bash", { command: `sh -c 'while :; do sleep 1; done' ${command}`, description: "d" })],
        prompt: "go",
        options: {
          allowedTools: ["Bash"],
          mcpServers: { deaf: { type: "stdio", command: "sh", args: ["-c", STUBBORN_SERVER, server] } },
        },
      });
      const drained = scene.drain();
      await until(() => [command, server].every((mark) => runningWith(mark).length > 0));
      process.kill(await pidOf(scene), "SIGKILL");
      await toldOfKill(scene, drained);
      await until(() => runningWith(server).length === 0);
      assert.isNotEmpty(runningWith(command), "as of CLI 2.1.332; the guide tells users so");
    },
    { timeoutMs: 60_000 },
  );

  test("SIGKILL while a hook runs: the hook is told, its late verdict goes nowhere", async (t) => {
    const running = deferred<AbortSignal>();
    const late = deferred<void>();
    const scene = await Scene.start(t, {
      script: [turn.toolUse("Bash", { command: "touch never", description: "d" })],
      prompt: "go",
      options: {
        hooks: {
          PreToolUse: [{
            hooks: [async (_input, _id, { signal }) => {
              running.resolve(signal);
              await late.promise;
              return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } };
            }],
          }],
        },
      },
    });
    const drained = scene.drain();
    const signal = await running.promise;
    assert.isFalse(signal.aborted);
    process.kill(await pidOf(scene), "SIGKILL");
    await toldOfKill(scene, drained);
    assert.isTrue(signal.aborted);
    late.resolve();
  });

  test("SIGSTOP in mid-turn: close() ends it within grace and patience", async (t) => {
    const scene = await Scene.start(t, {
      script: [turn.stall()],
      prompt: "go",
      options: { tether: { timeouts: { graceMs: 200, termMs: 200 } } },
    });
    await scene.until((message) => message.type === "system");
    const drained = scene.drain();
    process.kill(await pidOf(scene), "SIGSTOP");
    const pending = rejection(scene.query.setModel("x"));
    await scene.query.close();
    await drained;
    assert.instanceOf(await pending, AbortError);
    scene.gone({ code: null, signal: "SIGKILL" });
  });

  test("SIGKILL between two turns of a client: the receiver is told, and the client may connect again", async (t) => {
    const folders = await makeCliHome(t);
    const model = await scriptedModel([turn.text("one"), turn.text("two")]);
    t.cleanup(() => model.close());
    const scene = new Scene(model, folders);
    const client = new ClaudeSDKClient(scene.options());
    t.cleanup(() => client.disconnect());
    await client.connect();
    await client.query("hi");
    for await (const message of client.receiveResponse()) scene.messages.push(message);
    const { pid } = await client.getServerInfo();
    const next = rejectsWith(client.receiveMessages().next(), ProcessError);
    process.kill(pid as number, "SIGKILL");
    const error = await next;
    assert.deepInclude(error, { code: "process_killed", signal: "SIGKILL" });
    assert.strictEqual(await rejection(client.query("more")), error);
    scene.gone(KILLED);
    await client.disconnect();
    await client.connect();
    await client.query("again");
    let last = "";
    for await (const message of client.receiveResponse()) last = message.type;
    assert.strictEqual(last, "result");
    await client.disconnect();
  });
});
