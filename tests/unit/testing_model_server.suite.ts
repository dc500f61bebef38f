/** The scripted model as a server: crowds, big requests, clients that leave, and its own end. */
import { assert } from "chai";
import { connect, createServer, type Socket } from "node:net";
import { type JsonObject, type ScriptedModel, scriptedModel, type ScriptLines, turn } from "../../src/testing/mod.ts";
import { rejection } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";

async function start(t: TestContext, script: ScriptLines): Promise<ScriptedModel> {
  const model = await scriptedModel(script);
  t.cleanup(() => model.close());
  return model;
}

function call(model: ScriptedModel, fields: JsonObject = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${model.url}/v1/messages`, {
    method: "POST",
    headers: { "anthropic-version": "2023-06-01", "x-api-key": "k" },
    body: JSON.stringify({
      model: "m-1",
      max_tokens: 100,
      tools: [{ name: "Bash", input_schema: { type: "object" } }],
      messages: [{ role: "user", content: "hi" }],
      ...fields,
    }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function textOf(response: Response): Promise<string> {
  const { content: [first] } = await response.json() as { content: { text: string }[] };
  return first!.text;
}

function portOf(model: ScriptedModel): number {
  return Number(new URL(model.url).port);
}

export default suite("scripted model server", (test) => {
  test("many requests at once get one line each, and none gets another's", async (t) => {
    const count = 100;
    const model = await start(t, Array.from({ length: count }, (_, line) => turn.text(`line ${line}`, { delayMs: 5 })));
    const answers = await Promise.all(Array.from({ length: count }, async () => await textOf(await call(model))));
    assert.lengthOf(new Set(answers), count);
    assert.lengthOf(model.requests, count);
    model.verify();
  });

  test("a request of many megabytes is read whole", async (t) => {
    const model = await start(t, [(request) => turn.text(String(request.prompt.length))]);
    const content = "äö€😀".repeat(1_000_000);
    assert.strictEqual(
      await textOf(await call(model, { messages: [{ role: "user", content }] })),
      String(content.length),
    );
    assert.isTrue(model.requests[0]!.prompt === content);
  });

  test("a client that hangs up in mid-stream frees its answer, and the next is served", async (t) => {
    const model = await start(t, [
      turn.text("x".repeat(1000), { chunkChars: 1, chunkDelayMs: 20 }),
      turn.text("x", { delayMs: 2_000_000 }),
      turn.stall({ ms: 2_000_000, then: turn.text("x") }),
      turn.text("still here"),
    ]);
    const abort = new AbortController();
    const streaming = await call(model, { stream: true }, abort.signal);
    const reader = streaming.body!.getReader();
    await reader.read();
    const reading = rejection((async () => {
      while (!(await reader.read()).done);
    })());
    const waiting = [call(model, {}, abort.signal), call(model, { stream: true }, abort.signal)].map(rejection);
    await model.waitForRequest(3);
    abort.abort();
    await Promise.all([reading, ...waiting]);
    while (model.stalled > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.strictEqual(await textOf(await call(model)), "still here");
    assert.deepEqual(model.problems, []);
  });

  test("a client that hangs up in the middle of its own request is no request", async (t) => {
    const model = await start(t, [turn.text("for another")]);
    const socket: Socket = connect(portOf(model), "127.0.0.1");
    await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
    const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => {});
    const head = "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n";
    await new Promise<void>((resolve) => socket.write(`${head}{"model":`, () => resolve()));
    socket.destroy();
    await gone;
    assert.strictEqual(await textOf(await call(model)), "for another");
    assert.lengthOf(model.requests, 1);
    assert.deepEqual(model.problems, []);
  });

  test("closing cuts off a crowd of open answers, and the port is free again", async (t) => {
    const model = await start(t, (_request, index) => {
      if (index % 3 === 0) return turn.stall();
      if (index % 3 === 1) return turn.text("x", { delayMs: 2_000_000 });
      return turn.text("x".repeat(100), { chunkChars: 1, chunkDelayMs: 2_000_000 });
    });
    const open = Array.from({ length: 30 }, async (_, index) => {
      const response = await call(model, { stream: index % 2 === 0 });
      return await response.text();
    });
    const settled = Promise.allSettled(open);
    await model.waitForRequest(30);
    const port = portOf(model);
    await model.close();
    // Node 20 takes a stream that was cut off for one that ended.
    for (const answer of await settled) {
      if (answer.status === "fulfilled") assert.notInclude(answer.value, "message_stop");
    }
    assert.strictEqual(model.stalled, 0);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => resolve());
    });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  test("a hundred models come and go, each on a port of its own", async () => {
    const models = await Promise.all(Array.from({ length: 100 }, () => scriptedModel([turn.text("x")])));
    assert.lengthOf(new Set(models.map(({ url }) => url)), 100);
    assert.strictEqual(await textOf(await call(models[42]!)), "x");
    await Promise.all(models.map((model) => model.close()));
    assert.isDefined(await rejection(call(models[42]!)));
  });
});
