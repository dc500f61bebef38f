import { type Deferred, deferred } from "../core/deferred.ts";
import { CLIConnectionError, OptionError } from "../core/errors/mod.ts";
import type { JsonObject } from "../core/json.ts";
import { pathRules } from "../core/paths.ts";
import type { Runtime } from "../core/runtime.ts";
import { checkClaim, checkSpare, type ClaimOptions, sendClaim, type SpareClaim } from "./claim.ts";
import { type Host, Launch } from "./launch.ts";
import type { Prompt } from "./prompt_source.ts";
import { RunningQuery } from "./query.ts";
import type { Query } from "./query_interface.ts";
import { checkStartup, type StartupParams, whenInitialized } from "./startup.ts";

/** What {@linkcode SpareProcess.claim} is given. */
export interface ClaimParams {
  /** As for `query()`. */
  readonly prompt: Prompt;
  /** The folder, and what else only the session knows. */
  readonly options: ClaimOptions;
}

/** A CLI that has started and waits for a folder and a prompt. It serves one query. */
export interface SpareProcess {
  /** Settles with what the CLI said to the claim. Rejects if it refused, or ended before it was claimed. Need not be awaited. */
  readonly claimed: Promise<SpareClaim>;
  /** Settles when the process is gone, however it went. Never rejects. */
  readonly exited: Promise<void>;
  /**
   * Makes the spare a session in a folder and begins the conversation. The prompt is sent when the CLI has agreed to everything. If
   * it refuses, it is ended, and the loop rejects with the `ControlRequestError`; its `errorCode` is `cwd_not_found`,
   * `not_a_spare`, `settings_not_applied`, `permission_mode_not_claimable` or `env_key_not_claimable` (CLI 2.1.332).
   *
   * Callbacks, hooks and servers of this program are those of `prewarm()`. SessionStart hooks of the folder run at the first turn.
   *
   * @throws {OptionError} for a prompt that is nothing to read and for options that cannot be claimed with. The spare can be
   * claimed all the same.
   * @throws {CLIConnectionError} `spare_claimed`, `spare_closed` or `spare_exited` if it can serve no query any more.
   */
  claim(params: ClaimParams): Query;
  /** Ends it, claimed or not; settles when it is gone. Never rejects. */
  close(): Promise<void>;
  /** The same as {@linkcode SpareProcess.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a CLI that belongs to no folder yet. Settles when it is ready; rejects with why it is not, when the process is gone. */
export async function startSpare(params: StartupParams, host: Host): Promise<SpareProcess> {
  const { options, initializeTimeoutMs } = checkStartup(params);
  const launch = new Launch(options, host, { waits: "unclaimed", initializeTimeoutMs });
  checkSpare(options);
  // With a transport of the user's the CLI is elsewhere: this host's folder means nothing there.
  const runtime = options.tether?.transport === undefined ? await host.runtime() : undefined;
  const gate = deferred<void>();
  const running = new RunningQuery(launch, { held: true, gate: gate.promise });
  await whenInitialized(running);
  return new Spare(running, launch, gate, runtime);
}

class Spare implements SpareProcess {
  readonly exited: Promise<void>;
  readonly #running: RunningQuery;
  readonly #launch: Launch;
  readonly #gate: Deferred<void>;
  readonly #runtime: Runtime | undefined;
  readonly #claimed = deferred<SpareClaim>();
  /** Why it cannot be claimed any more. */
  #spent: (() => CLIConnectionError) | undefined;

  constructor(running: RunningQuery, launch: Launch, gate: Deferred<void>, runtime: Runtime | undefined) {
    this.#running = running;
    this.#launch = launch;
    this.#gate = gate;
    this.#runtime = runtime;
    this.#claimed.promise.catch(() => {});
    this.exited = this.#watch();
  }

  get claimed(): Promise<SpareClaim> {
    return this.#claimed.promise;
  }

  claim(params: ClaimParams): Query {
    if (this.#spent !== undefined) throw this.#spent();
    if (typeof params !== "object" || params === null) throw new OptionError("prompt", "must be given, in an object");
    const { prompt, options } = params;
    checkClaim(options);
    const cwd = this.#absolute(options.cwd);
    this.#running.feed(prompt);
    this.#spent = () => spent("spare_claimed", "A SpareProcess serves one query");
    this.#running.release();
    void this.#claim({ ...options, cwd });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#spent ??= () => spent("spare_closed", "The spare was closed before it was claimed");
    await this.#running.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #claim(options: ClaimOptions): Promise<void> {
    const { engine, facts } = this.#running.life;
    // It was initialized, so there is one.
    if (engine === undefined) return;
    const unclaimed = facts.initialized;
    facts.awaitAnother();
    try {
      const { claim, initialize } = await sendClaim(engine, options, this.#launch.sdkMcpServers);
      facts.answered(initialize ?? await unclaimed as unknown as JsonObject);
      facts.sessionIs(claim.sessionId);
      this.#claimed.resolve(claim);
      this.#gate.resolve();
    } catch (error) {
      this.#claimed.reject(error);
      // It may have changed to the folder and not to the model: nobody asked for such a session.
      await engine.fail(error);
    }
  }

  async #watch(): Promise<void> {
    const { error } = await this.#running.life.finished;
    this.#spent ??= () => spent("spare_exited", "The spare has ended before it was claimed", error?.value);
    this.#claimed.reject(this.#spent());
  }

  #absolute(cwd: string): string {
    const { isAbsolute, join } = pathRules(this.#runtime?.platform ?? "linux");
    if (isAbsolute(cwd)) return cwd;
    if (this.#runtime === undefined) throw new OptionError("cwd", "must be a full path with tether.transport");
    return join(this.#runtime.cwd(), cwd);
  }
}

function spent(code: string, message: string, cause?: unknown): CLIConnectionError {
  return new CLIConnectionError(message, { code, cause });
}
