/** Where a transcript belongs. */
export interface SessionKey {
  /** Stands for the working directory. */
  projectKey: string;
  /** The session. */
  sessionId: string;
  /** Set for the transcripts of subagents. */
  subpath?: string;
}

/** One line of a transcript, as the CLI wrote it. */
export interface SessionStoreEntry {
  /** The kind of the line. */
  type: string;
  /** Names the line. */
  uuid?: string;
  /** When it was written. */
  timestamp?: string;
  /** Whatever else it holds. */
  [key: string]: unknown;
}

/** What a listing says of one session without loading it. */
export interface SessionSummaryEntry {
  /** The session. */
  sessionId: string;
  /** Milliseconds since 1970. */
  mtime: number;
  /** What the store keeps of it. */
  data: Record<string, unknown>;
}

/** When entries go to a store: gathered, or each at once. */
export type SessionStoreFlush = "batched" | "eager";

/** A place for transcripts beside the CLI's own disk. Entries come in order; a repeated entry must not be kept twice. */
export interface SessionStore {
  /** Keeps entries, in order. */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  /** Gives back every entry of a transcript, or `null` when there is none. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  /** Needed for `continue`. */
  listSessions?(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  /** Lists sessions with what there is to show of them. */
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  /** Forgets a transcript. */
  delete?(key: SessionKey): Promise<void>;
  /** Lists the transcripts of a session's subagents. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}
