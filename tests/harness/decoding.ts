import type { Diagnostic } from "../../src/core/diagnostics.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Frame } from "../../src/core/streams/frame.ts";
import { FrameDecoder } from "../../src/core/streams/frame_decoder.ts";

/** When frames are read: as they come, when their chunk is through, when all is over (also the last first), or now and then. */
export type ReadingHabit = "at once" | "after each chunk" | "at the end" | "backwards" | "by chance";

/** All of them. */
export const READING_HABITS: readonly ReadingHabit[] = [
  "at once",
  "after each chunk",
  "at the end",
  "backwards",
  "by chance",
];

/** What came of an output. */
export interface Decoded {
  readonly frames: readonly Frame[];
  readonly records: readonly JsonObject[];
  readonly diagnostics: readonly Diagnostic[];
  readonly halfRecordBytes: number;
  /** What the decoder threw, with `keepError`; what came before it counts. */
  readonly error?: unknown;
}

/** How {@linkcode decode} goes about it. */
export interface DecodeOptions {
  readonly habit?: ReadingHabit;
  readonly maxMessageBytes?: number;
  /** For the habit "by chance": numbers from 0 to 1. */
  readonly chance?: () => number;
  /** What the decoder throws is part of the outcome. */
  readonly keepError?: boolean;
}

/** Decodes a whole output and reads every frame. */
export function decode(chunks: Iterable<Uint8Array | string>, options: DecodeOptions = {}): Decoded {
  const { habit = "at the end", maxMessageBytes = 1_000_000, chance = () => 0 } = options;
  const diagnostics: Diagnostic[] = [];
  const frames: Frame[] = [];
  const decoder = new FrameDecoder({ maxMessageBytes, onDiagnostic: (event) => diagnostics.push(event) });
  const emit = (frame: Frame): void => {
    frames.push(frame);
    if (habit === "at once" || (habit === "by chance" && chance() < 0.3)) frame.read();
  };
  let halfRecordBytes = 0;
  let failure: { readonly error?: unknown } = {};
  try {
    for (const chunk of chunks) {
      decoder.push(chunk, emit);
      if (habit === "after each chunk") { for (const frame of frames) frame.read(); }
      if (habit === "by chance") { for (const frame of frames) if (chance() < 0.2) frame.read(); }
    }
    halfRecordBytes = decoder.end(emit).halfRecordBytes;
  } catch (error) {
    if (options.keepError !== true) throw error;
    failure = { error };
  }
  if (habit === "backwards") { for (const frame of frames.toReversed()) frame.read(); }
  const records = frames.map((frame) => frame.read()).filter((record) => record !== undefined);
  return { frames, records, diagnostics, halfRecordBytes, ...failure };
}
