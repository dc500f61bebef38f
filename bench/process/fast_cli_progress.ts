import { readFileSync } from "node:fs";

/** What the fast CLI has written so far, seen from outside while it runs. */
export interface FastCliProgress {
  /** Bytes that the pipe has taken. */
  readonly bytes: number;
  /** It waits in a write: the pipe is full. */
  readonly blocked: boolean;
}

/** Reads the page that the fast CLI shares with this file's readers (cli/pipes.h). */
export function readProgress(file: string): FastCliProgress {
  const page = readFileSync(file);
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  return { bytes: Number(view.getBigUint64(0, true)), blocked: view.getBigUint64(16, true) === 1n };
}
