import { describeError } from "../run_body.ts";

/** Where rejections are told of: `process`, where there is one. */
export interface RejectionHost {
  process?: {
    on?: (event: "unhandledRejection", listener: (reason: unknown) => void) => unknown;
    off?: (event: "unhandledRejection", listener: (reason: unknown) => void) => unknown;
  };
  addEventListener?: (event: "unhandledrejection", listener: (event: { reason: unknown }) => void) => void;
  removeEventListener?: (event: "unhandledrejection", listener: (event: { reason: unknown }) => void) => void;
}

/**
 * Rejections that nobody handled, seen run by run: a body's own probe tells of them only when all of its runs are over,
 * and not of which.
 */
export class StrayRejections {
  readonly #seen: unknown[] = [];
  readonly #onRejection = (reason: unknown): void => void this.#seen.push(reason);
  readonly #onEvent = (event: { reason: unknown }): void => void this.#seen.push(event.reason);

  readonly #host: RejectionHost;

  constructor(host: RejectionHost = globalThis as unknown as RejectionHost) {
    this.#host = host;
  }

  /** Begins to watch. */
  begin(): void {
    const host = this.#host;
    if (host.process?.on !== undefined) host.process.on("unhandledRejection", this.#onRejection);
    else host.addEventListener?.("unhandledrejection", this.#onEvent);
  }

  /** Stops watching. */
  end(): void {
    const host = this.#host;
    if (host.process?.off !== undefined) host.process.off("unhandledRejection", this.#onRejection);
    else host.removeEventListener?.("unhandledrejection", this.#onEvent);
  }

  /** @throws if one was seen since the last call. A runtime tells of them at the end of a turn: so one is waited out. */
  async check(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    const seen = this.#seen.splice(0);
    if (seen.length > 0) throw new Error(`A rejection that nobody handled: ${seen.map(describeError).join("; ")}`);
  }
}
