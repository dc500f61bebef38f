import { assert } from "chai";
import { ClaudeSDKClient, type Options, query, startup } from "../../mod.ts";
import {
  type FrameRecorder,
  memoryTransportPair,
  parseRecording,
  type RecordedEntry,
  recordFrames,
  RecordingError,
  replay,
  scriptedCli,
  step,
} from "../../src/testing/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { settle } from "../harness/virtual_clock.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const kinds = (entries: readonly RecordedEntry[]): string[] =>
  entries.map((entry) =>
    entry.kind === "sent" || entry.kind === "received" ? `${entry.kind} ${entry.frame?.type}` : entry.kind
  );

/** A query on a double, recorded. */
async function recorded(recorder: FrameRecorder, options: Options = {}): Promise<string[]> {
  const transport = scriptedCli([step.turn("Hello!")]).transport();
  const types: string[] = [];
  const all = recorder.options({ ...options, tether: { ...options.tether, transport } });
  for await (const message of query({ prompt: "Hi", options: all })) types.push(message.type);
  transport.verify();
  return types;
}

async function wrapped(recorder: FrameRecorder, t: TestContext) {
  const pair = memoryTransportPair({ capacityBytes: 10, graceMs: 1, termMs: 1 });
  const transport = await recorder.wrap(pair.transport);
  t.cleanup(() => pair.cli.exit());
  return { pair, transport };
}

