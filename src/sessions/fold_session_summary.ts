import type { SessionKey, SessionStoreEntry, SessionSummaryEntry } from "../core/options/session_store.ts";
import { promptHint } from "./first_prompt.ts";

/** Fields whose last text counts, an empty one included: it clears. By the name they are kept under. */
const LAST_WINS: readonly (readonly [field: string, kept: string])[] = [
  ["customTitle", "customTitle"],
  ["aiTitle", "aiTitle"],
  ["lastPrompt", "lastPrompt"],
  ["summary", "summaryHint"],
  ["gitBranch", "gitBranch"],
];

/**
 * Brings a session's summary up to date with entries that were appended to it: what a store calls in `append` so that
 * listing needs no transcript. Pure; `prev` is not changed, and what else its `data` holds is kept. Entries of subagents
 * (`key.subpath`) are not for it.
 *
 * `mtime` is that of `options`, else the one before, else 0: the store's clock, never the entries'.
 */
export function foldSessionSummary(
  prev: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
  options?: { mtime?: number },
): SessionSummaryEntry {
  const data: Record<string, unknown> = { ...prev?.data };
  for (const entry of entries) {
    // A store may hold anything.
    if (typeof entry === "object" && entry !== null) foldEntry(data, entry);
  }
  return { sessionId: prev?.sessionId ?? key.sessionId, mtime: options?.mtime ?? prev?.mtime ?? 0, data };
}

function foldEntry(data: Record<string, unknown>, entry: SessionStoreEntry): void {
  data.isSidechain ??= entry.isSidechain === true;
  if (data.createdAt === undefined && typeof entry.timestamp === "string") {
    const at = Date.parse(entry.timestamp);
    if (!Number.isNaN(at)) data.createdAt = at;
  }
  if (data.cwd === undefined && typeof entry.cwd === "string" && entry.cwd !== "") data.cwd = entry.cwd;
  if (data.firstPromptLocked !== true) {
    const { prompt, command } = promptHint(entry);
    if (command !== undefined) data.commandFallback ??= command;
    if (prompt !== undefined) {
      data.firstPrompt = prompt;
      data.firstPromptLocked = true;
    }
  }
  for (const [field, kept] of LAST_WINS) {
    if (typeof entry[field] === "string") data[kept] = entry[field];
  }
  if (entry.type !== "tag") return;
  if (typeof entry.tag === "string" && entry.tag !== "") data.tag = entry.tag;
  else delete data.tag;
}
