import type { JsonObject } from "../core/json.ts";
import type { SDKMessage } from "../core/messages/mod.ts";
import type { Prompt } from "./prompt_source.ts";
import type { PermissionMode, PermissionResult } from "../core/options/mod.ts";

/** What an interrupt brought about. */
export interface InterruptReceipt {
  /** Uuids of lines that wait and will run next. */
  readonly still_queued?: string[];
  /** Uuids of lines that were dropped, with `cancelQueued`. */
  readonly cancelled?: string[];
}

/**
 * A running conversation: the CLI's messages in order, and what can be asked of it meanwhile.
 *
 * Leaving the loop (`break`, `return()`, a throw in its body), {@linkcode Query.close} and disposal end the CLI and
 * settle when its process is gone. An abort of `options.abortController` does the same and makes the loop reject with
 * the signal's own reason. Messages that have arrived are delivered first.
 *
 * What is asked of a query that is over rejects with an `AbortError`, or with the error it ended with.
 */
export interface Query extends AsyncGenerator<SDKMessage, void, void> {
  /**
   * The messages as a `ReadableStream`, instead of iterating: there is one consumer.
   * Cancelling it closes the query. @throws {TypeError} once iteration has begun.
   */
  readonly readable: ReadableStream<SDKMessage>;
  /**
   * Stops the running turn; its result says that it was interrupted, which is no error then. A prompt that was sent and
   * has not begun is waited for. Settles with the CLI's receipt.
   *
   * @throws {ControlTimeoutError} if no turn begins, or the CLI does not answer, within `tether.timeouts.controlMs`.
   */
  interrupt(): Promise<InterruptReceipt | undefined>;
  /**
   * Sends further user messages, or one text. Settles when the CLI has taken each of them. Meanwhile input stays open,
   * also if the prompt of the query has ended; several may run at once.
   *
   * Once the prompt has ended and all work is done, the CLI's input ends: what comes later is refused. A prompt that does
   * not end keeps a conversation open.
   *
   * @throws {PromptError} with the source's own error as cause if it throws, or gives what is no user message. The query
   * goes on.
   * @throws {CLIConnectionError} with the code `input_ended` if it is too late. Nothing was sent then.
   */
  streamInput(prompt: Prompt): Promise<void>;
  /** Switches the permission mode. @throws {ControlRequestError} with `errorCode` `invalid_mode` or `bypass_not_launched`. */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /** Switches the model; without one, back to the default. @throws {ControlRequestError} if a hook forbids it. */
  setModel(model?: string): Promise<void>;
  /** What the CLI answered to `initialize`: commands, models, account, version. Rejects if it could not start. */
  initializationResult(): Promise<JsonObject>;
  /**
   * Answers a permission question that `canUseTool` left open by returning `null`. False if it is no longer open.
   * A result that makes no sense is answered as a deny.
   */
  answerPermission(requestId: string, result: PermissionResult): Promise<boolean>;
  /** Ends the CLI; settles when it is gone. Never rejects; may be called at any time and more than once. */
  close(): Promise<void>;
  /** The same as {@linkcode Query.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}
