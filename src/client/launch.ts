import { type Clock, systemClock } from "../core/clock.ts";
import { type DiagnosticListener, guardedListener } from "../core/diagnostics.ts";
import { AbortError } from "../core/errors/mod.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { type ResolvedLimits, type ResolvedTimeouts, resolveLimits, resolveTimeouts } from "../core/limits.ts";
import type { Options } from "../core/options/mod.ts";
import { checkWrapped } from "../core/options/custom_transport.ts";
import { snapshotOptions } from "../core/options/snapshot.ts";
import { validateOptions } from "../core/options/validate.ts";
import { optionWarnings } from "../core/options/warnings.ts";
import type { Runtime } from "../core/runtime.ts";
import { closeUnused, toStreamTransport } from "../transport/method_transport.ts";
import type { Transport } from "../transport/transport.ts";
import { checkVersion } from "./cli_version.ts";
import { Engine } from "./engine.ts";
import { createHandlers, type Handlers, type InitializeParts } from "./handlers/handlers.ts";
import { awaitsInitialize, buildInitialize, checkInitialize, checkInitializeAnswer } from "./initialize.ts";
import type { LaunchedCli } from "./launch_cli.ts";
import { startTracing } from "./tracing/open_telemetry_tracing.ts";
import { NO_TRACING, type Tracing } from "./tracing/tracing.ts";

/** What a query takes from the place it runs in. */
export interface Host {
  /** The runtime, asked for when a process has to be started. Rejects where none can be. */
  runtime(): Promise<Runtime>;
}

/** How a CLI is launched that is to wait. */
export interface WarmStart {
  /** `ready`: for its prompt. `unclaimed`: for a folder and a prompt. */
  readonly waits: "ready" | "unclaimed";
  /** Instead of `tether.timeouts.initializeMs`, and with the time of hooks counted. */
  readonly initializeTimeoutMs?: number | undefined;
}

/** What a start is told. */
export interface StartOptions {
  /** The query has been stopped: nothing is to be started any more. */
  stopped(): boolean;
  /** Sees frames that say something of the session, before the consumer does. */
  onFrame(frame: JsonObject): void;
}

/** Everything between options and a CLI that has been asked to initialize. One for each query. */
export class Launch {
  readonly options: Options;
  readonly handlers: Handlers;
  readonly #host: Host;
  readonly #limits: ResolvedLimits;
  readonly #timeouts: ResolvedTimeouts;
  readonly #clock: Clock;
  readonly #warm: WarmStart | undefined;
  readonly #onDiagnostic: DiagnosticListener;
  #tracing: Tracing = NO_TRACING;
  #engine: Engine | undefined;
  #parts: InitializeParts = {};
  #versionChecked: Promise<void> | undefined;
  #cli: LaunchedCli | undefined;

  /** @throws {OptionError} for options that cannot work. */
  constructor(given: Options, host: Host, warm?: WarmStart) {
    const options = snapshotOptions(given);
    validateOptions(options);
    checkInitialize(options);
    this.options = options;
    this.#host = host;
    this.#warm = warm;
    this.#onDiagnostic = guardedListener(options.tether?.onDiagnostic);
    this.#limits = resolveLimits(options.tether?.limits);
    this.#timeouts = resolveTimeouts(options.tether?.timeouts);
    this.#clock = options.tether?.clock ?? systemClock;
    for (const warning of optionWarnings(options)) this.#onDiagnostic(warning);
    this.handlers = createHandlers(options, {
      onDiagnostic: this.#onDiagnostic,
      timeouts: this.#timeouts,
      clock: this.#clock,
      sendControl: (subtype, fields) => this.#live().request(subtype, fields),
      respond: (requestId, payload) => this.#live().respond(requestId, payload),
      interrupts: () => this.#engine?.interruptAsked(),
      tracing: () => this.#tracing,
    });
  }

  /** Traces the query from its start on. */
  get tracing(): Tracing {
    return this.#tracing;
  }

  /** Names of the servers of this program that the CLI was told of. */
  get sdkMcpServers(): string[] {
    return this.#parts.sdkMcpServers ?? [];
  }

