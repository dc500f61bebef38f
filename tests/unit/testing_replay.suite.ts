import { assert } from "chai";
import { readFileSync } from "node:fs";
import { query } from "../../mod.ts";
import { isJsonObject, type JsonObject } from "../../src/core/json.ts";
import {
  type CompareFrames,
  parseRecording,
  type RecordedEntry,
  type Recording,
  RecordingError,
  replay,
  ScriptError,
  virtualClock,
} from "../../src/testing/mod.ts";
import { CONVERSATIONS } from "../fixtures/recordings/conversations.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";

function load(name: string): Recording {
  return parseRecording(readFileSync(new URL(`../fixtures/recordings/${name}.jsonl`, import.meta.url), "utf8"));
}

/** Conversations that end with an error. */
const ERRORS: Readonly<Record<string, string>> = { turns_spent: "ResultError", api_error: "ResultError" };

/** What of a recording a loop is given: frames of the CLI but those between it and its host, ids of user lines as they are now. */
function messagesOf({ entries }: Recording, received: readonly JsonObject[]): JsonObject[] {
  const lines = (frames: readonly (JsonObject | undefined)[]): JsonObject[] =>
    frames.filter((frame) => frame?.type === "user") as JsonObject[];
  const recorded = lines(entries.map((entry) => entry.kind === "sent" ? entry.frame : undefined));
  const now = new Map(lines(received).map((line, index) => [String(recorded[index]?.uuid), String(line.uuid)]));
  return entries.flatMap((entry) => {
    if (entry.kind !== "received" || entry.frame === undefined) return [];
    const { type, command_uuid: command, sdk_host_only: hostOnly } = entry.frame;
    if (String(type).startsWith("control_") || type === "keep_alive" || hostOnly === true) return [];
    if (type === "command_lifecycle" && now.has(String(command))) return [];
    const text = JSON.stringify(entry.frame);
    return [JSON.parse([...now].reduce((all, [then, live]) => all.replaceAll(then, live), text)) as JsonObject];
  });
}

const named = (name: string, entries: readonly RecordedEntry[]): RecordedEntry[] =>
  entries.filter((entry) =>
    (entry.kind === "sent" || entry.kind === "received") && isJsonObject(entry.frame?.request) &&
    entry.frame.request.subtype === name
  );

async function play(options: { readonly compare?: CompareFrames; readonly prompt?: string } = {}): Promise<unknown> {
  const { compare, prompt = "Hello" } = options;
  const transport = replay(load("text"), compare === undefined ? {} : { compare }).transport();
  try {
    for await (const _ of query({ prompt, options: { cwd: "/srv", tether: { transport } } }));
    transport.verify();
    return undefined;
  } catch (error) {
    return error;
  }
}

