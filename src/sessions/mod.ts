/** The conversations that the CLI keeps on disk, and stores for them. */
export { foldSessionSummary } from "./fold_session_summary.ts";
export { InMemorySessionStore } from "./in_memory_session_store.ts";
export * from "./session_functions.ts";
export type * from "./session_types.ts";
