import type { DiagnosticListener } from "../diagnostics.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Frame } from "./frame.ts";
import { LineSplitter } from "./line_splitter.ts";

/** What a {@linkcode FrameDecoder} needs to know. */
export interface FrameDecoderOptions {
  /** Largest record, in bytes. */
  readonly maxMessageBytes: number;
  /** Hears of lines that were skipped and records that were broken. */
  readonly onDiagnostic: DiagnosticListener;
}

/** How output came to its end. */
export interface FrameDecoderEnd {
  /** Bytes of a record that began and never ended; 0 if output ended between records. */
  readonly halfRecordBytes: number;
}

/** Takes a frame. */
export type FrameListener = (frame: Frame) => void;

/** Bytes in, frames out. */
export class FrameDecoder {
  readonly #lines: LineSplitter;
  readonly #diagnose: DiagnosticListener;

  constructor(options: FrameDecoderOptions) {
    this.#lines = new LineSplitter(options);
    this.#diagnose = options.onDiagnostic;
  }

  /** Takes the next chunk and emits each frame that is now complete. @throws {MessageTooLargeError} for a record past the limit. */
  push(chunk: Uint8Array | string, emit: FrameListener): void {
    this.#lines.push(chunk, (line, wireBytes) => this.#line(line, wireBytes, emit));
  }

  /** Ends the output: delivers an unterminated last record, and tells whether output broke off inside one. */
  end(emit: FrameListener): FrameDecoderEnd {
    let halfRecordBytes = 0;
    this.#lines.end((line, wireBytes) => {
      if (!this.#line(line, wireBytes, emit) && line.startsWith("{")) halfRecordBytes = wireBytes;
    });
    return { halfRecordBytes };
  }

  #line(line: string, wireBytes: number, emit: FrameListener): boolean {
    if (line.trim() === "") return true;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#diagnose({ kind: "line_skipped", bytes: wireBytes, reason: "not_json" });
      return false;
    }
    if (!isJsonObject(value)) {
      this.#diagnose({ kind: "line_skipped", bytes: wireBytes, reason: "not_an_object" });
      return false;
    }
    const record: JsonObject = value;
    emit({ wireBytes, eager: true, read: () => record });
    return true;
  }
}
