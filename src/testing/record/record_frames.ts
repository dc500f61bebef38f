import { type Clock, systemClock } from "../../core/clock.ts";
import { deferred } from "../../core/deferred.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { StreamTransport, TransportExit } from "../../core/options/custom_transport.ts";
import type { Options } from "../../core/options/mod.ts";
import { snapshotOptions } from "../../core/options/snapshot.ts";
import { tapTransport } from "./frame_tap.ts";
import { hostFacts } from "./host_facts.ts";
import { LineCutter } from "./line_cutter.ts";
import type { LineEntry, PipeEntry, RecordedEntry, Recording, RecordingHeader } from "./recording.ts";
import { RecordingError } from "./recording_error.ts";
import { encodeRecording, makeRecording, RECORDING_FORMAT } from "./recording_format.ts";
import type { Redact, RedactContext, Redaction } from "./redaction.ts";
import { Redactor } from "./redactor.ts";

/** Settings of {@linkcode recordFrames}. */
export interface RecordFramesOptions {
  /** What the built-in redaction should know beside what it finds out; `false` switches it off. Default: on. */
  readonly redaction?: Redaction | false;
  /** Redacts further, after the built-in redaction. */
  readonly redact?: Redact;
  /**
   * Gets each entry as it is recorded, redacted; nothing is kept then, and `recording()` has no entries. A promise is waited
   * for before the chunk the entry came with is passed on, so a slow sink slows the conversation down and memory stays
   * bounded. One that fails ends the recording, not the conversation.
   */
  readonly onEntry?: (entry: RecordedEntry) => Promise<void> | void;
  /** How many bytes of lines are recorded at most; past it the recording fails. With `onEntry`: of one line. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Tells the time of entries. Default the machine's. */
  readonly clock?: Clock;
}

/** Records one conversation. */
export interface FrameRecorder {
  /** The first line of the recording's file. */
  readonly header: RecordingHeader;
  /** What has been recorded so far. Empty with `onEntry`, and once the recording has failed. */
  readonly entries: readonly RecordedEntry[];
  /**
   * The same options, recorded: for `query()`, `startup()`, `prewarm()` or `ClaudeSDKClient`, with a real CLI or a
   * `tether.transport`. Yours are not changed. Paths, names and secrets to redact are found in them.
   */
  options(options?: Options): Options;
  /** The same for a pipe of your own. @throws {RecordingError} (rejects) `recorder_used` */
  wrap(transport: StreamTransport): Promise<StreamTransport>;
  /**
   * Settles when the conversation is over: its output read or given up, the CLI gone. Waits for ever for one that never
   * starts. Rejects with a {@linkcode RecordingError} if the recording has failed.
   */
  recording(): Promise<Recording>;
  /** The same as the text of a file: JSON lines, read again by {@linkcode parseRecording}. */
  text(): Promise<string>;
}

/** What a recording holds at most when nothing is said. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Records a conversation with the CLI, frame by frame in both directions, redacted. The conversation is not changed by it:
 * order, back-pressure, errors and ends stay what they are, and a recording that fails leaves it alone.
 *
 * @example
 * ```ts
 * import { query } from "@tether/agent";
 * import { recordFrames, scriptedCli, step } from "@tether/agent/testing";
 *
 * const recorder = recordFrames();
 * const transport = scriptedCli([step.turn("Hello!")]).transport();
 * for await (const message of query({ prompt: "Hi", options: recorder.options({ tether: { transport } }) })) {
 *   console.log(message.type);
 * }
 * console.log(await recorder.text());
 * ```
 */
export function recordFrames(options: RecordFramesOptions = {}): FrameRecorder {
  return new Recorder(options);
}

class Recorder implements FrameRecorder {
  readonly header: RecordingHeader;
  readonly #settings: RecordFramesOptions;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #over = deferred<void>();
  #entries: RecordedEntry[] = [];
  #bytes = 0;
  #began = 0;
  #used = false;
  #redactor: Redactor | undefined;
  #sent: LineCutter;
  #received: LineCutter;
  #stderrSeen = false;
  #outputOver = false;
  #exit: TransportExit | undefined;
  #failure: RecordingError | undefined;
  #sinking: Promise<void> | undefined;

  constructor(settings: RecordFramesOptions) {
    this.#settings = settings;
    this.#clock = settings.clock ?? systemClock;
    this.#maxBytes = settings.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#sent = new LineCutter(this.#maxBytes);
    this.#received = new LineCutter(this.#maxBytes);
    this.header = { format: RECORDING_FORMAT, redacted: settings.redaction !== false };
  }

  get entries(): readonly RecordedEntry[] {
    return this.#entries;
  }

  options(given: Options = {}): Options {
    const options = snapshotOptions(given);
    const { wrapTransport, transport } = options.tether ?? {};
    const recorded: Options = {
      ...options,
      tether: {
        ...options.tether,
        wrapTransport: async (inner) =>
          await this.#wrap(wrapTransport === undefined ? inner : await wrapTransport(inner), options),
      },
    };
    if (transport === undefined) {
      // With a transport there is nothing it could hear.
      recorded.stderr = (line) => {
        this.#stderr(line);
        options.stderr?.(line);
      };
    }
    return recorded;
  }

  async wrap(transport: StreamTransport): Promise<StreamTransport> {
    return await this.#wrap(transport, {});
  }

