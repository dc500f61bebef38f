/** The client class on the real CLI. */
import { assert } from "chai";
import { ClaudeSDKClient, type Options, type SDKMessage, type SDKUserMessage } from "../../mod.ts";
import { type ScriptedModel, scriptedModel, turn } from "../../src/testing/mod.ts";
import { deferred } from "../../src/core/deferred.ts";
import { Mailbox } from "../harness/mailbox.ts";
import { rejection } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { cliEnvFor, makeCliHome, pinnedCli } from "./real_cli.ts";
import { texts, userMessage } from "./real_query.ts";

interface Scene {
  readonly client: ClaudeSDKClient;
  readonly model: ScriptedModel;
}

async function meet(
  t: TestContext,
  script: Parameters<typeof scriptedModel>[0],
  options: Options = {},
): Promise<Scene> {
  const folders = await makeCliHome(t);
  const model = await scriptedModel(script);
  t.cleanup(() => model.close());
  const client = new ClaudeSDKClient({
    pathToClaudeCodeExecutable: pinnedCli().path,
    cwd: folders.cwd,
    env: cliEnvFor(model, folders),
    ...options,
  });
  t.cleanup(() => client.disconnect());
  return { client, model };
}

async function collect(messages: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const all: SDKMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

function idsOf(messages: readonly SDKMessage[]): Set<unknown> {
  return new Set(messages.flatMap((message) => message.type === "result" ? [message.session_id] : []));
}

export default suite("client_e2e", (test) => {
  test("several turns on one session: context stays, the model changes, a turn is interrupted, then on (N16)", async (t) => {
    const { client, model } = await meet(t, [
      turn.text("one"),
      turn.text("two"),
      turn.stall(),
      turn.text("four"),
    ]);
    await client.connect();
    const { claude_code_version, models } = await client.getServerInfo();
    assert.strictEqual(claude_code_version, pinnedCli().version);
    assert.isNotEmpty(models);
    assert.lengthOf(model.requests, 0);

    await client.query("first");
    const first = await collect(client.receiveResponse());
    assert.deepEqual(texts(first), ["one"]);

    await client.setModel("claude-sonnet-5");
    await client.query("second");
    const second = await collect(client.receiveResponse());
    assert.deepEqual(texts(second), ["two"]);
    assert.strictEqual(model.requests[1]?.body.model, "claude-sonnet-5");
    assert.include(JSON.stringify(model.requests[1]?.body.messages), "first", "the model is told what was said before");
    assert.deepEqual(idsOf([...first, ...second]).size, 1);

    await client.query("third");
    await model.waitForStall();
    await client.interrupt();
    const third = await collect(client.receiveResponse());
    assert.propertyVal(third.at(-1), "subtype", "error_during_execution");

    await client.query("fourth");
    assert.deepEqual(texts(await collect(client.receiveResponse())), ["four"]);
    assert.deepEqual(await client.getMcpStatus(), { mcpServers: [] });
    await client.disconnect();
    assert.propertyVal(await rejection(client.query("fifth")), "code", "not_connected");
  });

  test("a prompt over time, with a hook and a permission asked for; left in the middle, taken up again", async (t) => {
    const asked = deferred<string>();
    const { client } = await meet(t, [
      turn.toolUse("Bash", { command: "touch made", description: "d" }),
      turn.text("done"),
      turn.text("and more"),
    ], {
      canUseTool: (tool, input) => {
        asked.resolve(tool);
        return Promise.resolve({ behavior: "allow", updatedInput: input });
      },
    });
    const prompt = new Mailbox<SDKUserMessage>();
    await client.connect(prompt);
    prompt.put(userMessage("go"));
    for await (const message of client.receiveResponse()) {
      if (message.type === "assistant") break;
    }
    assert.strictEqual(await asked.promise, "Bash");
    const rest = await collect(client.receiveResponse());
    assert.deepEqual(texts(rest), ["done"]);
    assert.strictEqual(rest[0]?.type, "user", "nothing of the turn was lost");
    prompt.end();
    await client.sendMessage({
      type: "user",
      message: { role: "user", content: [{ type: "text", text: "more" }] },
      parent_tool_use_id: null,
    });
    assert.deepEqual(texts(await collect(client.receiveResponse())), ["and more"]);
  });

  test("after disconnect a client connects again, to a new session", async (t) => {
    const { client } = await meet(t, [turn.text("one"), turn.text("two")]);
    const ids = new Set<unknown>();
    for (const answer of ["one", "two"]) {
      await client.connect("hello");
      const messages = await collect(client.receiveResponse());
      assert.deepEqual(texts(messages), [answer]);
      ids.add(await client.sessionId);
      await client.disconnect();
    }
    assert.strictEqual(ids.size, 2);
  });
});
