/** A fault that the fuzz suites must notice. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** The text that is replaced; it stands there once. */
  readonly from: string;
  readonly to: string;
  /** Part of the paths of the suites that are run. */
  readonly suites: string;
}

const FRAMING = "conformance/framing_fuzz";
const CHANNEL = "conformance/control_channel_fuzz";
const HANDLERS = "handlers/handlers_fuzz";
const QUERY = "query/query_fuzz";

function streams(file: string, name: string, from: string, to: string): Mutant {
  return { name, file: `src/core/streams/${file}`, from, to, suites: FRAMING };
}

function protocol(file: string, name: string, from: string, to: string): Mutant {
  return { name, file: `src/core/protocol/${file}`, from, to, suites: CHANNEL };
}

function client(file: string, name: string, from: string, to: string, suites: string = QUERY): Mutant {
  return { name, file: `src/client/${file}`, from, to, suites };
}

/** The faults. */
export const MUTANTS: readonly Mutant[] = [
  streams("line_splitter.ts", "the limit is one byte too low", "if (seen > this.#max +", "if (seen >= this.#max +"),
  streams("line_splitter.ts", "the limit is one byte too high", "if (seen > this.#max +", "if (seen - 1 > this.#max +"),
  streams(
    "line_splitter.ts",
    "the unterminated tail is lost",
    'if (this.#heldBytes > 0) this.#finishHeld("", 0, emit);',
    "",
  ),
  streams(
    "line_splitter.ts",
    "a carriage return is kept",
    "const end = newline > start && text.charCodeAt(newline - 1) === CARRIAGE_RETURN ? newline - 1 : newline;",
    "const end = newline;",
  ),
  streams(
    "line_splitter.ts",
    "the start of a character is kept as a view of the chunk",
    "this.#partial = new Uint8Array(bytes.subarray(bytes.length - cut));",
    "this.#partial = bytes.subarray(bytes.length - cut);",
  ),
  streams(
    "line_splitter.ts",
    "half a surrogate pair is dropped",
    'this.#encoder.encode("\\ufffd")',
    'this.#encoder.encode("")',
  ),
  streams("utf8_boundary.ts", "a character of four bytes is cut", "lead < 0xf0 ? 3 : 4", "3"),
  streams("record_join.ts", "an escaped quote ends a string", "if (escaped) escaped = false;\n        else if", "if"),
  streams(
    "frame_decoder.ts",
    "a fragment swallows the good line after it",
    "this.#newest = undefined;\n      this.#giveUpJoin();",
    "this.#newest = undefined;\n      this.#join = undefined;",
  ),
  streams(
    "frame_decoder.ts",
    "joined pieces have no limit",
    "if (bytes > this.#max) {",
    "if (bytes > this.#max + 1) {",
  ),
  streams(
    "frame_decoder.ts",
    "half a record is a clean end",
    "const halfRecordBytes = this.#join?.bytes ?? 0;",
    "const halfRecordBytes = 0;",
  ),
  streams(
    "deferred_frame.ts",
    "a frame is parsed anew at every read",
    "this.#content = record;\n      return undefined;",
    "this.#content = undefined;\n      return undefined;",
  ),
  streams(
    "record_stream.ts",
    "a stream that ends in a record ends well",
    "reader.halfRecordBytes > 0",
    "reader.halfRecordBytes > 1e9",
  ),

  protocol(
    "inbound_requests.ts",
    "a repeated id is served again",
    "if (this.#open.has(id) || this.#over.has(id)) return;",
    "if (this.#open.has(id)) return;",
  ),
  protocol(
    "inbound_requests.ts",
    "an answer goes out twice",
    "entry.ticket = this.#write(entry, successFrame(entry.requestId, answer));",
    "this.#write(entry, successFrame(entry.requestId, answer));\n      entry.ticket = this.#write(entry, successFrame(entry.requestId, answer));",
  ),
  protocol(
    "inbound_requests.ts",
    "a cancel is ignored",
    'this.#drop(entry, new AbortError("The CLI took its request back"));',
    "",
  ),
  protocol(
    "inbound_requests.ts",
    "a cancel that came first is forgotten",
    "if (!this.#over.has(id)) this.#cancelledAhead.add(id);",
    "",
  ),
  protocol(
    "inbound_requests.ts",
    "what ends is not told to those who are served",
    "this.#tell(entry, false);\n    entry.abort(reason);",
    "entry.abort(reason);",
  ),
  protocol(
    "inbound_requests.ts",
    "an answered request stays open",
    "this.#forget(entry);\n      this.#tell(entry, failure === undefined);",
    "this.#tell(entry, failure === undefined);",
  ),
  protocol("pending_requests.ts", "a deadline is not cleared", "entry.deadline.stop();", ""),
  protocol(
    "pending_requests.ts",
    "a listener to an abort settles again",
    "const entry = this.#settle(id);\n    if (entry === undefined) return;\n    // What",
    "const entry = this.#entries.get(id);\n    if (entry === undefined) return;\n    // What",
  ),
  protocol(
    "pending_requests.ts",
    "what is open when all ends stays open",
    "for (const id of [...this.#entries.keys()]) {",
    "for (const id of [...this.#entries.keys()].slice(1)) {",
  ),
  protocol("pending_requests.ts", "progress does not count", "this.#entries.get(requestId)?.deadline.restart();", ""),
  protocol(
    "pending_requests.ts",
    "an error is a success",
    'if (envelope.subtype === "error") {',
    'if (envelope.subtype === "failure") {',
  ),
  protocol("frame_queue.ts", "the queue is not closed", "this.#closed = true;\n", ""),
  protocol(
    "frame_queue.ts",
    "those who wait when it closes wait for ever",
    "for (const deliver of this.#waiting.splice(0)) deliver({ done: true, value: undefined });",
    "",
  ),
  protocol("frame_queue.ts", "the last waiter is served first", "this.#waiting.shift()?.(", "this.#waiting.pop()?.("),
  protocol("frame_queue.ts", "bytes that were taken are counted on", "this.#bytes -= frame.wireBytes;", ""),
  protocol(
    "frame_intake.ts",
    "what is held is overtaken",
    "if (!this.#isHolding && this.#options.fits(frame))",
    "if (this.#options.fits(frame))",
  ),
  protocol("frame_intake.ts", "what is held is lost at the end", "await this.#until(() => !this.#isHolding);", ""),
  protocol("connection.ts", "there is no bound", "return bytes + frame.wireBytes <= bound ||", "return true ||"),
  protocol(
    "connection.ts",
    "a drain goes on serving",
    "this.#inbound.close(reason, false);\n    this.#queue.close();",
    "this.#queue.close();",
  ),
  protocol(
    "connection.ts",
    "an answer does not let reading go on",
    "onOpened: () => this.#intake.proceed(),",
    "onOpened: () => {},",
  ),
  protocol(
    "frame_writer.ts",
    "prompts overtake answers",
    "for (const entry of this.#control) {",
    "for (const entry of this.#prompts.size > 0 ? [] : this.#control) {",
  ),
  protocol(
    "frame_writer.ts",
    "a broken pipe leaves lines waiting",
    "this.#drop(this.#prompts, failure);\n    this.#finished",
    "this.#finished",
  ),
  protocol(
    "frame_writer.ts",
    "what was withdrawn is written",
    "withdraw: () => queue.delete(entry)",
    "withdraw: () => queue.has(entry)",
  ),

  client(
    "handlers/permission_result.ts",
    "a result without a verdict allows",
    'if (result.behavior !== "allow") throw',
    "if (result.behavior === 5) throw",
    HANDLERS,
  ),
  client(
    "handlers/hook_output.ts",
    "a verdict that the CLI would not read is sent",
    "if (misplaced !== undefined) {",
    "if (misplaced === undefined && output === null) {",
    HANDLERS,
  ),
  client(
    "handlers/permissions.ts",
    "a callback sees the input that will run",
    "copyOfJson(request.input)",
    "request.input",
  ),
  client(
    "engine.ts",
    "an abort is a close",
    "if (!this.#closed) this.#aborted ??= { reason };",
    "this.#closed = true;",
  ),
  client(
    "engine.ts",
    "a child that stays is waited for",
    "if (!this.#shutting) this.#drain.start(this.#options.timeouts.graceMs);",
    "",
  ),
  client("engine.ts", "turns that are waited for leave their timers", "cancel();\n        resolve();", "resolve();"),
  client("query.ts", "an error is told again and again", "this.#told = true;", ""),
  client(
    "query_life.ts",
    "facts that never come are waited for",
    'this.facts.end(outcome.error?.value ?? new AbortError("The query ended before the CLI had said it"));',
    "",
  ),
  client(
    "prompt_feed.ts",
    "a source that is cut is never over",
    "feeding.over.resolve(end);",
    'if (end.kind !== "cut") feeding.over.resolve(end);',
  ),
];
