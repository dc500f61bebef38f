import type { Clock } from "../clock.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import type { Limits, Timeouts } from "../limits.ts";
import type { CustomTransport, StreamTransport } from "./custom_transport.ts";
import type { OnQuestion } from "./dialogs.ts";

/** What Tether adds to the options of its peers. An unknown name in here is an error. */
export interface TetherOptions {
  /** Where the CLI keeps settings, credentials and transcripts: its `CLAUDE_CONFIG_DIR`. Wins over `env`. */
  configDir?: string | undefined;
  /** Variables laid over the environment, whether that is `env` or the host's. `undefined` takes one away. */
  extraEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** Talks to a CLI that is already there. Nothing is started: options that only a start can carry have no effect, and a warning says so. */
  transport?: CustomTransport | undefined;
  /**
   * Puts something between the query and its CLI, that of `transport` or the one that was started: what it returns is used
   * instead. For what has to see or change every byte (the recorder of `./testing` is one). It must keep the transport's
   * rules; what it throws fails the start, and the CLI is ended. Unstable, as the transport is.
   */
  wrapTransport?: ((transport: StreamTransport) => StreamTransport | PromiseLike<StreamTransport>) | undefined;
  /** Sizes. */
  limits?: Limits | undefined;
  /** Deadlines and patience. */
  timeouts?: Timeouts | undefined;
  /**
   * The clock of every deadline: of control requests, hooks, tools, permissions, of closing and of its quiet and ceiling. For
   * tests (`virtualClock()` of `./testing`); default the machine's own. What waits for the system itself (a pipe to run dry, a
   * process group to end) stays on that one.
   */
  clock?: Clock | undefined;
  /** Told what happens beside the messages: skipped lines, stalls, warnings about options. Its faults end nothing. */
  onDiagnostic?: DiagnosticListener | undefined;
  /**
   * Answers the model's questions. Alone it opens the permission channel, and whatever else is asked there is denied;
   * beside `canUseTool` it takes the questions and leaves the rest.
   */
  onQuestion?: OnQuestion | undefined;
  /** Every tool call asks `canUseTool`, whatever allow rules and the mode say. */
  gateAll?: boolean | undefined;
  /**
   * The session gets a config directory of its own, seeded from the one it would have used (login without its refresh token,
   * settings without plugins, MCP servers, memory, agents, skills, commands, output styles, rules) and removed with all that is
   * in it, transcripts included, when the CLI is gone or the host is killed. What cannot be copied is a diagnostic. Not with
   * `configDir`, `transport`, `resume`, `continue` or `user`.
   */
  isolateConfig?: boolean | undefined;
}
