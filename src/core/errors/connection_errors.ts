import { ClaudeSDKError } from "./claude_sdk_error.ts";

/** The connection to the CLI could not be made, or broke. `code` says which. */
export class CLIConnectionError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name: string = "CLIConnectionError";

  /** Made by the library; see the class. */
  constructor(
    message: string,
    options?: ErrorOptions & { readonly code?: string },
  ) {
    super(options?.code ?? "connection_failed", message, options);
  }
}

/** No CLI was found. `tried` lists every place that was looked at. */
export class CLINotFoundError extends CLIConnectionError {
  /** The name of the class. */
  override readonly name = "CLINotFoundError";
  /** Every place that was looked at, in order. */
  readonly tried: readonly string[];

  /** Made by the library; see the class. */
  constructor(message: string, tried: readonly string[] = [], options?: ErrorOptions) {
    super(message, { ...options, code: "cli_not_found" });
    this.tried = tried;
  }
}

/** One frame passed `maxMessageBytes`. The query ends: what follows in the same line cannot be trusted. */
export class MessageTooLargeError extends CLIConnectionError {
  /** The name of the class. */
  override readonly name = "MessageTooLargeError";
  /** Bytes of the frame seen when reading stopped. */
  readonly bytesSeen: number;
  /** The limit in force. */
  readonly limitBytes: number;
  /** The option that raises it. */
  readonly option = "tether.limits.maxMessageBytes";

  /** Made by the library; see the class. */
  constructor(bytesSeen: number, limitBytes: number) {
    super(
      `A message of the CLI passed ${limitBytes} bytes (${bytesSeen} seen); raise tether.limits.maxMessageBytes to take it`,
      { code: "message_too_large" },
    );
    this.bytesSeen = bytesSeen;
    this.limitBytes = limitBytes;
  }
}

/** Output ended inside a record: the CLI was cut off while writing. */
export class CLIJSONDecodeError extends ClaudeSDKError {
  /** The name of the class. */
  override readonly name = "CLIJSONDecodeError";
  /** Bytes of the unfinished record. Its text is not kept: it may hold anything. */
  readonly bytes: number;

  /** Made by the library; see the class. */
  constructor(bytes: number, options?: ErrorOptions) {
    super("truncated_output", `The output of the CLI ended inside a record (${bytes} bytes of it arrived)`, options);
    this.bytes = bytes;
  }
}
