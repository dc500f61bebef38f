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

function randomChars(): string {
  let text = "";
  // 252 is the largest multiple of 36 in a byte: higher ones are thrown away so that no character is favoured.
  while (text.length < RANDOM_CHARS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_CHARS))) {
      if (byte < 252 && text.length < RANDOM_CHARS) text += (byte % 36).toString(36);
    }
  }
  return text;
}