export default suite("recording frames", (test) => {
  test("both directions, in order, with the end; the query is as it is without", async () => {
    const recorder = recordFrames();
    assert.deepEqual(await recorded(recorder), ["system", "assistant", "result"]);
    const { header, entries, cliVersion } = await recorder.recording();
    assert.deepEqual(header, { format: "tether-frames/1", redacted: true });
    assert.strictEqual(cliVersion, "2.1.332");
    // The prompt does not wait for the answer to initialize.
    assert.sameMembers(kinds(entries.slice(2, 4)), ["received control_response", "sent user"]);
    assert.deepEqual(kinds([...entries.slice(0, 2), ...entries.slice(4)]), [
      "started",
      "sent control_request",
      "received system",
      "received command_lifecycle",
      "received command_lifecycle",
      "received system",
      "received assistant",
      "received result",
      "received command_lifecycle",
      "received system",
      "input_ended",
      "output_ended",
      "exited",
    ]);
    const again = parseRecording(await recorder.text());
    assert.deepEqual(again.entries, entries);
    const transport = replay(again, { compare: "strict" }).transport();
    for await (const _ of query({ prompt: "Hi", options: { tether: { transport } } }));
    transport.verify();
  });

  test("the same run twice is the same recording", async () => {
    const texts: string[] = [];
    for (let run = 0; run < 2; run++) {
      const recorder = recordFrames({ redaction: { normalize: true } });
      await recorded(recorder);
      texts.push(await recorder.text());
    }
    assert.strictEqual(texts[0], texts[1]);
  });

  test("a warm query and a client are recorded like any other", async () => {
    const warm = recordFrames();
    const cli = scriptedCli([step.turn("Hello!")]);
    const started = await startup({ options: warm.options({ tether: { transport: cli.transport() } }) });
    for await (const _ of started.query("Hi"));
    assert.include(kinds((await warm.recording()).entries), "sent user");

    const talk = recordFrames();
    const client = new ClaudeSDKClient(talk.options({ tether: { transport: cli.transport() } }));
    await client.connect();
    await client.query("Hi");
    for await (const _ of client.receiveResponse());
    await client.disconnect();
    assert.strictEqual((await talk.recording()).entries.at(-1)!.kind, "exited");
  });

  test("options are not changed, and what wraps the transport already stays in between", async () => {
    const order: string[] = [];
    const transport = scriptedCli([step.turn("Hello!")]).transport();
    const options: Options = {
      stderr: () => {},
      tether: {
        transport,
        wrapTransport: (inner) => {
          order.push("own");
          return inner;
        },
      },
    };
    const before = { ...options.tether };
    const recorder = recordFrames();
    for await (const _ of query({ prompt: "Hi", options: recorder.options(options) }));
    assert.deepEqual({ ...options.tether }, before);
    assert.deepEqual(order, ["own"]);
    assert.isAbove((await recorder.recording()).entries.length, 5);
  });

  test("nothing is read before it is asked for, and a write settles when the inner one has", async (t) => {
    const recorder = recordFrames();
    const { pair, transport } = await wrapped(recorder, t);
    const cli = pair.cli.writable.getWriter();
    let written = false;
    await cli.write("{}\n");
    const second = cli.write('{"type":"more"}\n').then(() => written = true);
    await settle();
    assert.isFalse(written);
    assert.deepEqual(kinds(recorder.entries), ["started"]);
    const reader = transport.readable.getReader();
    await reader.read();
    await reader.read();
    await second;

    const host = transport.writable.getWriter();
    let accepted = 0;
    void host.write(bytes('{"type":"keep_alive"}\n')).then(() => accepted++);
    await settle();
    assert.strictEqual(accepted, 0);
    await pair.cli.readable.getReader().read();
    await settle();
    assert.strictEqual(accepted, 1);
    assert.deepEqual(kinds(recorder.entries), ["started", "received undefined", "received more", "sent keep_alive"]);
  });

  test("lines that are no frames are kept as they are, and so is half a line", async (t) => {
    const recorder = recordFrames();
    const { pair, transport } = await wrapped(recorder, t);
    const reading = (async () => {
      const reader = transport.readable.getReader();
      while (!(await reader.read()).done);
    })();
    const cli = pair.cli.writable.getWriter();
    await cli.write("banner\r\n[1]\n\n");
    await cli.write(new Uint8Array([0xff, 0x41, 10]));
    await cli.write('{"type":"re');
    pair.cli.exit({ code: 3, stderrTail: "Bearer abc.def.ghi" });
    await reading;
    const { entries } = await recorder.recording();
    assert.deepEqual(entries.slice(1).map(({ ms: _, ...entry }) => entry as unknown), [
      { kind: "received", text: "banner\r" },
      { kind: "received", text: "[1]" },
      { kind: "received", text: "" },
      { kind: "received", base64: btoa("\xffA") },
      { kind: "received", text: '{"type":"re', unterminated: true },
      { kind: "output_ended" },
      { kind: "exited", code: 3, signal: null, stderrTail: "Bearer ***" },
    ]);
  });

  test("errors, cancellation and a broken input pass through", async (t) => {
    const recorder = recordFrames();
    const { pair, transport } = await wrapped(recorder, t);
    const writer = transport.writable.getWriter();
    pair.cli.exit({ code: 1 });
    await rejection(writer.write(bytes("{}\n")));
    await rejection(writer.closed);
    await transport.readable.cancel();
    await transport.close();
    const { entries } = await recorder.recording();
    assert.deepEqual(kinds(entries), ["started", "sent undefined", "input_failed", "exited"]);

    const failing = recordFrames();
    const second = await wrapped(failing, t);
    second.pair.cli.exit({}, new Error("broken"));
    assert.strictEqual((await rejection(second.transport.readable.getReader().read()) as Error).message, "broken");
    assert.include(kinds((await failing.recording()).entries), "output_failed");
  });

  test("a recording that grows too large fails, the conversation goes on", async () => {
    const recorder = recordFrames({ maxBytes: 3_000 });
    assert.deepEqual(await recorded(recorder), ["system", "assistant", "result"]);
    const error = await rejectsWith(recorder.recording(), RecordingError);
    assert.strictEqual(error.code, "recording_too_large");
    assert.include(error.message, "maxBytes");
    assert.deepEqual(recorder.entries, []);
  });

  test("a redact function that throws fails the recording, and nothing of it is kept", async () => {
    const recorder = recordFrames({
      redact: (value) => {
        if (value === "Hello!") throw new Error("no");
        return value;
      },
    });
    assert.deepEqual(await recorded(recorder), ["system", "assistant", "result"]);
    assert.strictEqual((await rejectsWith(recorder.text(), RecordingError)).code, "redaction_failed");
    assert.deepEqual(recorder.entries, []);
  });

  test("a sink gets every entry and is waited for; one that fails ends the recording alone", async () => {
    const got: RecordedEntry[] = [];
    let open = 0;
    const recorder = recordFrames({
      onEntry: async (entry) => {
        assert.strictEqual(++open, 1);
        await settle();
        got.push(entry);
        open--;
      },
    });
    await recorded(recorder);
    assert.deepEqual((await recorder.recording()).entries, []);
    assert.strictEqual(got[0]!.kind, "started");
    assert.strictEqual(got.at(-1)!.kind, "exited");
    assert.lengthOf(got, 15);

    const failing = recordFrames({ onEntry: () => Promise.reject(new Error("disk full")) });
    assert.deepEqual(await recorded(failing), ["system", "assistant", "result"]);
    assert.strictEqual((await rejectsWith(failing.recording(), RecordingError)).code, "recording_sink_failed");
  });

  test("secrets and paths of the options are found", async () => {
    const recorder = recordFrames();
    const transport = scriptedCli([step.turn("In /srv/acme/x of /opt/homes/bo, key-of-acme-1 and head-er-1.")])
      .transport();
    const options = recorder.options({
      cwd: "/srv/acme",
      env: { HOME: "/opt/homes/bo", ACME_KEY: "key-of-acme-1" },
      mcpServers: { a: { type: "http", url: "http://localhost:1", headers: { "X-A": "head-er-1" } } },
      tether: { transport },
    });
    for await (const _ of query({ prompt: "/srv/acme/y", options }));
    const text = await recorder.text();
    assert.include(text, "In /srv/project/x of /home/user, *** and ***.");
    assert.include(text, "/srv/project/y");
    for (const secret of ["/srv/acme", "/opt/homes", "key-of-acme", "head-er-1"]) assert.notInclude(text, secret);
  });

  test("one recorder records one conversation", async () => {
    const recorder = recordFrames();
    await recorded(recorder);
    const error = await rejectsWith(recorded(recorder), RecordingError);
    assert.strictEqual(error.code, "recorder_used");
  });

  test("what wraps the transport must give one back; what it throws is the query's, and the CLI is ended", async () => {
    for (const wrapTransport of [() => ({}), () => Promise.reject(new Error("no"))] as (() => never)[]) {
      const transport = scriptedCli([step.hang()]).transport();
      const error = await rejection((async () => {
        for await (const _ of query({ prompt: "Hi", options: { tether: { transport, wrapTransport } } }));
      })());
      assert.match((error as Error).message, /wrapTransport has no readable|tether\.wrapTransport|^no$/);
      await transport.exited;
    }
  });

  test("what a wrapper throws is told also where the transport cannot be closed", async () => {
    const inner = memoryTransportPair().transport;
    const { readable, writable, exited } = inner;
    const transport = {
      readable,
      writable,
      exited,
      close: async () => {
        await inner.close({ graceMs: 0 });
        throw new Error("no way out");
      },
    };
    const wrapTransport = () => Promise.reject(new Error("no wrapping"));
    const error = await rejection((async () => {
      for await (const _ of query({ prompt: "Hi", options: { tether: { transport, wrapTransport } } }));
    })());
    assert.strictEqual((error as Error).message, "no wrapping");
  });
});
