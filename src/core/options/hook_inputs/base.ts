/** What every hook is told. */
export interface BaseHookInput {
  /** The session. */
  session_id: string;
  /** The file the transcript is in. */
  transcript_path: string;
  /** The working directory. */
  cwd: string;
  /** Names the user line being worked on; absent before the first one. */
  prompt_id?: string;
  /** The mode, on events where it matters. */
  permission_mode?: string;
  /** Set inside a subagent: its absence tells the main thread. */
  agent_id?: string;
  /** May be empty; use `agent_id`. */
  agent_type?: string;
  /** How much work answers are worth, on events about tools. */
  effort?: { level: string };
}
