import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { type Check, checkFields, isFlag, isMilliseconds, isPositiveCount, must } from "../checks.ts";
import { cliEnvironment, type CliEnvironmentOptions } from "../cli_environment.ts";
import { ScriptError } from "../script_error.ts";
import { type Exchange, type LoopbackServer, startLoopbackServer } from "./loopback_server.ts";
import { ModelRequest } from "./model_request.ts";
import { type ModelScript, ScriptCursor, type ScriptLines } from "./model_script.ts";
import { findFault } from "./request_check.ts";
import { StallGate } from "./stall_gate.ts";
import { playError, playTurn } from "./turn_player.ts";
import { Watch } from "../watch.ts";

/** Settings of {@linkcode scriptedModel}. */
export interface ScriptedModelOptions {
  /** `close()` rejects with a {@linkcode ScriptError} if there were problems or lines were left. Default false. */
  readonly strict?: boolean;
  /** What counting tokens answers. Default 100. */
  readonly countTokens?: number | ((request: ModelRequest) => number);
}

const isTokens = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const OPTIONS: Readonly<Record<keyof ScriptedModelOptions, Check>> = {
  strict: isFlag,
  countTokens: must(
    "a whole number of at least 0, or a function",
    (value) => typeof value === "function" || isTokens(value),
  ),
};

/** A CLI that starts on a busy machine takes its time. */
const PATIENCE_MS = 30_000;

/** How long to wait for something. */
export interface WaitOptions {
  /** Milliseconds; past it the wait rejects with a {@linkcode ScriptError}. Default 30 s. */
  readonly timeoutMs?: number;
}

/** A Messages API on 127.0.0.1 that plays a script. */
export interface ScriptedModel {
  /** What `ANTHROPIC_BASE_URL` has to be. */
  readonly url: string;
  /** The requests of conversations, in the order they came; branches included. */
  readonly requests: readonly ModelRequest[];
  /** Everything else the CLI asked: titles, token counts, other paths. */
  readonly sideRequests: readonly ModelRequest[];
  /**
   * What went wrong so far, one sentence each: a request past the end of the script, one that is not what its line expects,
   * a malformed one, a function of the script that threw or returned no turn.
   */
  readonly problems: readonly string[];
  /** How many answers are silent right now because the script stalls them. */
  readonly stalled: number;
  /** The complete environment for a CLI that talks to this model; `home` is a folder of its own. See {@linkcode cliEnvironment}. */
  env(home: string, options?: Omit<CliEnvironmentOptions, "url" | "home">): Record<string, string>;
  /** Lets every stalled answer go on; returns how many there were. */
  release(): number;
  /** Settles with the `count`-th main request once it has come. */
  waitForRequest(count: number, options?: WaitOptions): Promise<ModelRequest>;
  /** Settles when at least one answer is stalled. */
  waitForStall(options?: WaitOptions): Promise<void>;
  /** Checks that the script was played to its end and nothing went wrong. @throws {ScriptError} */
  verify(): void;
  /** Stops at once: open answers are cut off. Idempotent. With `strict`, rejects afterwards if {@linkcode verify} would. */
  close(): Promise<void>;
  /** The same as {@linkcode close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a Messages API on 127.0.0.1 (a free port) that answers with the lines of a script, so that the real CLI runs with
 * no account and no network. Each request takes one line, a retried one too. Past the end of the script, or where a request
 * is not what its line expects, the CLI gets an error that says so, and {@linkcode ScriptedModel.problems} keeps it: nothing
 * hangs.
 *
 * Works on Deno (`--allow-net=127.0.0.1`), Bun and Node.
 *
 * @throws {OptionError} before anything is started, for a script that cannot be played or options that are not known.
 *
 * @example A tool call, and an answer made from its result
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { scriptedModel, turn } from "@tether/agent/testing";
 *
 * const model = await scriptedModel([
 *   turn.toolUse("mcp__calc__add", { a: 1, b: 2 }),
 *   (request) => turn.text(`The sum is ${request.lastToolResult()?.text}`),
 * ]);
 * const env = model.env(await mkdtemp(join(tmpdir(), "my-test-")));
 * // … run a query with `env`, then:
 * await model.close();
 * ```
 */
export async function scriptedModel(
  script: ScriptLines | ModelScript,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  checkFields(options, "options", OPTIONS);
  const model = new PlayedModel(script, options);
  await model.start();
  return model;
}

class PlayedModel implements ScriptedModel {
  readonly requests: ModelRequest[] = [];
  readonly sideRequests: ModelRequest[] = [];
  readonly problems: string[] = [];
  readonly #cursor: ScriptCursor;
  readonly #options: ScriptedModelOptions;
  readonly #watch: Watch = new Watch();
  readonly #gate: StallGate = new StallGate(() => this.#watch.changed());
  #server: LoopbackServer | undefined;
  #seen = 0;
  #toolUses = 0;

  constructor(script: ScriptLines | ModelScript, options: ScriptedModelOptions) {
    this.#cursor = new ScriptCursor(script);
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#server = await startLoopbackServer((exchange) => this.#serve(exchange));
  }

  get url(): string {
    return this.#server?.url ?? "";
  }

