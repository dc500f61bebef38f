import { assert } from "chai";
import {
  block,
  type JsonObject,
  type ModelRequest,
  type ScriptedModel,
  ScriptError,
  turn,
} from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { modelOf } from "../harness/model_of.ts";
import { suite } from "../harness/suite.ts";

const TOOL = { name: "Bash", description: "runs", input_schema: { type: "object" } };

function body(fields: JsonObject = {}): JsonObject {
  return { model: "m-1", max_tokens: 100, tools: [TOOL], messages: [{ role: "user", content: "hi" }], ...fields };
}

function call(
  model: ScriptedModel,
  fields: JsonObject = {},
  init: { path?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(`${model.url}${init.path ?? "/v1/messages"}`, {
    method: "POST",
    headers: { "anthropic-version": "2023-06-01", "x-api-key": "k", ...init.headers },
    body: JSON.stringify(body(fields)),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}

async function events(response: Response): Promise<JsonObject[]> {
  const text = await response.text();
  return text.split("\n\n").filter((part) => part !== "").map((part) => {
    const [name, data] = part.split("\n");
    const event = JSON.parse(data!.slice("data: ".length)) as JsonObject;
    assert.strictEqual(name, `event: ${event.type}`);
    return event;
  });
}

/** Puts a streamed answer together again, as a client does. */
function assembled(list: readonly JsonObject[]): { readonly blocks: JsonObject[]; readonly stop: unknown } {
  const blocks: JsonObject[] = [];
  const json: string[] = [];
  let stop: unknown;
  for (const event of list) {
    const index = Number(event.index);
    if (event.type === "content_block_start") blocks[index] = { ...event.content_block as JsonObject };
    if (event.type === "message_delta") stop = (event.delta as JsonObject).stop_reason;
    if (event.type !== "content_block_delta") continue;
    const delta = event.delta as JsonObject;
    const target = blocks[index]!;
    if (delta.type === "text_delta") target.text = `${target.text}${delta.text}`;
    if (delta.type === "thinking_delta") target.thinking = `${target.thinking}${delta.thinking}`;
    if (delta.type === "signature_delta") target.signature = delta.signature!;
    if (delta.type === "input_json_delta") json[index] = (json[index] ?? "") + delta.partial_json;
  }
  for (const [index, text] of json.entries()) if (text !== undefined) blocks[index]!.input = JSON.parse(text);
  return { blocks, stop };
}

/** How a streamed answer ended. Node 20 takes a broken connection for an ended one if it was not to be kept anyway. */
async function cutOff(response: Response): Promise<"cut off" | "whole"> {
  const text = await response.text().catch(() => "");
  return text.includes("message_stop") ? "whole" : "cut off";
}

function kinds(list: readonly JsonObject[]): string[] {
  return list.map((event) => String(event.type));
}

export default suite("scripted model", (test) => {
  test("plays one line per request, streamed and whole, with fitting stop reasons", async (t) => {
    const model = await modelOf(t, [turn.text("one"), turn.toolUse("Bash", { command: "ls" }, { id: "toolu_a" })]);
    const streamed = await events(await call(model, { stream: true }));
    assert.deepEqual(kinds(streamed), [
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    assert.deepEqual(assembled(streamed), { blocks: [{ type: "text", text: "one" }], stop: "end_turn" });
    const whole = await (await call(model)).json() as JsonObject;
    assert.deepEqual(whole.content, [{ type: "tool_use", id: "toolu_a", name: "Bash", input: { command: "ls" } }]);
    assert.strictEqual(whole.stop_reason, "tool_use");
    assert.strictEqual(whole.model, "m-1");
    model.verify();
  });

  test("streams every kind of block and gives calls without an id one of their own", async (t) => {
    const search = { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "x" } };
    const model = await modelOf(t, [
      turn.blocks([
        block.thinking("hm", "sig"),
        block.redactedThinking("secret"),
        block.text("I call two"),
        block.toolUse("Bash", { command: "a" }),
        block.toolUse("Bash", { command: "b" }),
        block.raw(search),
      ]),
    ]);
    const { blocks, stop } = assembled(await events(await call(model, { stream: true })));
    assert.deepEqual(blocks, [
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "redacted_thinking", data: "secret" },
      { type: "text", text: "I call two" },
      { type: "tool_use", id: "toolu_scripted_1", name: "Bash", input: { command: "a" } },
      { type: "tool_use", id: "toolu_scripted_2", name: "Bash", input: { command: "b" } },
      search,
    ]);
    assert.strictEqual(stop, "tool_use");
  });

  test("a huge text arrives whole, and no surrogate pair is torn apart", async (t) => {
    const text = "a😀".repeat(400_000);
    const model = await modelOf(t, [turn.text(text, { chunkChars: 1000 }), turn.text("😀😀", { chunkChars: 1 })]);
    const list = await events(await call(model, { stream: true }));
    const deltas = list.flatMap((event) =>
      event.type === "content_block_delta" ? [String((event.delta as JsonObject).text)] : []
    );
    assert.isTrue(deltas.every((delta) => delta.length <= 1000 && delta.length >= 999 || delta === deltas.at(-1)));
    assert.isTrue(deltas.every((delta) => delta.isWellFormed()));
    assert.strictEqual(deltas.join("") === text, true);
    const small = await events(await call(model, { stream: true }));
    assert.strictEqual(small.filter((event) => event.type === "content_block_delta").length, 2);
  });

  test("broken tool arguments are streamed as they are", async (t) => {
    const model = await modelOf(t, [turn.blocks([block.brokenToolUse("Bash", '{"command": "ls')])]);
    const list = await events(await call(model, { stream: true }));
    const delta = list.find((event) => event.type === "content_block_delta")!.delta as JsonObject;
    assert.strictEqual(delta.partial_json, '{"command": "ls');
  });

  test("a line may be made from the request: prompt, results, tools", async (t) => {
    const seen: ModelRequest[] = [];
    const model = await modelOf(t, [(request) => {
      seen.push(request);
      return turn.text(`sum ${request.lastToolResult()?.text}`);
    }]);
    const response = await call(model, {
      messages: [
        {
          role: "user",
          content: [{ type: "text", text: "<system-reminder>note</system-reminder>" }, { type: "text", text: "add" }],
        },
        { role: "system", content: "environment" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "a", name: "Bash", input: {} }, {
            type: "tool_use",
            id: "b",
            name: "Bash",
            input: {},
          }],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: "3" },
            { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "4" }], is_error: true },
          ],
        },
      ],
    });
    assert.deepEqual((await response.json() as JsonObject).content, [{ type: "text", text: "sum 4" }]);
    const [request] = seen;
    assert.strictEqual(request!.prompt, "add");
    assert.strictEqual(request!.firstPrompt, "add");
    assert.deepEqual(request!.toolNames, ["Bash"]);
    assert.deepEqual(request!.toolResults().map(({ toolUseId, text, isError }) => [toolUseId, text, isError]), [
      ["a", "3", false],
      ["b", "4", true],
    ]);
    assert.strictEqual(request!.toolResult("a")?.text, "3");
    assert.isUndefined(request!.toolResult("c"));
  });

  test("branches have lines of their own, and what no branch takes is main", async (t) => {
    const model = await modelOf(t, {
      main: [turn.text("main 1"), turn.text("main 2")],
      match: [{
        name: "agent",
        when: (request) => request.agentId !== undefined,
        turns: (_request, index) => turn.text(`agent ${index}`),
      }],
    });
    const say = async (headers: Record<string, string>) => {
      const answer = await (await call(model, {}, { headers })).json() as { content: { text: string }[] };
      return answer.content[0]!.text;
    };
    const agent = { "x-claude-code-agent-id": "x" };
    const all = await Promise.all([say({}), say(agent), say({}), say(agent)]);
    assert.deepEqual([...all].sort(), ["agent 0", "agent 1", "main 1", "main 2"]);
    assert.strictEqual(model.requests.length, 4);
    model.verify();
  });

  test("a function as script gets the request and its number", async (t) => {
    const model = await modelOf(t, (request, index) => turn.text(`${index} ${request.prompt}`));
    await (await call(model)).text();
    const answer = await (await call(model)).json() as { content: { text: string }[] };
    assert.strictEqual(answer.content[0]!.text, "1 hi");
  });

  test("past its end the script answers with a clear error, once, and says so", async (t) => {
    const model = await modelOf(t, [turn.text("only")], { strict: true });
    await (await call(model)).text();
    const response = await call(model);
    assert.strictEqual(response.status, 418);
    assert.strictEqual(response.headers.get("x-should-retry"), "false");
    assert.match(await response.text(), /line 2 of \\"main\\" was asked for/);
    assert.strictEqual(model.problems.length, 1);
    const error = await rejectsWith(model.close(), ScriptError);
    assert.deepEqual(error.problems, model.problems);
    assert.strictEqual(error.code, "script_unmet");
  });

  test("lines that were never asked for fail a strict close", async (t) => {
    const model = await modelOf(t, { main: [turn.text("a"), turn.text("b")], match: [] }, { strict: true });
    await (await call(model)).text();
    const error = await rejectsWith(model.close(), ScriptError);
    assert.deepEqual(error.problems, ["main: 1 of 2 lines were never asked for"]);
  });

  test("a script function that throws is an error for the CLI and a problem for the test", async (t) => {
    const model = await modelOf(t, [() => {
      throw new Error("oh no");
    }]);
    const response = await call(model);
    assert.strictEqual(response.status, 418);
    await response.text();
    assert.match(model.problems[0]!, /a function of the script threw: oh no/);
  });

  test("malformed requests are refused as the API does, and use up no line", async (t) => {
    const model = await modelOf(t, [turn.text("fine")]);
    const faults: [JsonObject, RegExp][] = [
      [{ model: "" }, /model: Field required/],
      [{ max_tokens: 0 }, /max_tokens/],
      [{ messages: [] }, /at least one message/],
      [{ messages: [{ role: "tool", content: "x" }] }, /role/],
      [{ messages: [{ role: "user", content: [{ text: "x" }] }] }, /every block needs a type/],
      [{ tools: [TOOL, TOOL] }, /Tool names must be unique/],
      [
        { messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "" }] }] },
        /tool_result a has no tool_use/,
      ],
      [{
        messages: [{ role: "user", content: "x" }, {
          role: "assistant",
          content: [{ type: "tool_use", id: "a", name: "Bash", input: {} }],
        }, { role: "user", content: "y" }],
      }, /tool_use a has no tool_result/],
    ];
    for (const [fields, text] of faults) {
      const response = await call(model, fields);
      assert.strictEqual(response.status, 400);
      assert.match(await response.text(), text);
    }
    const bare = await call(model, {}, { headers: { "anthropic-version": "" } });
    assert.strictEqual(bare.status, 200, "an empty header is a header");
    await bare.text();
    assert.strictEqual(model.problems.length, faults.length);
  });

  test("a body that is no JSON, and a request without a key, are refused", async (t) => {
    const model = await modelOf(t, []);
    const send = (headers: Record<string, string>, text: string) =>
      fetch(`${model.url}/v1/messages`, { method: "POST", headers, body: text });
    assert.match(await (await send({}, "{")).text(), /no JSON object/);
    assert.match(await (await send({ "x-api-key": "k" }, "{}")).text(), /anthropic-version/);
    assert.match(await (await send({ "anthropic-version": "x" }, "{}")).text(), /x-api-key/);
    assert.strictEqual(model.problems.length, 3);
  });

  test("errors carry the API's shape, its words for a status, and retry-after", async (t) => {
    const model = await modelOf(t, [
      turn.error(429, { retryAfter: 7 }),
      turn.error(529, { message: "busy", headers: { "x-extra": "1" } }),
      turn.error(400, { type: "own_error", retry: false }),
    ]);
    const first = await call(model);
    assert.strictEqual(first.status, 429);
    assert.strictEqual(first.headers.get("retry-after"), "7");
    assert.strictEqual((await first.json() as { error: { type: string } }).error.type, "rate_limit_error");
    const second = await call(model, { stream: true });
    assert.strictEqual(second.status, 529);
    assert.strictEqual(second.headers.get("x-extra"), "1");
    assert.deepEqual((await second.json() as JsonObject).error, { type: "overloaded_error", message: "busy" });
    const third = await call(model);
    assert.strictEqual(third.headers.get("x-should-retry"), "false");
    assert.strictEqual((await third.json() as { error: { type: string } }).error.type, "own_error");
  });

  test("a stall holds the answer until it is released", async (t) => {
    const model = await modelOf(t, [turn.stall({ then: turn.text("late") }), turn.text("next")]);
    const pending = call(model);
    await model.waitForStall();
    assert.strictEqual(model.stalled, 1);
    const other = await (await call(model)).json() as { content: { text: string }[] };
    assert.strictEqual(other.content[0]!.text, "next", "a stalled answer holds up no other");
    assert.strictEqual(model.release(), 1);
    const answer = await (await pending).json() as { content: { text: string }[] };
    assert.strictEqual(answer.content[0]!.text, "late");
    assert.strictEqual(model.stalled, 0);
  });

  test("a stall in mid-stream keeps what was sent and goes on where it stood", async (t) => {
    const model = await modelOf(t, [turn.text("abcdef", { chunkChars: 2, stallAfter: 2 })]);
    const response = await call(model, { stream: true });
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = "";
    while (!text.includes('"cd"')) text += decoder.decode((await reader.read()).value, { stream: true });
    await model.waitForStall();
    assert.notInclude(text, '"ef"');
    model.release();
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += decoder.decode(next.value);
    assert.include(text, '"ef"');
    assert.include(text, "message_stop");
  });

  test("a stall for a time ends by itself, and one without a sequel drops the connection", async (t) => {
    const model = await modelOf(t, [turn.stall({ ms: 1, then: turn.text("soon") }), turn.stall({ ms: 1 })]);
    assert.include(await (await call(model)).text(), "soon");
    await rejection(call(model));
  });

  test("a stalled answer whose client hangs up is no longer stalled", async (t) => {
    const model = await modelOf(t, [turn.stall()]);
    const abort = new AbortController();
    const pending = rejection(call(model, {}, { signal: abort.signal }));
    await model.waitForStall();
    abort.abort();
    await pending;
    while (model.stalled > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.strictEqual(model.release(), 0);
  });

  test("connections are dropped before the answer, or after some of it", async (t) => {
    const model = await modelOf(t, [turn.drop(), turn.text("abcdef", { chunkChars: 2, dropAfter: 1 })]);
    await rejection(call(model));
    const response = await call(model, { stream: true });
    assert.strictEqual(response.status, 200);
    assert.strictEqual(await cutOff(response), "cut off");
    model.verify();
  });

  test("an error event can end a stream", async (t) => {
    const model = await modelOf(t, [turn.text("abcdef", { chunkChars: 2, errorAfter: { after: 1 } })]);
    const list = await events(await call(model, { stream: true }));
    assert.deepEqual(list.at(-1)!.error, { type: "overloaded_error", message: "Overloaded" });
    assert.strictEqual(list.filter((event) => event.type === "content_block_delta").length, 1);
    assert.notInclude(kinds(list), "message_stop");
  });

  test("a cut past the last delta still happens before the message ends", async (t) => {
    const model = await modelOf(t, [turn.text("ab", { errorAfter: { after: 9 } })]);
    const list = await events(await call(model, { stream: true }));
    assert.strictEqual(list.at(-1)!.type, "error");
  });

  test("refusal and max_tokens have their stop reasons, usage and fields are the script's", async (t) => {
    const model = await modelOf(t, [
      turn.refusal("no"),
      turn.maxTokens("cut", { usage: { inputTokens: 5, outputTokens: 6, cacheReadInputTokens: 7 } }),
      turn.text("x", { message: { stop_details: { type: "refusal" } }, stopReason: "pause_turn" }),
    ]);
    const refusal = await (await call(model)).json() as JsonObject;
    assert.strictEqual(refusal.stop_reason, "refusal");
    const cut = await events(await call(model, { stream: true }));
    const ending = cut.find((event) => event.type === "message_delta")!;
    assert.strictEqual((ending.delta as JsonObject).stop_reason, "max_tokens");
    assert.deepInclude(ending.usage as JsonObject, { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7 });
    const paused = await events(await call(model, { stream: true }));
    const delta = paused.find((event) => event.type === "message_delta")!.delta as JsonObject;
    assert.deepEqual(delta, { stop_reason: "pause_turn", stop_sequence: null, stop_details: { type: "refusal" } });
  });

  test("side requests are told apart, answered by default, and kept apart", async (t) => {
    const model = await modelOf(t, [turn.text("main")], { countTokens: (request) => request.messages.length });
    const title = await call(model, { tools: [], output_config: { format: { type: "json_schema" } } });
    assert.deepEqual((await title.json() as JsonObject).content, [{
      type: "text",
      text: '{"title":"Scripted title"}',
    }]);
    const summary = await call(model, {
      messages: [{ role: "user", content: "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools." }],
    });
    assert.include(await summary.text(), "<summary>");
    const count = await call(model, {}, { path: "/v1/messages/count_tokens?beta=true" });
    assert.deepEqual(await count.json(), { input_tokens: 1 });
    const hello = await fetch(`${model.url}/api/hello`, { method: "HEAD" });
    assert.strictEqual(hello.status, 200);
    const other = await fetch(`${model.url}/v1/models`);
    assert.strictEqual(other.status, 404);
    await other.text();
    assert.deepEqual(model.sideRequests.map(({ kind, topic }) => [kind, topic]), [
      ["side", "structured"],
      ["side", "summary"],
      ["count_tokens", undefined],
      ["other", undefined],
      ["other", undefined],
    ]);
    assert.lengthOf(model.requests, 0);
    assert.deepEqual(model.problems, []);
  });

  test("side requests can be scripted", async (t) => {
    const model = await modelOf(t, { side: [turn.text("mine")] });
    const answer = await (await call(model, { tools: [] })).json() as { content: { text: string }[] };
    assert.strictEqual(answer.content[0]!.text, "mine");
    assert.strictEqual(model.sideRequests[0]!.topic, "text");
  });

  test("a conversation without tools is main if it manages its context", async (t) => {
    const model = await modelOf(t, [turn.text("main")]);
    await (await call(model, { tools: [], context_management: { edits: [] } })).text();
    assert.lengthOf(model.requests, 1);
  });

  test("waits settle when what they wait for has come, and fail with what came instead", async (t) => {
    const model = await modelOf(t, [turn.text("a")]);
    const waiting = model.waitForRequest(1);
    await (await call(model)).text();
    assert.strictEqual((await waiting).prompt, "hi");
    const late = await rejectsWith(model.waitForRequest(2, { timeoutMs: 1 }), ScriptError);
    assert.match(late.message, /waited for request 2, but 1 came/);
    await rejectsWith(model.waitForStall({ timeoutMs: 1 }), ScriptError);
  });

  test("close cuts off open answers and waits, and a second close is the same", async (t) => {
    const model = await modelOf(t, [turn.stall(), turn.text("abc", { chunkChars: 1, stallAfter: 1 })]);
    const stalled = rejection(call(model));
    const streaming = await call(model, { stream: true });
    const cut = cutOff(streaming);
    const waiting = rejection(model.waitForRequest(9));
    await model.waitForRequest(2);
    await model.close();
    await Promise.all([stalled, waiting]);
    assert.strictEqual(await cut, "cut off");
    await model.close();
    await model[Symbol.asyncDispose]();
    await rejection(call(model));
  });

  test("the environment is complete and names nothing but the model and the home", async (t) => {
    const model = await modelOf(t, []);
    const env = model.env("/nowhere/home", { sandbox: true, extra: { MORE: "1" } });
    assert.deepInclude(env, {
      ANTHROPIC_BASE_URL: model.url,
      HOME: "/nowhere/home",
      CLAUDE_CONFIG_DIR: "/nowhere/home/.claude",
      CLAUDE_CODE_TMPDIR: "/nowhere/home/tmp",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      IS_SANDBOX: "1",
      MORE: "1",
    });
    assert.match(model.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.isFalse(Object.hasOwn(model.env("/nowhere/home"), "IS_SANDBOX"));
    assert.throws(() => model.env("some/home"), "home must be a full path");
    assert.strictEqual(model.env("C:\\home").USERPROFILE, "C:\\home");
  });
});