  async recording(): Promise<Recording> {
    await this.#over.promise;
    if (this.#failure !== undefined) throw this.#failure;
    return makeRecording(this.header, this.#entries);
  }

  async text(): Promise<string> {
    return encodeRecording(await this.recording());
  }

  async #wrap(transport: StreamTransport, options: Options): Promise<StreamTransport> {
    if (this.#used) {
      throw new RecordingError("recorder_used", "A recorder records one conversation: make another one for the next");
    }
    this.#used = true;
    const { redaction = {}, redact } = this.#settings;
    const facts = redaction === false ? {} : { ...redaction, ...await hostFacts(options, redaction) };
    this.#redactor = new Redactor({ ...facts, rules: redaction !== false, redact });
    this.#began = this.#clock.now();
    const argv = transport.description?.argv;
    this.#record((redactor) => ({
      ms: 0,
      kind: "started",
      ...argv === undefined ? {} : { argv: argv.map((argument) => redactor.text(argument, "run")) },
    }));
    return tapTransport(transport, {
      sent: (chunk) => this.#lines("sent", this.#sent, chunk),
      received: (chunk) => this.#lines("received", this.#received, chunk),
      ended: (pipe) => this.#ended(pipe),
      exited: (exit) => {
        this.#exit = exit;
        this.#finish();
      },
    });
  }

  #lines(kind: LineEntry["kind"], cutter: LineCutter, chunk: Uint8Array): Promise<void> | void {
    if (this.#failure !== undefined) return;
    const lines = cutter.push(chunk);
    if (lines === undefined) return this.#tooLarge("A line");
    for (const line of lines) this.#line(kind, line);
    return this.#sinking;
  }

  #line(kind: LineEntry["kind"], bytes: Uint8Array, unterminated = false): void {
    this.#bytes += bytes.length;
    if (this.#settings.onEntry === undefined && this.#bytes > this.#maxBytes) return this.#tooLarge("The conversation");
    const from = kind === "sent" ? "host" : "cli";
    this.#record((redactor) => ({
      ms: this.#ms(redactor),
      kind,
      ...content(bytes, redactor, from),
      ...unterminated ? { unterminated } : {},
    }));
  }

  #stderr(line: string): void {
    this.#stderrSeen = true;
    this.#record((redactor) => ({ ms: this.#ms(redactor), kind: "stderr", text: redactor.text(line, "stderr") }));
  }

  #ended(pipe: PipeEntry["kind"] | "output_cancelled"): void {
    const output = pipe.startsWith("output");
    if (output && this.#outputOver) return;
    const rest = (output ? this.#received : this.#sent).end();
    if (rest !== undefined && this.#failure === undefined) this.#line(output ? "received" : "sent", rest, true);
    if (pipe !== "output_cancelled") this.#record((redactor) => ({ ms: this.#ms(redactor), kind: pipe }));
    if (!output) return;
    this.#outputOver = true;
    this.#finish();
  }

  #finish(): void {
    const exit = this.#exit;
    if (exit === undefined || !this.#outputOver) return;
    const { code, signal, stderrTail } = exit;
    this.#record((redactor) => ({
      ms: this.#ms(redactor),
      kind: "exited",
      code,
      signal,
      ...this.#stderrSeen || stderrTail === "" ? {} : { stderrTail: redactor.text(stderrTail, "stderr") },
    }));
    void Promise.resolve(this.#sinking).then(() => this.#over.resolve());
  }

  #ms({ normalize }: Redactor): number {
    return normalize.times === true ? 0 : Math.max(0, Math.round(this.#clock.now() - this.#began));
  }

  /** Nothing that fails in here is the conversation's affair. */
  #record(make: (redactor: Redactor) => RecordedEntry): void {
    // Before the first wrap nothing is recorded: a CLI that will not start has said nothing yet that is a frame.
    if (this.#failure !== undefined || this.#redactor === undefined) return;
    let entry: RecordedEntry;
    try {
      entry = make(this.#redactor);
    } catch (cause) {
      const failure = cause instanceof RecordingError
        ? cause
        : new RecordingError("redaction_failed", "A line could not be redacted", { cause });
      return this.#fail(failure);
    }
    const { onEntry } = this.#settings;
    if (onEntry === undefined) this.#entries.push(entry);
    else this.#sinking = this.#sink(onEntry, entry);
  }

  async #sink(onEntry: NonNullable<RecordFramesOptions["onEntry"]>, entry: RecordedEntry): Promise<void> {
    await this.#sinking;
    if (this.#failure !== undefined) return;
    try {
      await onEntry(entry);
    } catch (cause) {
      this.#fail(new RecordingError("recording_sink_failed", "onEntry has failed", { cause }));
    }
  }

  #tooLarge(what: string): void {
    this.#fail(
      new RecordingError("recording_too_large", `${what} is larger than maxBytes of recordFrames(), ${this.#maxBytes}`),
    );
  }

  #fail(failure: RecordingError): void {
    this.#failure ??= failure;
    this.#entries = [];
    this.#sent = new LineCutter(0);
    this.#received = new LineCutter(0);
  }
}

function content(
  bytes: Uint8Array,
  redactor: Redactor,
  from: RedactContext["from"],
): Pick<LineEntry, "frame" | "text" | "base64"> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undecodable(bytes, redactor, from);
  }
  const frame = parse(text);
  return frame === undefined ? { text: redactor.text(text, from) } : { frame: redactor.frame(frame, from) };
}

/** Redacted as far as it is text: other bytes stay what they are. */
function undecodable(bytes: Uint8Array, redactor: Redactor, from: RedactContext["from"]): { readonly base64: string } {
  const units = latin1(bytes);
  const redacted = redactor.text(units, from);
  // deno-lint-ignore no-control-regex
  return { base64: btoa(/^[\x00-\xff]*$/.test(redacted) ? redacted : latin1(new TextEncoder().encode(redacted))) };
}

function latin1(bytes: Uint8Array): string {
  let units = "";
  for (const byte of bytes) units += String.fromCharCode(byte);
  return units;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
