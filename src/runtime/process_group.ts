/** How long a group may go unseen after its leader has ended before its number is no longer trusted. */
const TRUSTED_MS = 1_000;

/**
 * A child's process group, and when it may still be signalled.
 *
 * While the leader is not reaped, or the group has members, the kernel keeps its number. After that the number may be given
 * to somebody else, though not at once: numbers are handed out in turn. So a group is trusted as long as it was seen alive
 * a moment ago, in an unbroken chain from the leader's end on, and never again after it was seen gone.
 */
export class ProcessGroup {
  readonly #send: (signal: string | 0) => boolean;
  readonly #now: () => number;
  #seenAt: number | undefined;
  #gone = false;

  /** `send` signals the group (0 only asks); false if there is none. */
  constructor(send: (signal: string | 0) => boolean, now: () => number = () => performance.now()) {
    this.#send = send;
    this.#now = now;
  }

  /** The leader has been reaped: from now on only sightings vouch for the number. */
  leaderEnded(): void {
    this.#seenAt ??= this.#now();
  }

  /** Signals the group; false if it is gone, no longer trusted, or the signal was refused. */
  signal(signal: string | 0): boolean {
    if (this.#gone) return false;
    if (this.#seenAt !== undefined && this.#now() - this.#seenAt > TRUSTED_MS) this.#gone = true;
    else if (this.#send(signal)) {
      if (this.#seenAt !== undefined) this.#seenAt = this.#now();
      return true;
    } else if (this.#seenAt !== undefined) this.#gone = true;
    return false;
  }
}