export default suite("replay", (test) => {
  for (const [name, conversation] of Object.entries(CONVERSATIONS)) {
    test(`the real CLI's part of "${name}" is played to its end, and its frames come in order`, async () => {
      const recording = load(name);
      assert.strictEqual(recording.cliVersion, "2.1.332");
      assert.isTrue(recording.header.redacted);
      const transport = replay(recording).transport();
      const messages: unknown[] = [];
      const host = conversation.host({ tether: { transport } });
      const error = ERRORS[name];
      if (error === undefined) messages.push(...await host);
      else assert.strictEqual((await rejection(host) as Error).name, error);
      assert.deepInclude(await transport.exited, {
        code: recording.entries.at(-1)!.kind === "exited" ? (recording.entries.at(-1) as { code: number }).code : 0,
      });
      transport.verify();
      if (error !== undefined) return;
      // The client leaves out what comes after its last result.
      const expected = messagesOf(recording, transport.received).slice(
        0,
        name === "client" ? messages.length : undefined,
      );
      assert.deepEqual(messages, expected);
    });
  }

  test("strict: the same conversation passes, another prompt does not", async () => {
    assert.isUndefined(await play({ compare: "strict" }));
    assert.isUndefined(await play({ prompt: "Something else" }));
    const error = await play({ compare: "strict", prompt: "Something else" });
    assert.instanceOf(error, ScriptError);
    assert.match((error as Error).message, /message\.content\[0\]\.text is "Something else", not "Hello"/);
    assert.match((error as Error).message, /line \d+: .*expected user \{.*got user \{/);
  });

  test("a function of one's own decides", async () => {
    const seen: unknown[] = [];
    assert.isUndefined(
      await play({
        compare: (expected, got) => {
          seen.push([expected.type, got.type]);
          return true;
        },
      }),
    );
    assert.deepEqual(seen, [["control_request", "control_request"], ["user", "user"]]);
    assert.match((await play({ compare: () => false }) as Error).message, /the compare function says no/);
  });

  test("a host that says something else is told what was expected and what came", async () => {
    const transport = replay(load("text")).transport();
    const run = query({ prompt: "Hello", options: { tether: { transport } } });
    const [control, loop] = await Promise.all([
      rejectsWith(run.setModel("opus"), ScriptError),
      rejectsWith(
        (async () => {
          for await (const _ of run);
        })(),
        ScriptError,
      ),
    ]);
    assert.strictEqual(control, loop);
    assert.match(loop.message, /^replay: expected line \d+, user \{.*; got control_request set_model \{/);
    const verdict = throwsWith(() => transport.verify(), ScriptError);
    assert.lengthOf(verdict.problems, 2);
    assert.match(verdict.problems[1]!, /^not played: line \d+ \(.*\), \d+ more$/);
    assert.deepInclude(await transport.exited, { code: 70 });
  });

  test("a host that answers a question the other way is no replay of it", async () => {
    const transport = replay(load("permission_allowed")).transport();
    const error = await rejectsWith(
      CONVERSATIONS.permission_denied!.host({ tether: { transport } }),
      ScriptError,
    );
    assert.match(error.message, /it says answer success, behavior deny, not answer success, behavior allow/);
  });

  test("hooks and servers that the CLI calls must be there", async () => {
    for (
      const [name, what] of [
        ["hooks", "these hooks of the recording are not there (event and place): PreToolUse 0, Stop 0"],
        ["mcp_tool", "these MCP servers of the recording are not there: calc"],
      ] as const
    ) {
      const transport = replay(load(name)).transport();
      const error = await rejectsWith(CONVERSATIONS.text!.host({ tether: { transport } }), ScriptError);
      assert.include(error.message, what);
    }
  });

  test("a silent host is not waited for without end, one that leaves not at all", async (t) => {
    const silent = replay(load("text"), { deadlineMs: 20 }).transport();
    await silent.played;
    assert.match(
      silent.problems[0]!,
      /expected line 3, control_request initialize \{.*the host said nothing for 20 ms/,
    );

    const leaving = replay(load("text")).transport();
    t.cleanup(() => leaving.close({ graceMs: 0 }));
    await leaving.writable.getWriter().close();
    await leaving.played;
    assert.match(leaving.problems[0]!, /expected line 3, .*; the host ended its input/);
    const text = new TextEncoder().encode("no JSON\n");
    const odd = replay(load("text")).transport();
    await odd.writable.getWriter().write(text);
    await odd.played;
    assert.match(odd.problems[0]!, /got the text "no JSON"/);
  });

  test("recorded time passes on the clock that is given", async () => {
    const { header, entries } = load("text");
    const said = entries.findLastIndex(({ kind }) => kind === "received");
    const slow = { header, entries: entries.map((entry, index) => ({ ...entry, ms: Math.min(index, said) * 20_000 })) };
    const clock = virtualClock();
    const transport = replay(slow, { pace: "recorded", clock }).transport();
    const types: string[] = [];
    const over = (async () => {
      for await (const { type } of query({ prompt: "Hello", options: { tether: { transport, clock } } })) {
        types.push(type);
      }
    })();
    await clock.pass(30_000);
    assert.deepEqual(types, []);
    for (const _ of entries) await clock.pass(20_000);
    await over;
    assert.deepEqual(types, ["system", "assistant", "result"]);
    assert.isAtLeast(clock.now(), 20_000 * said);
    transport.verify();
  });

  test("lines that are no frames, stderr and the end come again as they were", async () => {
    const at = (rest: object): RecordedEntry => ({ ms: 0, ...rest }) as RecordedEntry;
    const transport = replay({
      entries: [
        at({ kind: "started" }),
        at({ kind: "received", text: "a banner\r" }),
        at({ kind: "received", base64: btoa("\xff\x00") }),
        at({ kind: "stderr", text: "oh" }),
        at({ kind: "received", text: '{"type":', unterminated: true }),
        at({ kind: "output_ended" }),
        at({ kind: "exited", code: null, signal: "SIGKILL" }),
      ],
    }).transport();
    const bytes: number[] = [];
    const reader = transport.readable.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes.push(...next.value as Uint8Array);
    }
    assert.strictEqual(String.fromCharCode(...bytes), 'a banner\r\n\xff\x00\n{"type":');
    assert.deepEqual(await transport.exited, { code: null, signal: "SIGKILL", stderrTail: "oh\n" });
    transport.verify();
  });

  test("what is no recording, and settings that cannot be, are refused at once", () => {
    assert.strictEqual(throwsWith(() => replay("{}"), RecordingError).line, 1);
    const error = throwsWith(
      () => replay({ entries: [] }, { compare: "exact" as "strict", pace: "slow" as "fast", deadlineMs: -1 }),
      ScriptError,
    );
    assert.strictEqual(error.code, "script_invalid");
    assert.lengthOf(error.problems, 3);
  });

  test("the fixtures ask what they are there for", () => {
    const count = (file: string, name: string): number => named(name, load(file).entries).length;
    assert.strictEqual(count("permission_allowed", "can_use_tool"), 1);
    assert.isAtLeast(count("hooks", "hook_callback"), 1);
    assert.isAtLeast(count("mcp_tool", "mcp_message"), 1);
    assert.strictEqual(count("interrupted", "interrupt"), 1);
    assert.strictEqual(count("client", "set_model"), 1);
  });
});
