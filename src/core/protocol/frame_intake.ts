import { type Deferred, deferred } from "../deferred.ts";
import { type Source, sourceOf } from "../streams/source.ts";
import type { Frame } from "../streams/frame.ts";
import type { FrameDecoder } from "../streams/frame_decoder.ts";

/** What a {@linkcode FrameIntake} works with. */
export interface FrameIntakeOptions {
  readonly readable: ReadableStream<Uint8Array | string>;
  readonly decoder: FrameDecoder;
  /** True if nothing more is to be read for now. */
  full(): boolean;
  /** True if there is room for this frame. */
  fits(frame: Frame): boolean;
  /** Takes a frame in. Must not throw. */
  accept(frame: Frame): void;
  /** Called between two chunks, where there is room; what it returns is waited for. */
  caughtUp(): Promise<void> | undefined;
  /** A chunk arrived. */
  onChunk(): void;
  /** Reading stands still for want of room, or goes on. */
  onPaused(paused: boolean): void;
}

/** How reading came to its end. */
export interface IntakeEnd {
  readonly halfRecordBytes: number;
  readonly error?: unknown;
}

/**
 * Reads, and stops reading where there is no room. Frames that had been read when the room ran out are held, control
 * frames among them, so that what is served never depends on how the bytes were cut into chunks.
 */
export class FrameIntake {
  readonly #options: FrameIntakeOptions;
  readonly #reader: Source<Uint8Array | string>;
  #held: Frame[] = [];
  #heldFrom = 0;
  #passing = false;
  #stopped = false;
  #paused: Deferred<void> | undefined;

  constructor(options: FrameIntakeOptions) {
    this.#options = options;
    this.#reader = sourceOf(options.readable);
  }

  /** Reading stands still for want of room. */
  get paused(): boolean {
    return this.#paused !== undefined;
  }

  /** Reads to the end; settles when every frame has been taken in, or after `stop`. Never rejects. */
  async run(): Promise<IntakeEnd> {
    const end = await this.#read();
    await this.#until(() => !this.#isHolding);
    return end;
  }

  /** Looks again whether there is room. */
  proceed(): void {
    if (this.#passing || (this.#paused === undefined && !this.#isHolding)) return;
    this.#passing = true;
    while (this.#isHolding) {
      const frame = this.#held[this.#heldFrom] as Frame;
      if (!this.#options.fits(frame)) break;
      this.#heldFrom++;
      this.#options.accept(frame);
    }
    this.#passing = false;
    if (this.#isHolding) return;
    if (this.#heldFrom > 0) this.#letGo();
    if (!this.#options.full()) this.#resume();
  }

  /** Gives the source up, and what is held. */
  stop(reason: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#letGo();
    this.#resume();
    this.#cancel(reason);
  }

  async #read(): Promise<IntakeEnd> {
    const take = (frame: Frame): void => this.#take(frame);
    try {
      for (;;) {
        if (!this.#hasRoom()) await this.#until(() => this.#hasRoom());
        await this.#options.caughtUp();
        if (this.#stopped) break;
        const result = await this.#reader.read();
        if (this.#stopped) break;
        if (result.done) return this.#options.decoder.end(take);
        this.#options.onChunk();
        this.#options.decoder.push(result.value, take);
      }
      return { halfRecordBytes: 0 };
    } catch (error) {
      this.#cancel(error);
      return { halfRecordBytes: 0, error };
    }
  }

  #take(frame: Frame): void {
    if (this.#stopped) return;
    if (!this.#isHolding && this.#options.fits(frame)) this.#options.accept(frame);
    else this.#held.push(frame);
  }

  get #isHolding(): boolean {
    return this.#heldFrom < this.#held.length;
  }

  #hasRoom(): boolean {
    return !this.#isHolding && !this.#options.full();
  }

  /** Stands still until the condition holds, or reading has been stopped. */
  async #until(holds: () => boolean): Promise<void> {
    while (!this.#stopped && !holds()) {
      this.#paused = deferred();
      this.#options.onPaused(true);
      await this.#paused?.promise;
    }
  }

  #letGo(): void {
    this.#held = [];
    this.#heldFrom = 0;
  }

  #resume(): void {
    const paused = this.#paused;
    if (paused === undefined) return;
    this.#paused = undefined;
    paused.resolve();
    this.#options.onPaused(false);
  }

  #cancel(reason: unknown): void {
    this.#reader.cancel(reason).catch(() => {
      // The source had failed before: it is given up either way.
    });
  }
}
