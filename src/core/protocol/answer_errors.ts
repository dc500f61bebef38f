/** What a handler of inbound control requests may return or throw to shape the answer. */

/** Returned by a handler that leaves its request open; the answer, if any, comes later through `respond()`. */
export const NO_ANSWER: unique symbol = Symbol("no answer");

/** Returned by a handler whose request is never to be answered: it is forgotten, and a repeat of it runs nothing. */
export const NEVER_ANSWERED: unique symbol = Symbol("never answered");

/** Thrown by a handler to answer with an error of its own wording. */
export class ControlAnswerError extends Error {
  /** The name of the class. */
  override readonly name: string = "ControlAnswerError";
  /** Travels as `error_code`: a snake_case word the other end may branch on. */
  readonly errorCode: string | undefined;

  constructor(message: string, errorCode?: string, options?: ErrorOptions) {
    super(message, options);
    this.errorCode = errorCode;
  }
}

/** Thrown by a handler that does not know the subtype it was asked for. */
export class UnsupportedRequestError extends ControlAnswerError {
  /** The name of the class. */
  override readonly name = "UnsupportedRequestError";

  constructor(subtype: string) {
    super(`Unsupported control request subtype: ${subtype}`, "unsupported_request");
  }
}
