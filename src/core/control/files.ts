import type { OpenString } from "../messages/unknown.ts";

/** A file the CLI read for us. */
export interface SDKControlReadFileResponse {
  /** Its content, in the encoding asked for. */
  contents: string;
  /** Its full path. */
  absPath: string;
  /** The path as it was asked for. */
  requested_path?: string;
  /** There is more than was allowed. */
  truncated?: boolean;
  /** How `contents` is written; missing for text. */
  encoding?: OpenString<"utf-8" | "base64">;
  /** Bytes that are no text were replaced. */
  lossy?: boolean;
}

/** What rewinding did, or would do. */
export interface RewindFilesResult {
  /** There is a checkpoint to go back to. */
  canRewind: boolean;
  /** Why there is none. */
  error?: string;
  /** Files that would change; told by a dry run. */
  filesChanged?: string[];
  /** Lines that would come; told by a dry run. */
  insertions?: number;
  /** Lines that would go; told by a dry run. */
  deletions?: number;
  /** Links that were left alone; told by a real run. */
  skippedLinks?: number;
}
