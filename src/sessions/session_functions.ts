import { NotAvailableError } from "../core/errors/not_available_error.ts";
import type { SessionStore } from "../core/options/session_store.ts";
import type {
  ForkSessionOptions,
  ForkSessionResult,
  GetSessionInfoOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ImportSessionToStoreOptions,
  ListSessionsOptions,
  ListSubagentsOptions,
  SDKSessionInfo,
  SessionMessage,
  SessionMutationOptions,
} from "./session_types.ts";

// Their names and types stand so that programs compile; a call is refused, whatever it is given.

/** Lists sessions, the last written first. @throws {NotAvailableError} always, in this version. */
export function listSessions(_options?: ListSessionsOptions): Promise<SDKSessionInfo[]> {
  return refused("listSessions");
}

/** What there is to show of one session; undefined if there is none. @throws {NotAvailableError} always, in this version. */
export function getSessionInfo(
  _sessionId: string,
  _options?: GetSessionInfoOptions,
): Promise<SDKSessionInfo | undefined> {
  return refused("getSessionInfo");
}

/** The conversation of a session, oldest first. @throws {NotAvailableError} always, in this version. */
export function getSessionMessages(
  _sessionId: string,
  _options?: GetSessionMessagesOptions,
): Promise<SessionMessage[]> {
  return refused("getSessionMessages");
}

/** Ids of a session's subagents. @throws {NotAvailableError} always, in this version. */
export function listSubagents(_sessionId: string, _options?: ListSubagentsOptions): Promise<string[]> {
  return refused("listSubagents");
}

/** What a subagent and its session said to each other. @throws {NotAvailableError} always, in this version. */
export function getSubagentMessages(
  _sessionId: string,
  _agentId: string,
  _options?: GetSubagentMessagesOptions,
): Promise<SessionMessage[]> {
  return refused("getSubagentMessages");
}

/** Gives a session a title. @throws {NotAvailableError} always, in this version. */
export function renameSession(_sessionId: string, _title: string, _options?: SessionMutationOptions): Promise<void> {
  return refused("renameSession");
}

/** Gives a session a tag; `null` takes it away. @throws {NotAvailableError} always, in this version. */
export function tagSession(_sessionId: string, _tag: string | null, _options?: SessionMutationOptions): Promise<void> {
  return refused("tagSession");
}

/** Puts a session away. @throws {NotAvailableError} always, in this version. */
export function archiveSession(_sessionId: string, _options?: SessionMutationOptions): Promise<void> {
  return refused("archiveSession");
}

/** Takes a session out again. @throws {NotAvailableError} always, in this version. */
export function unarchiveSession(_sessionId: string, _options?: SessionMutationOptions): Promise<void> {
  return refused("unarchiveSession");
}

/** Deletes a session and what belongs to it. @throws {NotAvailableError} always, in this version. */
export function deleteSession(_sessionId: string, _options?: SessionMutationOptions): Promise<void> {
  return refused("deleteSession");
}

/** Copies a conversation, or its beginning, into a new session. @throws {NotAvailableError} always, in this version. */
export function forkSession(_sessionId: string, _options?: ForkSessionOptions): Promise<ForkSessionResult> {
  return refused("forkSession");
}

/** Copies a session from the disk into a store. @throws {NotAvailableError} always, in this version. */
export function importSessionToStore(
  _sessionId: string,
  _store: SessionStore,
  _options?: ImportSessionToStoreOptions,
): Promise<void> {
  return refused("importSessionToStore");
}

function refused(name: string): Promise<never> {
  return Promise.reject(new NotAvailableError(name));
}
