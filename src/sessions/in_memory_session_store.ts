import { OptionError } from "../core/errors/option_error.ts";
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "../core/options/session_store.ts";
import { foldSessionSummary } from "./fold_session_summary.ts";

/** One transcript. */
interface Transcript {
  readonly entries: SessionStoreEntry[];
  /** Those that are here already. */
  readonly uuids: Set<string>;
}

/** One session: its own transcript, once it has one, and those of its subagents. */
interface StoredSession {
  main: Transcript | undefined;
  summary: SessionSummaryEntry | undefined;
  readonly subagents: Map<string, Transcript>;
}

/**
 * A store that lives as long as the process: for tests, and as a model of the contract.
 *
 * An entry whose uuid is there already is not kept twice. What goes in and what comes out are copies.
 */
export class InMemorySessionStore implements SessionStore {
  readonly #projects = new Map<string, Map<string, StoredSession>>();
  #lastWrite = 0;

  /**
   * Keeps entries, in order. No entries, or only known ones, change nothing. All or none are taken.
   *
   * @throws {OptionError} for an empty `subpath`.
   * @throws a `DataCloneError` for an entry that is no plain data.
   */
  append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void> {
    return attempt(() => {
      checkKey(key);
      const transcript = this.#transcript(key);
      const fresh: SessionStoreEntry[] = [];
      const uuids = new Set<string>();
      for (const entry of structuredClone(entries)) {
        const { uuid } = entry;
        if (typeof uuid === "string") {
          if (transcript?.uuids.has(uuid) === true || uuids.has(uuid)) continue;
          uuids.add(uuid);
        }
        fresh.push(entry);
      }
      if (fresh.length > 0) this.#add(key, fresh, uuids);
    });
  }

  /** A transcript, whole; `null` if nothing was ever appended to it. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return attempt(() => {
      checkKey(key);
      const transcript = this.#transcript(key);
      return transcript === undefined ? null : structuredClone(transcript.entries);
    });
  }

  /** The sessions of a project that have a transcript of their own, with the time of their last append. */
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    return attempt(() => this.#summaries(projectKey).map(({ sessionId, mtime }) => ({ sessionId, mtime })));
  }

  /** The same, with what {@linkcode foldSessionSummary} made of each. */
  listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return attempt(() => structuredClone(this.#summaries(projectKey)));
  }

  /** Forgets a session with everything below it, or, with a `subpath`, that transcript alone. Nothing there is fine. */
  delete(key: SessionKey): Promise<void> {
    return attempt(() => {
      checkKey(key);
      const sessions = this.#projects.get(key.projectKey);
      const session = sessions?.get(key.sessionId);
      if (sessions === undefined || session === undefined) return;
      if (key.subpath !== undefined) session.subagents.delete(key.subpath);
      if (key.subpath === undefined || (session.main === undefined && session.subagents.size === 0)) {
        sessions.delete(key.sessionId);
        if (sessions.size === 0) this.#projects.delete(key.projectKey);
      }
    });
  }

  /** The transcripts below a session, as `subpath`s. */
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return attempt(() => [...this.#session(key)?.subagents.keys() ?? []]);
  }

  /** The entries of a transcript, at once; none if there is no such transcript. */
  getEntries(key: SessionKey): SessionStoreEntry[] {
    return structuredClone(this.#transcript(key)?.entries ?? []);
  }

  /** How many sessions there are that have a transcript of their own. */
  get size(): number {
    let size = 0;
    for (const projectKey of this.#projects.keys()) size += this.#summaries(projectKey).length;
    return size;
  }

  /** Forgets everything. */
  clear(): void {
    this.#projects.clear();
  }

  #add(key: SessionKey, fresh: readonly SessionStoreEntry[], uuids: ReadonlySet<string>): void {
    const session = this.#session(key) ?? this.#create(key);
    const empty = (): Transcript => ({ entries: [], uuids: new Set() });
    let transcript = this.#transcript(key);
    if (transcript === undefined) {
      transcript = empty();
      if (key.subpath === undefined) session.main = transcript;
      else session.subagents.set(key.subpath, transcript);
    }
    for (const entry of fresh) transcript.entries.push(entry);
    for (const uuid of uuids) transcript.uuids.add(uuid);
    if (key.subpath !== undefined) return;
    // Two appends are told apart however close they are.
    this.#lastWrite = Math.max(Date.now(), this.#lastWrite + 1);
    session.summary = foldSessionSummary(session.summary, key, fresh, { mtime: this.#lastWrite });
  }

  #create(key: SessionKey): StoredSession {
    const sessions = this.#projects.get(key.projectKey) ?? new Map<string, StoredSession>();
    this.#projects.set(key.projectKey, sessions);
    const session: StoredSession = { main: undefined, summary: undefined, subagents: new Map() };
    sessions.set(key.sessionId, session);
    return session;
  }

  #session(key: { projectKey: string; sessionId: string }): StoredSession | undefined {
    return this.#projects.get(key.projectKey)?.get(key.sessionId);
  }

  #transcript(key: SessionKey): Transcript | undefined {
    const session = this.#session(key);
    return key.subpath === undefined ? session?.main : session?.subagents.get(key.subpath);
  }

  #summaries(projectKey: string): SessionSummaryEntry[] {
    const sessions = [...this.#projects.get(projectKey)?.values() ?? []];
    return sessions.flatMap(({ summary }) => summary === undefined ? [] : [summary]);
  }
}

function checkKey({ subpath }: SessionKey): void {
  if (subpath === "") throw new OptionError("key.subpath", "must not be empty: leave it out for the session itself");
}

/** Work that is done at once, and fails as a promise does. */
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}
