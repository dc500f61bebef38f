/** Messages are the CLI's own objects: whatever it writes arrives as it is, known or not. */
import { assert } from "chai";
import { query, type SDKKnownMessage, type SDKMessage } from "../../mod.ts";
import { type CliScript, frame, type JsonObject, scriptedCli, step } from "../../src/testing/mod.ts";
import { KNOWN_FRAMES } from "../fixtures/messages/known_frames.ts";
import { IDS } from "../fixtures/messages/ids.ts";
import { suite, type TestContext } from "../harness/suite.ts";

async function play(t: TestContext, script: CliScript): Promise<SDKMessage[]> {
  const cli = scriptedCli(script).transport();
  const running = query({ prompt: "hi", options: { tether: { transport: cli, timeouts: { quietMs: 20 } } } });
  t.cleanup(() => running.close());
  const messages: SDKMessage[] = [];
  for await (const message of running) messages.push(message);
  cli.verify();
  return messages;
}

/** Emits them inside a turn; returns what came between init and the result. */
async function passThrough(t: TestContext, frames: readonly JsonObject[]): Promise<JsonObject[]> {
  const messages = await play(t, [
    step.begin(),
    step.emit(...frames),
    // What was emitted may have said that the session waits, and that tasks run: neither is so.
    step.emit(frame.backgroundTasks([]), frame.state("running")),
    step.finish(),
  ]);
  assert.deepEqual(messages.slice(-2).map((message) => message.type), ["system", "result"]);
  return messages.slice(1, -2) as unknown[] as JsonObject[];
}

const json = (frames: readonly SDKKnownMessage[]): JsonObject[] => JSON.parse(JSON.stringify(frames)) as JsonObject[];

export default suite("messages pass through", (test) => {
  test("one of every kind with every field it can have: unchanged and in order (M03 M04 M10 M11 M12 M15 M16)", async (t) => {
    const frames = json(KNOWN_FRAMES);
    assert.deepEqual(await passThrough(t, frames), frames);
  });

  test("optional fields may be missing (M10 M11 M12 M13 M14)", async (t) => {
    const frames: JsonObject[] = [
      { ...IDS, type: "system", subtype: "task_started", task_id: "a", description: "d" },
      { ...IDS, type: "system", subtype: "task_updated", task_id: "a", patch: {} },
      {
        ...IDS,
        type: "system",
        subtype: "task_notification",
        task_id: "a",
        status: "completed",
        output_file: "",
        summary: "",
      },
      { ...IDS, type: "rate_limit_event", rate_limit_info: { status: "allowed" } },
      { ...IDS, type: "conversation_reset", new_conversation_id: IDS.session_id },
      { ...IDS, type: "user", message: { role: "user", content: "text" }, parent_tool_use_id: null },
    ];
    assert.deepEqual(await passThrough(t, frames), frames);
  });

  test("unknown kinds, subtypes, blocks, events, origins and fields are delivered as they came (M02 M05 M08 M09 M13)", async (t) => {
    const message = { id: "m", type: "message", role: "assistant", model: "m", stop_reason: null };
    const frames: JsonObject[] = [
      { ...IDS, type: "brand_new_kind", deep: { list: [1, null, { a: "\u2028" }] } },
      { ...IDS, type: "brand_new_kind", subtype: "x" },
      { ...IDS, type: "system", subtype: "brand_new", data: [1] },
      { ...IDS, type: "system", subtype: 7 },
      {
        ...IDS,
        type: "assistant",
        message: { ...message, content: [{ type: "hologram", shape: { x: 1 } }, { type: "text", text: "t", glow: 1 }] },
        parent_tool_use_id: null,
        new_field: { a: 1 },
      },
      { ...IDS, type: "stream_event", event: { type: "new_event", a: 1 }, parent_tool_use_id: null },
      {
        ...IDS,
        type: "user",
        message: { role: "user", content: [] },
        origin: { kind: "from_afar", star: "Vega" },
      },
      { ...IDS, type: "rate_limit_event", rate_limit_info: { status: "halved", moon: true } },
      { ...IDS, type: "result", subtype: "error_new", is_error: true, errors: ["e"], extra: 1 },
    ];
    assert.deepEqual(await passThrough(t, frames), frames);
  });

  test("malformed messages are not judged: they arrive as they are, and the query goes on (M06 M07)", async (t) => {
    const frames: JsonObject[] = [
      { ...IDS, type: "assistant", message: { role: "assistant", content: "no array" }, parent_tool_use_id: null },
      { ...IDS, type: "assistant" },
      { ...IDS, type: "user", message: null },
      { ...IDS, type: "system" },
      { ...IDS, type: "system", subtype: "task_updated" },
      { ...IDS, type: "system", subtype: "background_tasks_changed", tasks: null },
      { ...IDS, type: "rate_limit_event" },
      { ...IDS, type: 7 },
      { note: "no type at all" },
    ];
    const got = await passThrough(t, frames);
    // The double names what has no names.
    assert.deepEqual(
      got.map(({ uuid: _, session_id: __, ...rest }) => rest),
      frames.map(({ uuid: _, session_id: __, ...rest }) => rest),
    );
  });

  test("mirrored transcripts, signs of life and states meant for the host alone are never among them (M17)", async (t) => {
    const kept = { ...IDS, type: "system", subtype: "session_state_changed", state: "running" };
    const got = await passThrough(t, [
      { type: "transcript_mirror", filePath: "a.jsonl", entries: [{ type: "user" }] },
      { type: "keep_alive" },
      frame.state("requires_action"),
      kept,
    ]);
    assert.deepEqual(got, [kept]);
  });
});
