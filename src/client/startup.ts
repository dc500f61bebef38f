import { ClaudeSDKError, OptionError } from "../core/errors/mod.ts";
import type { Options } from "../core/options/mod.ts";
import { SHAPES } from "../core/options/option_table.ts";
import { type Host, Launch, type WarmStart } from "./launch.ts";
import type { Prompt } from "./prompt_source.ts";
import { RunningQuery } from "./query.ts";
import type { Query } from "./query_interface.ts";

/** What `startup()` and `prewarm()` are given. */
export interface StartupParams {
  /** As for `query()`. */
  readonly options?: Options;
  /**
   * How long the CLI may take to be ready, in milliseconds, the time of its SessionStart and Setup hooks included. Left out:
   * `tether.timeouts.initializeMs` (60 s), and up to 600 s of hooks do not count. `Infinity`: as long as it takes.
   */
  readonly initializeTimeoutMs?: number;
}

/** A CLI that has started and waits for its prompt. It serves one query. */
export interface WarmQuery {
  /**
   * Begins the conversation: the same as `query()` with the options of `startup()`, on the process that is there. If that has
   * ended meanwhile, the loop rejects with how.
   *
   * @throws {OptionError} for a prompt that is nothing to read; another one may be given then.
   * @throws {ClaudeSDKError} `warm_query_used` the second time, and after {@linkcode WarmQuery.close}.
   */
  query(prompt: Prompt): Query;
  /** Ends a CLI that is not needed; settles when it is gone. Once there is a query that is its to close, and this does nothing. */
  close(): Promise<void>;
  /** The same as {@linkcode WarmQuery.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a CLI before there is a prompt. Settles when it is ready; rejects with why it is not, when the process is gone.
 */
export async function startWarm(params: StartupParams, host: Host): Promise<WarmQuery> {
  const { options, initializeTimeoutMs } = checkStartup(params);
  const launch = new Launch(options, host, { waits: "ready", initializeTimeoutMs });
  const running = new RunningQuery(launch, { held: true });
  await whenInitialized(running);
  let used = false;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    if (!used) closed = running.close();
    used = true;
    await closed;
  };
  return {
    query(prompt) {
      if (used) throw new ClaudeSDKError("warm_query_used", "A WarmQuery serves one query, and none once it is closed");
      running.feed(prompt);
      used = true;
      running.release();
      return running;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws {OptionError} */
export function checkStartup(params: StartupParams): { options: Options } & Pick<WarmStart, "initializeTimeoutMs"> {
  if (typeof params !== "object" || params === null) throw new OptionError("options", "must be given in an object");
  const { options = {}, initializeTimeoutMs } = params;
  if (initializeTimeoutMs !== undefined && !SHAPES.milliseconds.fits(initializeTimeoutMs)) {
    throw new OptionError("initializeTimeoutMs", `must be ${SHAPES.milliseconds.expected}`);
  }
  return { options, initializeTimeoutMs };
}

/** Waits for the CLI to be ready. Rejects with why it is not, with nothing left behind. */
export async function whenInitialized(running: RunningQuery): Promise<void> {
  try {
    await running.initializationResult();
  } catch (error) {
    await running.close();
    throw error;
  }
}