  get stalled(): number {
    return this.#gate.waiting;
  }

  env(home: string, options: Omit<CliEnvironmentOptions, "url" | "home"> = {}): Record<string, string> {
    return cliEnvironment({ ...options, url: this.url, home });
  }

  release(): number {
    return this.#gate.release();
  }

  async waitForRequest(count: number, options: WaitOptions = {}): Promise<ModelRequest> {
    isPositiveCount(count, "count");
    checkWait(options);
    return await this.#watch.until(
      () => this.requests[count - 1],
      options.timeoutMs ?? PATIENCE_MS,
      () =>
        new ScriptError("scriptedModel", [
          `waited for request ${count}, but ${this.requests.length} came`,
          ...this.problems,
        ]),
    );
  }

  async waitForStall(options: WaitOptions = {}): Promise<void> {
    checkWait(options);
    await this.#watch.until(
      () => this.stalled > 0 ? true : undefined,
      options.timeoutMs ?? PATIENCE_MS,
      () =>
        new ScriptError("scriptedModel", [
          `waited for a stalled answer, but none is (${this.requests.length} requests came)`,
          ...this.problems,
        ]),
    );
  }

  verify(): void {
    const problems = [...this.problems, ...this.#cursor.unplayed()];
    if (problems.length > 0) throw new ScriptError("scriptedModel", problems);
  }

  async close(): Promise<void> {
    this.#watch.end();
    await this.#server?.close();
    if (this.#options.strict === true) this.verify();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serve(exchange: Exchange): Promise<void> {
    const index = this.#seen++;
    const body = parseBody(exchange.body);
    const request = new ModelRequest({
      index,
      method: exchange.method,
      path: exchange.path,
      headers: exchange.headers,
      body: body ?? {},
    });
    (request.kind === "main" ? this.requests : this.sideRequests).push(request);
    this.#watch.changed();
    const requestId = `req_scripted_${index + 1}`;
    if (request.kind === "other") {
      // HEAD /api/hello is the CLI's look whether anybody is there.
      if (request.path === "/api/hello") return playError(exchange, 200, "hello", "", requestId);
      return playError(exchange, 404, "not_found_error", "Not part of the scripted model", requestId);
    }
    const fault = body === undefined ? "the body is no JSON object" : findFault(request);
    if (fault !== undefined) return await this.#refuse(exchange, request, 400, fault, requestId);
    if (request.kind === "count_tokens") return await this.#count(exchange, request, requestId);
    await this.#play(exchange, request, requestId);
  }

  async #count(exchange: Exchange, request: ModelRequest, requestId: string): Promise<void> {
    const { countTokens = 100 } = this.#options;
    let tokens: unknown;
    try {
      tokens = typeof countTokens === "function" ? countTokens(request) : countTokens;
    } catch (cause) {
      return await this.#refuse(exchange, request, SCRIPT_STATUS, `countTokens threw: ${textOf(cause)}`, requestId);
    }
    if (!isTokens(tokens)) {
      return await this.#refuse(
        exchange,
        request,
        SCRIPT_STATUS,
        "countTokens returned no number of tokens",
        requestId,
      );
    }
    exchange.head(200, { "content-type": "application/json", "request-id": requestId });
    exchange.end(JSON.stringify({ input_tokens: tokens as number }));
  }

  async #play(exchange: Exchange, request: ModelRequest, requestId: string): Promise<void> {
    let place;
    try {
      place = await this.#cursor.take(request);
    } catch (cause) {
      const problem = cause instanceof ScriptError ? cause.message : `a function of the script threw: ${textOf(cause)}`;
      return await this.#refuse(exchange, request, SCRIPT_STATUS, problem, requestId);
    }
    if (place.turn === undefined) {
      const asked = `line ${place.line + 1} of "${place.branch}" was asked for, and the script ends before it`;
      return await this.#refuse(exchange, request, SCRIPT_STATUS, asked, requestId);
    }
    await playTurn(place.turn, {
      exchange,
      stream: request.stream,
      requestId,
      stall: (ms) => this.#gate.wait(exchange.gone, ms),
      names: {
        messageId: `msg_scripted_${request.index + 1}`,
        model: request.model,
        nextToolUseId: () => `toolu_scripted_${++this.#toolUses}`,
      },
    });
  }

  #refuse(
    exchange: Exchange,
    request: ModelRequest,
    status: number,
    problem: string,
    requestId: string,
  ): Promise<void> {
    this.problems.push(`${request.describe()}: ${problem}`);
    this.#watch.changed();
    const headers = { "x-should-retry": "false" };
    return playError(exchange, status, "invalid_request_error", `scriptedModel: ${problem}`, requestId, headers);
  }
}

/**
 * What a fault of the script is answered with. CLI 2.1.332 tries most client errors again in other forms (a 400 six
 * times), which would use up lines; this one it takes as final, and shows the text.
 */
const SCRIPT_STATUS = 418;

function checkWait(options: WaitOptions): void {
  checkFields(options, "options", {
    timeoutMs: (value, path) => value === Infinity ? undefined : isMilliseconds(value, path),
  });
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function parseBody(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value as JsonObject : undefined;
  } catch {
    return undefined;
  }
}
