import type { SessionStore } from "../core/options/session_store.ts";

/** Where a session is looked for. */
export interface SessionLocation {
  /**
   * The working directory the session belongs to: its own folder is looked at first, then those of the other worktrees of
   * the repository. Default: every project.
   */
  dir?: string | undefined;
  /** Look in here instead of on the disk. */
  sessionStore?: SessionStore | undefined;
}

/** Which part of a long list is wanted. */
export interface SessionPage {
  /** How many at most. Default, and for anything not above zero: all. */
  limit?: number | undefined;
  /** How many to leave out at the start. Default 0. */
  offset?: number | undefined;
}

/** What `listSessions` takes. */
export interface ListSessionsOptions extends SessionLocation, SessionPage {
  /** Sessions of the repository's other worktrees as well. Default true; of use with `dir` alone. */
  includeWorktrees?: boolean | undefined;
  /** Sessions that a program started, too. Default true. */
  includeProgrammatic?: boolean | undefined;
}

/** What `getSessionInfo` takes. */
export interface GetSessionInfoOptions extends SessionLocation {}

/** What `getSessionMessages` takes. */
export interface GetSessionMessagesOptions extends SessionLocation, SessionPage {
  /** Records of the kind `system` as well. Default false. */
  includeSystemMessages?: boolean | undefined;
}

/** What `listSubagents` takes. */
export interface ListSubagentsOptions extends SessionLocation {}

/** What `getSubagentMessages` takes. */
export interface GetSubagentMessagesOptions extends SessionLocation, SessionPage {}

/** What functions that change a session take. */
export interface SessionMutationOptions extends SessionLocation {}

/** What `forkSession` takes. */
export interface ForkSessionOptions extends SessionLocation {
  /** Uuid of the last message to take over. Default: all. */
  upToMessageId?: string | undefined;
  /** Title of the copy. Default: that of the source with ` (fork)` behind it. */
  title?: string | undefined;
}

/** What `forkSession` gives back. */
export interface ForkSessionResult {
  /** The new session. */
  sessionId: string;
}

/** What `importSessionToStore` takes. */
export interface ImportSessionToStoreOptions {
  /** The working directory the session belongs to. Default: every project is looked at. */
  dir?: string | undefined;
  /** The transcripts of its subagents as well. Default true. */
  includeSubagents?: boolean | undefined;
  /** Entries in one `append`. Default 500; a batch ends earlier at 1 MiB. */
  batchSize?: number | undefined;
}

/** What there is to show of a session. A field is absent where nothing is known. */
export interface SDKSessionInfo {
  /** The session, as `resume` takes it. */
  sessionId: string;
  /** One line for a list: its title, else its last prompt, else its first. */
  summary: string;
  /** When it was last written, in milliseconds since 1970. */
  lastModified: number;
  /** Bytes of its transcript. */
  fileSize?: number | undefined;
  /** The title it was given, by a person before one made up. */
  customTitle?: string | undefined;
  /** The first prompt, shortened. */
  firstPrompt?: string | undefined;
  /** The branch at its end. */
  gitBranch?: string | undefined;
  /** Where it ran. */
  cwd?: string | undefined;
  /** The tag it was given. */
  tag?: string | undefined;
  /** When it began, in milliseconds since 1970. */
  createdAt?: number | undefined;
  /** Put away; absent if it never was. */
  archived?: boolean | undefined;
}

/** One message of a stored conversation. */
export interface SessionMessage {
  /** Who said it. */
  type: "user" | "assistant" | "system";
  /** Names it. */
  uuid: string;
  /** Its session. */
  session_id: string;
  /** As the API has it: role and content. */
  message: unknown;
  /** The call that started the subagent which said it; null in the main conversation. */
  parent_tool_use_id: string | null;
  /** The agent that started that subagent, if that was one as well. */
  parent_agent_id: string | null;
}