  /** The prompt must wait until the CLI has confirmed what it was asked to initialize. */
  get holdsPrompt(): boolean {
    return awaitsInitialize(this.options, this.#cli?.delivered);
  }

  /** Whatever is asked of the CLI must wait as well: `initialize` carries what it would have been launched with. */
  get holdsRequests(): boolean {
    return Object.keys(this.#cli?.delivered ?? {}).length > 0;
  }

  /**
   * Starts the CLI, or takes the transport that was given. Undefined if the query was stopped meanwhile: nothing is left
   * running then. `stopped` is asked right before the process is started; `onFrame` sees what a session steers by. The trace
   * that is active when this is called is the one that the query belongs to.
   */
  async start({ stopped, onFrame }: StartOptions): Promise<Engine | undefined> {
    this.#tracing = startTracing(this.options, { onDiagnostic: this.#onDiagnostic });
    const fields = this.handlers.initializeFields();
    // Its failure is told where it is awaited, when there is a process to end for it.
    fields.catch(() => {});
    if (this.#tracing.loading !== undefined) await this.#tracing.loading;
    if (stopped()) {
      // One that was handed over is ours to close, used or not.
      const unused = this.options.tether?.transport;
      if (unused !== undefined) await closeUnused(unused, { clock: this.#clock, timeouts: this.#timeouts });
      return undefined;
    }
    const inner = await this.#transport(stopped);
    if (inner === undefined) return undefined;
    const transport = await this.#wrapped(inner);
    const engine = new Engine({
      transport,
      // One of methods is bounded by what makes it a pair of streams.
      foreign: this.options.tether?.transport === transport,
      limits: this.#limits,
      timeouts: this.#timeouts,
      clock: this.#clock,
      onDiagnostic: this.#onDiagnostic,
      onRequest: (request) => this.handlers.handle(request),
      onFrame: (frame) => {
        this.#tracing.frame(frame);
        onFrame(frame);
      },
    });
    this.#engine = engine;
    engine.start();
    try {
      this.#parts = await fields;
    } catch (error) {
      await engine.fail(error);
      // It may have been ending already.
      await engine.outcome;
      throw error;
    }
    return engine;
  }

  /** Asks the CLI to initialize; the request is on its way when this returns. Resolves to its answer. */
  initialize(engine: Engine): Promise<JsonObject> {
    const request = buildInitialize(this.options, { ...this.#parts, delivered: this.#cli?.delivered });
    const timeoutMs = this.#warm?.initializeTimeoutMs;
    const deadline = timeoutMs === undefined ? {} : { timeoutMs, hookAllowanceMs: 0 };
    return this.#confirmed(engine.request("initialize", request, deadline));
  }

  /**
   * Asks the CLI to initialize once more: the same again, without what only a first time carries. `pending` are the
   * questions it still waits for, as control requests.
   */
  async reinitialize(engine: Engine): Promise<{ readonly payload: JsonObject; readonly pending: JsonObject[] }> {
    const request = buildInitialize(this.options, await this.handlers.initializeFields());
    const { payload = {}, envelope } = await engine.requestWithEnvelope("initialize", request);
    for (const warning of checkInitializeAnswer(this.options, {}, payload)) this.#onDiagnostic(warning);
    const pending = PENDING.flatMap((name) => Array.isArray(envelope[name]) ? envelope[name].filter(isJsonObject) : []);
    return { payload, pending };
  }

  /** Ends what the callbacks still do, and takes away what was written for the CLI. Never rejects. */
  async close(): Promise<void> {
    await this.handlers.close();
    await this.#versionChecked;
    await this.#cli?.clear();
  }

  async #transport(stopped: () => boolean): Promise<Transport | undefined> {
    const given = this.options.tether?.transport;
    if (given !== undefined) return toStreamTransport(given, { clock: this.#clock, timeouts: this.#timeouts });
    // Only where a process is started: a place that has none need not hold what starts them.
    const [{ launchCli }, runtime] = await Promise.all([import("./launch_cli.ts"), this.#host.runtime()]);
    this.#cli = await launchCli(this.options, {
      runtime,
      limits: this.#limits,
      timeouts: this.#timeouts,
      clock: this.#clock,
      onDiagnostic: this.#onDiagnostic,
      waits: this.#warm?.waits,
      trace: this.#tracing.childVariables(),
      stopped,
    });
    return this.#cli?.transport;
  }

  async #wrapped(transport: Transport): Promise<Transport> {
    const wrap = this.options.tether?.wrapTransport;
    if (wrap === undefined) return transport;
    try {
      const wrapped = await wrap(transport);
      checkWrapped(wrapped);
      return wrapped;
    } catch (error) {
      try {
        await transport.close({ graceMs: 0 });
      } catch {
        // What went wrong first is what is told.
      }
      throw error;
    }
  }

  async #confirmed(request: Promise<JsonObject | undefined>): Promise<JsonObject> {
    const answer = await request ?? {};
    this.#versionChecked = this.#checkVersion(answer.claude_code_version);
    const delivered = this.#cli?.delivered ?? {};
    for (const warning of checkInitializeAnswer(this.options, delivered, answer)) this.#onDiagnostic(warning);
    return answer;
  }

  /** A CLI that does not tell its version is asked for it beside the query. */
  async #checkVersion(told: JsonValue | undefined): Promise<void> {
    const skip = this.#cli?.env.CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK;
    const version = told ?? (skip === undefined || skip === "" ? await this.#cli?.version() : undefined);
    checkVersion(version, this.#onDiagnostic);
  }

  #live(): Engine {
    if (this.#engine === undefined) throw new AbortError("The query has not started");
    return this.#engine;
  }
}

/** Where, beside its answer to `initialize`, the CLI lists the questions it still waits for. */
const PENDING = [
  "pending_permission_requests",
  "pending_user_dialog_requests",
  "pending_elicitation_requests",
] as const;
