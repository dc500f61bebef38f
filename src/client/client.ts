import { CLIConnectionError } from "../core/errors/mod.ts";
import type { SDKMessage, SDKUserMessage } from "../core/messages/mod.ts";
import type { Options } from "../core/options/mod.ts";
import { snapshotOptions } from "../core/options/snapshot.ts";
import { validateOptions } from "../core/options/validate.ts";
import { SDKClientRequests } from "./client_requests.ts";
import { Inbox } from "./inbox.ts";
import { type Host, Launch } from "./launch.ts";
import type { Prompt } from "./prompt_source.ts";
import { RunningQuery } from "./query.ts";

/** One connection of a client. */
interface Session {
  readonly running: RunningQuery;
  readonly inbox: Inbox;
}

/** The connection a client has now, if it has one. */
class Seat {
  session: Session | undefined;

  /** @throws {CLIConnectionError} `not_connected` */
  get taken(): Session {
    if (this.session !== undefined) return this.session;
    throw notConnected();
  }
}

/** The client class of a given place; the entry points bind the place. */
export class SDKClient extends SDKClientRequests {
  readonly #options: Options;
  readonly #host: Host;
  readonly #seat: Seat;

  /** Starts nothing. @throws {OptionError} for options that cannot work. */
  constructor(options: Options, host: Host) {
    const seat = new Seat();
    super(() => seat.taken.running);
    // Copied here: what is checked now is what every connection is made with.
    this.#options = snapshotOptions(options);
    validateOptions(this.#options);
    this.#host = host;
    this.#seat = seat;
  }

  /**
   * Starts the CLI and settles when it is ready. Rejects with why it is not, when it is gone; then, and after
   * {@linkcode SDKClient.disconnect}, the client may connect again, to a new session.
   *
   * The session stays open until it is disconnected, whatever `prompt` does. A prompt over time is sent while you go on; one
   * that fails ends the session with a `PromptError` once the running turn is over.
   *
   * @throws {CLIConnectionError} `already_connected` while there is a session. It is left alone.
   */
  async connect(prompt?: Prompt): Promise<void> {
    if (this.#seat.session !== undefined) {
      throw new CLIConnectionError("This client has a session: disconnect() it first", { code: "already_connected" });
    }
    const launch = new Launch(this.#options, this.#host);
    const running = new RunningQuery(launch, prompt === undefined ? { held: true } : { held: true, prompt });
    const session = { running, inbox: new Inbox(() => running.next()) };
    this.#seat.session = session;
    try {
      await running.initializationResult();
    } catch (error) {
      await this.#leave(session);
      throw error;
    }
  }

  /**
   * Sends a text, or user messages over time; settles when the CLI has taken all of it. `sessionId` is put into messages that
   * have none; the CLI has one session, so it is for your own use. Default `default`, as in the Python SDK.
   *
   * @throws {PromptError} if a source throws or gives what is no user message; the session goes on.
   */
  async query(prompt: Prompt, sessionId: string = "default"): Promise<void> {
    await this.#seat.taken.running.send(prompt, sessionId);
  }

  /** Sends one whole user message: with content blocks, a `uuid` of yours, a priority. Otherwise as {@linkcode SDKClient.query}. */
  async sendMessage(message: SDKUserMessage): Promise<void> {
    await this.query([message]);
  }

  /**
   * The messages, until the session is over. Leaving the loop leaves the session alone, and what is not taken waits for the
   * next receiver. If the session ends with an error, the receiver who waits rejects with it; it is told once.
   *
   * One receiver may wait at a time: another one's wait rejects with a `ClaudeSDKError`, code `already_receiving`.
   */
  receiveMessages(): AsyncGenerator<SDKMessage, void, void> {
    return this.#receive(() => false);
  }

  /** The messages up to the next result, and that. Otherwise as {@linkcode SDKClient.receiveMessages}. */
  receiveResponse(): AsyncGenerator<SDKMessage, void, void> {
    return this.#receive((message) => message.type === "result");
  }

  /** Ends the session; settles when the CLI is gone. Never rejects; without a session it does nothing. */
  async disconnect(): Promise<void> {
    if (this.#seat.session !== undefined) await this.#leave(this.#seat.session);
  }

  /** The same as {@linkcode SDKClient.disconnect}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.disconnect();
  }

  #receive(isLast: (message: SDKMessage) => boolean): AsyncGenerator<SDKMessage, void, void> {
    const { session } = this.#seat;
    if (session !== undefined) return session.inbox.receive(isLast);
    // As every method: told by a rejection, and so at the first message.
    return new Inbox(() => Promise.reject(notConnected())).receive(isLast);
  }

  async #leave(session: Session): Promise<void> {
    await session.running.close();
    if (this.#seat.session === session) this.#seat.session = undefined;
  }
}

function notConnected(): CLIConnectionError {
  return new CLIConnectionError("Not connected: call connect() first", { code: "not_connected" });
}
