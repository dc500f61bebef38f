import { type Clock, systemClock } from "../core/clock.ts";
import { deferred } from "../core/deferred.ts";
import type { CloseOptions, Transport, TransportExit } from "../transport/transport.ts";
import { ByteChannel } from "./byte_channel.ts";

/** Settings of {@linkcode memoryTransportPair}. */
export interface MemoryTransportOptions {
  /** Bytes each direction holds before writers wait. Default 64 KiB, as a pipe on Linux. */
  readonly capacityBytes?: number;
  /** From the end of input to SIGTERM when `close()` is not told. Default 5 s. */
  readonly graceMs?: number;
  /** From SIGTERM to the forced end. Default 5 s. */
  readonly termMs?: number;
  /** Counts these two. Default the machine's. */
  readonly clock?: Clock;
}

/** The CLI's end of a {@linkcode MemoryTransportPair}: what a double of the CLI reads and writes. */
export interface MemoryCliEnd {
  /** What the host wrote; ends when the host ends its input. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What the host will read. Closing it ends the output, as a process may do while it lives on. */
  readonly writable: WritableStream<Uint8Array | string>;
  /** Aborted when the host asks the CLI to go (SIGTERM); the double may heed it or not. */
  readonly terminated: AbortSignal;
  /** Settles with what the transport reports as its exit. */
  readonly exited: Promise<TransportExit>;
  /**
   * Ends the double: output ends, with `fault` in place of an end if there is one; writes of the host fail. Only the first
   * call counts. Default: code 0.
   */
  exit(status?: Partial<TransportExit>, fault?: unknown): void;
}

/** Two ends of one connection in memory. */
export interface MemoryTransportPair {
  /** The host's end: give it to a query. */
  readonly transport: Transport;
  /** The CLI's end. */
  readonly cli: MemoryCliEnd;
}

/**
 * Makes a transport without a process: what a double of the CLI writes on one end, a query reads on the other.
 *
 * It keeps the rules of a process: bounded buffers, `close()` goes from the end of input over SIGTERM to a forced end,
 * `exited` settles exactly once. Web APIs only.
 */
export function memoryTransportPair(options: MemoryTransportOptions = {}): MemoryTransportPair {
  const { capacityBytes, graceMs = 5_000, termMs = 5_000, clock = systemClock } = options;
  const input = new ByteChannel(capacityBytes);
  const output = new ByteChannel(capacityBytes);
  const exit = deferred<TransportExit>();
  const terminate = new AbortController();
  const leave = (status: Partial<TransportExit> = {}, fault?: unknown) => {
    exit.resolve({ code: (status.signal ?? null) === null ? 0 : null, signal: null, stderrTail: "", ...status });
    output.end(fault);
    input.break(new Error("The CLI is gone"));
  };
  const ladder = new CloseLadder(
    exit.promise,
    () => input.end(),
    () => terminate.abort(new Error("SIGTERM")),
    () => leave({ code: null, signal: "SIGKILL" }),
    termMs,
    clock,
  );
  return {
    transport: {
      readable: output.readable,
      writable: input.writable as WritableStream<Uint8Array>,
      exited: exit.promise,
      close: (given: CloseOptions = {}) => ladder.close(given.graceMs ?? graceMs),
    },
    cli: {
      readable: input.readable,
      writable: output.writable,
      terminated: terminate.signal,
      exited: exit.promise,
      exit: leave,
    },
  };
}

/** End of input → grace → SIGTERM → `termMs` → forced end; a shorter grace shortens the wait. */
class CloseLadder {
  readonly #exited: Promise<unknown>;
  readonly #end: () => void;
  readonly #terminate: () => void;
  readonly #force: () => void;
  readonly #termMs: number;
  readonly #clock: Clock;
  #termAt = Infinity;
  #step: "open" | "grace" | "term" | "over" = "open";
  #stopTimer: () => void = () => {};

  constructor(
    exited: Promise<unknown>,
    end: () => void,
    terminate: () => void,
    force: () => void,
    termMs: number,
    clock: Clock,
  ) {
    this.#exited = exited;
    this.#end = end;
    this.#terminate = terminate;
    this.#force = force;
    this.#termMs = termMs;
    this.#clock = clock;
    void exited.then(() => {
      this.#step = "over";
      this.#stopTimer();
    });
  }

  async close(graceMs: number): Promise<void> {
    if (this.#step === "open") {
      this.#step = "grace";
      this.#end();
    }
    const at = this.#clock.now() + graceMs;
    if (this.#step === "grace" && at < this.#termAt) {
      this.#termAt = at;
      this.#after(graceMs, () => this.#term());
    }
    await this.#exited;
  }

  #term(): void {
    this.#step = "term";
    this.#after(this.#termMs, this.#force);
    this.#terminate();
  }

  #after(ms: number, work: () => void): void {
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(ms, work);
  }
}
