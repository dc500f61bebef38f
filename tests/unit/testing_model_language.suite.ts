/** The language of the scripted model: what its words check, and what they make of a request. */
import { assert } from "chai";
import {
  block,
  ClaudeSDKError,
  expectRequest,
  type JsonObject,
  OptionError,
  type RequestExpectation,
  type ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
  ScriptError,
  type ScriptLines,
  turn,
} from "../../src/testing/mod.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { modelOf } from "../harness/model_of.ts";
import { suite, type TestContext } from "../harness/suite.ts";

const TOOLS = ["Bash", "Read"].map((name) => ({
  name,
  description: `does ${name}`,
  input_schema: { type: "object", properties: { a: { type: "string" } } },
}));

function call(model: ScriptedModel, fields: JsonObject = {}, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${model.url}/v1/messages`, {
    method: "POST",
    headers: { "anthropic-version": "2023-06-01", "x-api-key": "k", ...headers },
    body: JSON.stringify({
      model: "m-1",
      max_tokens: 100,
      tools: TOOLS,
      messages: [{ role: "user", content: "hi" }],
      ...fields,
    }),
  });
}

/** A conversation in which two tools, one of them twice, have answered in another order than they were called. */
const ANSWERED: JsonObject = {
  system: [{ type: "text", text: "You are careful." }],
  thinking: { type: "enabled", budget_tokens: 1024 },
  messages: [
    { role: "user", content: "Do it." },
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "one" } },
        { type: "tool_use", id: "toolu_2", name: "Bash", input: { command: "two" } },
        { type: "tool_use", id: "toolu_3", name: "Read", input: { path: "x" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_3", content: "no such file", is_error: true },
        { type: "tool_result", tool_use_id: "toolu_2", content: "second" },
        { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "first" }] },
        { type: "text", text: "<system-reminder>a note</system-reminder>" },
      ],
    },
  ],
};

async function answered(t: TestContext): Promise<ScriptedModel> {
  const model = await modelOf(t, [turn.text("fine")]);
  await (await call(model, ANSWERED, { "anthropic-beta": "one-2025, two-2025", "X-Extra": "yes" })).text();
  return model;
}

function optionFault(make: () => unknown): OptionError {
  try {
    make();
  } catch (error) {
    assert.instanceOf(error, OptionError);
    assert.instanceOf(error, ClaudeSDKError);
    return error as OptionError;
  }
  throw new Error("it was taken, it should have been refused");
}

export default suite("scripted model language", (test) => {
  test("what is no script is refused at once, and nothing is left open", async () => {
    const bare = turn.text("x");
    const scripts: [unknown, RegExp][] = [
      ["hello", /script must be a list of lines or a function.*it is text/],
      [undefined, /script must be .* it is undefined/],
      [null, /script must be .* it is null/],
      [7, /script must be .* it is a number/],
      [bare, /a single line: put it into a list/],
      [turn.repeat(2, bare), /a single line: put it into a list/],
      [[bare, undefined], /script\[1\] must be a turn.*it is undefined/],
      // deno-lint-ignore no-sparse-arrays -- a hole is what is tested
      [[bare, , bare], /script\[1\] must be a turn/],
      [["hello"], /script\[0\] must be a turn.*it is text/],
      [[block.text("x")], /script\[0\] must be a turn.*it is an object/],
      [[[bare]], /script\[0\] must be a turn.*it is a list/],
      [[{ kind: "message", blocks: "x", options: {} }], /script\[0\] must have a list of blocks/],
      [[{ kind: "message", blocks: [{ type: "txet", text: "x" }], options: {} }], /script\[0\]\[0\] must be a block/],
      [[turn.repeat(Infinity, bare), bare], /script\[1\] is never reached/],
      [{ mian: [bare] }, /script.mian is not known; known: main, match, side/],
      [{ main: "hello" }, /script.main must be a list/],
      [{ main: bare }, /script.main must be .*put it into a list/],
      [{ side: [7] }, /script.side\[0\] must be a turn/],
      [{ match: bare }, /script.match must be a list of branches/],
      [{ match: [{ turns: [bare] }] }, /script.match\[0\].when must be a function/],
      [{ match: [{ when: () => true }] }, /script.match\[0\].turns must be a list/],
      [{ match: [{ when: () => true, turns: [bare], name: "" }] }, /script.match\[0\].name must be a name/],
    ];
    for (const [script, text] of scripts) {
      const error = await rejectsWith(scriptedModel(script as ScriptLines), OptionError);
      assert.match(error.message, text);
      assert.strictEqual(error.code, "invalid_option");
    }
  });

  test("options that are not known or not possible are refused at once", async () => {
    const make = turn as unknown as Record<string, (...args: unknown[]) => unknown>;
    const blocks = block as unknown as Record<string, (...args: unknown[]) => unknown>;
    const faults: [() => unknown, RegExp][] = [
      [() => make.text!(7), /block.text.text must be text; it is 7/],
      [() => make.text!(undefined), /must be text; it is undefined/],
      [() => make.text!("x", { chunkchars: 1 }), /turn.text.chunkchars is not known; known: stopReason, usage, chunk/],
      [() => make.text!("x", "slow"), /turn.text must be an object; it is text/],
      [() => make.text!("x", { chunkChars: 0 }), /turn.text.chunkChars must be a whole number of at least 1; it is 0/],
      [() => make.text!("x", { chunkChars: 1.5 }), /chunkChars must be/],
      [() => make.text!("x", { chunkDelayMs: -1 }), /chunkDelayMs must be milliseconds/],
      [() => make.text!("x", { chunkDelayMs: NaN }), /chunkDelayMs must be milliseconds/],
      [() => make.text!("x", { delayMs: Infinity }), /delayMs must be milliseconds/],
      [() => make.text!("x", { delayMs: "1" }), /delayMs must be milliseconds.*it is text/],
      [() => make.text!("x", { dropAfter: -1 }), /dropAfter must be a whole number/],
      [() => make.text!("x", { dropAfter: 1, stallAfter: 1 }), /can be cut once only: dropAfter or stallAfter/],
      [() => make.text!("x", { stallMs: 1 }), /stallMs says how long stallAfter lasts/],
      [() => make.text!("x", { errorAfter: {} }), /errorAfter.after must be given/],
      [() => make.text!("x", { errorAfter: 2 }), /errorAfter must be an object/],
      [() => make.text!("x", { stopReason: "done" }), /stopReason must be one of end_turn/],
      [() => make.text!("x", { usage: { inputTokens: -1 } }), /usage.inputTokens must be a whole number/],
      [() => make.text!("x", { usage: { input_tokens: 1 } }), /usage.input_tokens is not known/],
      [() => make.text!("x", { usage: { cacheCreation1hInputTokens: 1 } }), /cannot be more than cacheCreation/],
      [() => make.text!("x", { usage: { thinkingTokens: 21 } }), /cannot be more than outputTokens/],
      [() => make.text!("x", { headers: { "a b": "x" } }), /name that no header can have/],
      [() => make.text!("x", { headers: { a: "x\ny" } }), /headers.a must be text that a header can hold/],
      [() => make.text!("x", { headers: { a: 1 } }), /headers.a must be text/],
      [() => make.text!("x", { message: { a: 1n } }), /turn.text.message cannot be sent/],
      [() => make.toolUse!("", {}), /turn.toolUse.name must be a name/],
      [() => make.toolUse!("Bash", "ls"), /turn.toolUse.input must be an object; it is text/],
      [() => make.toolUse!("Bash", { a: () => {} }), /turn.toolUse.input cannot be sent: it holds a function/],
      [() => make.toolUse!("Bash", {}, { id: "" }), /turn.toolUse.id must be a name/],
      [() => make.blocks!("x"), /turn.blocks must have a list of blocks/],
      [() => make.blocks!([turn.text("x")]), /turn.blocks\[0\] must be a block/],
      [() => make.error!(200), /turn.error must have an HTTP status from 400 to 599/],
      [() => make.error!("529"), /HTTP status/],
      [() => make.error!(529, { times: 3 }), /turn.error.times is not known/],
      [() => make.error!(529, { retryAfter: -1 }), /retryAfter must be seconds/],
      [() => make.error!(529, { retry: "no" }), /retry must be true or false/],
      [() => make.stall!({ ms: -1 }), /turn.stall.ms must be milliseconds/],
      [() => make.stall!({ then: "x" }), /turn.stall.then must be a turn/],
      [() => make.stall!({ then: turn.repeat(2, turn.text("x")) }), /it is a line made by turn.repeat/],
      [() => make.repeat!(0, turn.text("x")), /turn.repeat must be told how often/],
      [() => make.repeat!(1.5, turn.text("x")), /turn.repeat must be told how often/],
      [() => make.repeat!(2), /turn.repeat must be a turn/],
      [() => make.expect!("hi", turn.text("x")), /turn.expect must be an object; it is text/],
      [() => make.expect!({ promt: "hi" }, turn.text("x")), /turn.expect.promt is not known; known: prompt/],
      [() => make.expect!({ prompt: 7 }, turn.text("x")), /turn.expect.prompt must be text, a RegExp/],
      [() => make.expect!({ prompt: { contains: "x" } }, turn.text("x")), /prompt.contains is not known/],
      [() => make.expect!({ tools: "Bash" }, turn.text("x")), /tools must be a list of texts/],
      [() => make.expect!({ toolResults: ["3"] }, turn.text("x")), /toolResults must be an object; it is a list/],
      [() => make.expect!({ toolResults: { a: { text: 3 } } }, turn.text("x")), /toolResults.a.text must be text/],
      [() => make.expect!({ maxTokens: "1" }, turn.text("x")), /maxTokens must be/],
      [() => make.expect!({ prompt: "hi" }, undefined), /turn.expect must be a turn/],
      [() => blocks.thinking!("x", 7), /block.thinking.signature must be text/],
      [() => blocks.redactedThinking!(undefined), /block.redactedThinking.data must be text/],
      [() => blocks.raw!({ text: "x" }), /block.raw.type must be a name/],
      [() => blocks.brokenToolUse!("Bash", { command: "x" }), /rawInput must be text/],
    ];
    for (const [make, text] of faults) assert.match(optionFault(make).message, text);
    const options: [unknown, RegExp][] = [
      [{ stict: true }, /options.stict is not known; known: strict, countTokens/],
      [{ strict: 1 }, /options.strict must be true or false/],
      [{ countTokens: -1 }, /options.countTokens must be/],
      ["strict", /options must be an object/],
    ];
    for (const [given, text] of options) {
      const error = await rejectsWith(scriptedModel([], given as ScriptedModelOptions), OptionError);
      assert.match(error.message, text);
    }
  });

  test("waits that cannot be are refused, and do not hang", async (t) => {
    const model = await modelOf(t, []);
    assert.match((await rejectsWith(model.waitForRequest(0), OptionError)).message, /count must be/);
    assert.match((await rejectsWith(model.waitForStall({ timeoutMs: -1 }), OptionError)).message, /timeoutMs must be/);
    const wrong = { timeoutMS: 1 } as unknown as { timeoutMs: number };
    assert.match((await rejectsWith(model.waitForRequest(1, wrong), OptionError)).message, /timeoutMS is not known/);
  });

  test("a line is repeated for so many requests, and what is left of it counts as not asked for", async (t) => {
    const script = [turn.repeat(2, turn.repeat(2, turn.error(529))), turn.text("at last")];
    const model = await modelOf(t, script, { strict: true });
    const statuses: number[] = [];
    for (let request = 0; request < 3; request++) {
      const response = await call(model);
      await response.text();
      statuses.push(response.status);
    }
    const error = problemsOf(() => model.verify());
    assert.deepEqual(error, ["main: 2 of 5 lines were never asked for"]);
    for (const status of [529, 200]) {
      const response = await call(model);
      await response.text();
      assert.strictEqual(response.status, status);
    }
    assert.deepEqual(statuses, [529, 529, 529]);
    await model.close();
  });

  test("a line that is repeated for ever never runs out, and must have been asked for", async (t) => {
    const model = await modelOf(t, [turn.text("first"), turn.repeat(Infinity, (request) => turn.text(request.prompt))]);
    await (await call(model)).text();
    assert.deepEqual(problemsOf(() => model.verify()), ["main: its last line was never asked for"]);
    for (let request = 0; request < 3; request++) assert.include(await (await call(model)).text(), '"hi"');
    model.verify();
  });

  test("a request that is as expected is answered; one that is not fails the turn, with both shown", async (t) => {
    const model = await modelOf(t, [
      turn.expect({ prompt: "hi" }, turn.text("one")),
      turn.expect({ prompt: "ho", model: /^m-\d$/, maxTokens: 200 }, turn.text("two")),
      turn.expect({ prompt: /^h/ }, (request) => turn.text(`${request.prompt} there`)),
    ], { strict: true });
    assert.include(await (await call(model)).text(), "one");
    const refused = await call(model);
    assert.strictEqual(refused.status, 418);
    assert.strictEqual(refused.headers.get("x-should-retry"), "false");
    const { error } = await refused.json() as { error: { message: string } };
    const problem = 'line 2 of "main" expects another request: prompt: expected "ho", got "hi"; ' +
      "maxTokens: expected 200, got 100";
    assert.strictEqual(error.message, `scriptedModel: ${problem}`);
    assert.include(await (await call(model)).text(), "hi there");
    assert.lengthOf(model.problems, 1);
    assert.include(model.problems[0]!, problem);
    assert.throws(() => model.verify(), ScriptError, 'expected "ho", got "hi"');
    assert.include((await rejectsWith(model.close(), ScriptError)).message, 'expected "ho", got "hi"');
  });

  test("every reader of a request can be expected", async (t) => {
    const model = await answered(t);
    const [request] = model.requests;
    const fits: RequestExpectation[] = [
      {},
      { prompt: "Do it.", firstPrompt: /it/, system: { includes: ["careful", "You are"], excludes: "careless" } },
      { reminders: { includes: "a note" }, model: (name) => name.startsWith("m"), maxTokens: 100, stream: false },
      { thinking: { type: "enabled" }, subagent: false, betas: { includes: ["two-2025"], excludes: ["three"] } },
      { betas: ["two-2025", "one-2025"], tools: ["Read", "Bash"], headers: { "x-extra": "yes", "x-none": null } },
      { tools: { includes: ["Bash"], excludes: ["Write"] }, body: { model: "m-1", thinking: { budget_tokens: 1024 } } },
      { toolResults: { Bash: ["first", { text: /^second$/, isError: false }], toolu_3: { isError: true } } },
      { toolResults: { toolu_1: "first", Read: { includes: "no such" } } },
      { body: { tools: [{ name: "Bash" }, {}] } },
    ];
    for (const expected of fits) expectRequest(request, expected);
    const faults: [RequestExpectation, RegExp][] = [
      [{ prompt: "Do" }, /prompt: expected "Do", got "Do it."/],
      [{ system: { includes: "rash" } }, /system: expected to include "rash", got "You are careful."/],
      [{ system: { excludes: ["careful"] } }, /system: expected not to include "careful"/],
      [{ model: /^x/ }, /model: expected \/\^x\/, got "m-1"/],
      [{ model: () => false }, /model: not what the function expects, got "m-1"/],
      [{ tools: ["Bash"] }, /tools: expected exactly Bash, got Bash, Read/],
      [{ tools: { includes: ["Write"] } }, /tools: expected to include Write, got Bash, Read/],
      [{ betas: { excludes: ["one-2025"] } }, /betas: expected not to include one-2025/],
      [{ thinking: null }, /thinking: expected none, got {"type":"enabled","budget_tokens":1024}/],
      [{ thinking: { budget_tokens: 2048 } }, /thinking.budget_tokens: expected 2048, got 1024/],
      [{ stream: true }, /stream: expected true, got false/],
      [{ subagent: true }, /subagent: expected true, got false/],
      [{ headers: { "X-Extra": "no" } }, /header X-Extra: expected "no", got "yes"/],
      [{ headers: { "X-Extra": null } }, /header X-Extra: expected none, got "yes"/],
      [{ headers: { "x-none": "x" } }, /header x-none: it is not there/],
      [{ body: { tools: [] } }, /body.tools: expected 0 items/],
      [{ body: { tools: [{ name: "Read" }, {}] } }, /body.tools\[0\].name: expected "Read", got "Bash"/],
      [{ toolResults: { Bash: "first" } }, /result of Bash: expected 1, got 2; there are results of Read \(toolu_3\)/],
      [{ toolResults: { Write: "x" } }, /result of Write: expected 1, got 0/],
      [{ toolResults: { Bash: ["second", "first"] } }, /result 1 of Bash: expected "second", got "first"; result 2/],
      [
        { toolResults: { Read: { isError: false } } },
        /result of Read: expected no error, got an error: "no such file"/,
      ],
    ];
    for (const [expected, text] of faults) {
      assert.throws(() => expectRequest(request, expected), ScriptError, text);
    }
    assert.throws(() => expectRequest(model.requests[1], {}), ScriptError, "there is no such request");
    assert.throws(
      () => expectRequest(request, { promt: "x" } as RequestExpectation),
      OptionError,
      "promt is not known",
    );
  });

  test("a request tells its calls, its tools and what they answered by name", async (t) => {
    const { requests: [request] } = await answered(t);
    assert.deepEqual(request!.toolUses().map(({ id, name, input }) => [id, name, input.command ?? input.path]), [
      ["toolu_1", "Bash", "one"],
      ["toolu_2", "Bash", "two"],
      ["toolu_3", "Read", "x"],
    ]);
    assert.deepEqual(request!.toolResults().map(({ toolName, text }) => [toolName, text]), [
      ["Read", "no such file"],
      ["Bash", "second"],
      ["Bash", "first"],
    ]);
    assert.strictEqual(request!.toolResult("toolu_2")?.toolName, "Bash");
    assert.deepInclude(request!.tools[0]!, { name: "Bash", description: "does Bash" });
    assert.deepEqual(request!.tools[0]!.inputSchema.properties, { a: { type: "string" } });
    assert.deepEqual(request!.betas, ["one-2025", "two-2025"]);
    assert.strictEqual(request!.maxTokens, 100);
    assert.deepEqual(request!.thinking, { type: "enabled", budget_tokens: 1024 });
  });

  test("a long text is not shown whole in an error", async (t) => {
    const model = await modelOf(t, [turn.expect({ prompt: "short" }, turn.text("x"))]);
    await (await call(model, { messages: [{ role: "user", content: "long ".repeat(1000) }] })).text();
    assert.isBelow(model.problems[0]!.length, 600);
    assert.include(model.problems[0]!, "(5000 characters)");
  });

  test("a function of the script that returns no turn is a problem, not a crash", async (t) => {
    const lines = ["x", undefined, { kind: "message" }].map((given) => () =>
      given as unknown as ReturnType<typeof turn.drop>
    );
    const model = await modelOf(t, [...lines, turn.expect({}, () => "x" as unknown as ReturnType<typeof turn.drop>)]);
    for (let request = 0; request < 4; request++) {
      const response = await call(model);
      assert.strictEqual(response.status, 418);
      await response.text();
    }
    assert.match(model.problems[0]!, /what it returned must be a turn.*it is text/);
    assert.match(model.problems[1]!, /it is undefined/);
    assert.match(model.problems[2]!, /must have a list of blocks/);
    assert.match(model.problems[3]!, /it is text/);
  });

  test("counting that throws or gives no number is a problem", async (t) => {
    const count = (model: ScriptedModel) =>
      fetch(`${model.url}/v1/messages/count_tokens`, {
        method: "POST",
        headers: { "anthropic-version": "2023-06-01", "x-api-key": "k" },
        body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] }),
      });
    const throwing = await modelOf(t, [], {
      countTokens: () => {
        throw new Error("cannot count");
      },
    });
    const response = await count(throwing);
    assert.strictEqual(response.status, 418);
    await response.text();
    assert.match(throwing.problems[0]!, /countTokens threw: cannot count/);
    const wrong = await modelOf(t, [], { countTokens: () => NaN });
    await (await count(wrong)).text();
    assert.match(wrong.problems[0]!, /countTokens returned no number of tokens/);
  });

  test("usage names caches, thinking and the service's own tools as the API does", async (t) => {
    const usage = {
      inputTokens: 1,
      outputTokens: 9,
      cacheReadInputTokens: 2,
      cacheCreationInputTokens: 7,
      cacheCreation1hInputTokens: 3,
      thinkingTokens: 4,
      webSearchRequests: 5,
      webFetchRequests: 6,
    };
    const model = await modelOf(t, [turn.text("x", { usage }), turn.text("y")]);
    const full = await (await call(model)).json() as JsonObject;
    assert.deepEqual(full.usage, {
      input_tokens: 1,
      output_tokens: 9,
      cache_read_input_tokens: 2,
      cache_creation_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 3 },
      output_tokens_details: { thinking_tokens: 4 },
      server_tool_use: { web_search_requests: 5, web_fetch_requests: 6 },
    });
    const plain = await (await call(model)).json() as JsonObject;
    assert.hasAllKeys(plain.usage, [
      "input_tokens",
      "output_tokens",
      "cache_read_input_tokens",
      "cache_creation_input_tokens",
    ]);
  });

  test("every reason to stop has a turn of its own", async (t) => {
    const model = await modelOf(t, [
      turn.contextWindowExceeded("full"),
      turn.pauseTurn([block.text("wait")]),
      turn.maxTokens("cut"),
      turn.refusal(),
    ]);
    const reasons: unknown[] = [];
    for (let request = 0; request < 4; request++) {
      reasons.push((await (await call(model)).json() as JsonObject).stop_reason);
    }
    assert.deepEqual(reasons, ["model_context_window_exceeded", "pause_turn", "max_tokens", "refusal"]);
  });

  test("an error after some of the answer is an error with its own status where nothing is streamed", async (t) => {
    const model = await modelOf(t, [
      turn.text("x", { errorAfter: { after: 0 } }),
      turn.text("x", { errorAfter: { after: 0, type: "api_error" } }),
      turn.text("x", { errorAfter: { after: 0, type: "some_error" } }),
    ]);
    const statuses: number[] = [];
    for (let request = 0; request < 3; request++) {
      const response = await call(model);
      await response.text();
      statuses.push(response.status);
    }
    assert.deepEqual(statuses, [529, 500, 500]);
  });
});

function problemsOf(verify: () => void): readonly string[] {
  try {
    verify();
  } catch (error) {
    assert.instanceOf(error, ScriptError);
    return (error as ScriptError).problems;
  }
  return [];
}
