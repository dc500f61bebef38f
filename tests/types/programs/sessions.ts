/** Sessions and stores. */
import {
  archiveSession,
  deleteSession,
  foldSessionSummary,
  forkSession,
  type ForkSessionResult,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  importSessionToStore,
  InMemorySessionStore,
  listSessions,
  listSubagents,
  NotAvailableError,
  renameSession,
  type SDKSessionInfo,
  type SessionKey,
  type SessionMessage,
  type SessionStore,
  type SessionStoreEntry,
  type SessionSummaryEntry,
  tagSession,
  unarchiveSession,
} from "@tether/agent";
import type { Holds, Same } from "../assertions.ts";

/** A store of a user's own, typed as little as may be. */
export class MapStore implements SessionStore {
  readonly #entries = new Map<string, SessionStoreEntry[]>();
  readonly #summaries = new Map<string, SessionSummaryEntry>();

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    await Promise.resolve();
    const name = [key.projectKey, key.sessionId, key.subpath ?? ""].join("/");
    this.#entries.set(name, [...this.#entries.get(name) ?? [], ...entries]);
    if (key.subpath !== undefined) return;
    this.#summaries.set(name, foldSessionSummary(this.#summaries.get(name), key, entries, { mtime: Date.now() }));
  }

  load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return Promise.resolve(this.#entries.get(`${key.projectKey}/${key.sessionId}/${key.subpath ?? ""}`) ?? null);
  }
}

/** Reads what there is. */
export async function tour(dir: string): Promise<string[]> {
  const sessions: SDKSessionInfo[] = await listSessions({ dir, limit: 10, offset: 0, includeWorktrees: false });
  const lines: string[] = [];
  for (const { sessionId, summary, lastModified, customTitle, gitBranch, tag } of sessions) {
    const info: SDKSessionInfo | undefined = await getSessionInfo(sessionId, { dir });
    const messages: SessionMessage[] = await getSessionMessages(sessionId, { dir, includeSystemMessages: true });
    lines.push(`${summary} ${new Date(lastModified).toISOString()} ${customTitle ?? ""}${gitBranch ?? ""}${tag ?? ""}`);
    lines.push(
      `${info?.createdAt ?? 0} ${info?.archived === true} ${messages.map(({ type, uuid }) => type + uuid).join()}`,
    );
    for (const agent of await listSubagents(sessionId)) {
      const said = await getSubagentMessages(sessionId, agent, { limit: 5 });
      lines.push(...said.map(({ parent_tool_use_id }) => parent_tool_use_id ?? ""));
    }
  }
  return lines;
}

/** Changes what there is. */
export async function change(id: string): Promise<string> {
  const sessionStore = new InMemorySessionStore();
  try {
    await renameSession(id, "A title", { dir: "/" });
    await tagSession(id, "a-tag");
    await tagSession(id, null, { sessionStore });
    await archiveSession(id);
    await unarchiveSession(id);
    await importSessionToStore(id, sessionStore, { batchSize: 100, includeSubagents: false });
    const { sessionId }: ForkSessionResult = await forkSession(id, { title: "A copy", upToMessageId: "x" });
    await deleteSession(sessionId);
    return sessionId;
  } catch (error) {
    if (error instanceof NotAvailableError) return error.feature;
    throw error;
  }
}

/** The store in memory has the optional methods, and helpers beside. */
export async function inMemory(key: SessionKey): Promise<number> {
  const store = new InMemorySessionStore();
  const _: Holds<Same<Awaited<ReturnType<typeof store.load>>, SessionStoreEntry[] | null>> = true;
  await store.append(key, [{ type: "user", uuid: "x" }]);
  const listed = await store.listSessions(key.projectKey);
  const summaries = await store.listSessionSummaries(key.projectKey);
  await store.delete(key);
  store.clear();
  return listed.length + summaries.length + store.size + store.getEntries(key).length +
    (await store.listSubkeys(key)).length;
}
