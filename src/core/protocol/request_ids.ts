const RANDOM_CHARS = 7;
const COUNTER_CHARS = 4;

/**
 * Ids for outbound requests: 11 to 13 characters of base36, as the CLI sees from its official SDK. A random half keeps
 * connections apart; a counter in the other half makes a repeat within one connection impossible without remembering any.
 */
export class RequestIds {
  #count = 0;

  /** The next id. */
  next(): string {
    return randomChars() + (this.#count++).toString(36).padStart(COUNTER_CHARS, "0");
  }
}

/** Told apart, not guarded: the first use of `crypto` would cost a start 4 ms on Node. */
function randomChars(): string {
  let text = "";
  while (text.length < RANDOM_CHARS) text += Math.floor(Math.random() * 36).toString(36);
  return text;
}
