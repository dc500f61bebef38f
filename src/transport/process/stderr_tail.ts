import { maskSecrets, secretsOf } from "./mask_secrets.ts";

/** Room kept in front of the tail, so that a secret is seen whole although the tail begins within it. */
const MARGIN_BYTES = 1024;
const LONGEST_MARGIN_BYTES = 64 * 1024;

/** Keeps the last bytes of what a child wrote to stderr. Memory stays within about twice the limit. */
export class StderrTail {
  readonly #limit: number;
  readonly #margin: number;
  readonly #secrets: readonly string[];
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #cut = false;

  /** `env` is the child's environment: the secrets in it are masked. */
  constructor(limitBytes: number, env: Readonly<Record<string, string>>) {
    this.#limit = limitBytes;
    this.#secrets = secretsOf(env);
    this.#margin = Math.min(LONGEST_MARGIN_BYTES, Math.max(MARGIN_BYTES, 3 * (this.#secrets[0]?.length ?? 0)));
  }

  /** Takes what came. The chunk must not change afterwards. */
  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > 2 * (this.#limit + this.#margin)) this.#shrink();
  }

  /** The tail as text: without terminal colours, secrets masked, at most the limit in bytes. */
  text(): string {
    this.#shrink();
    const [bytes = new Uint8Array()] = this.#chunks;
    const text = stripAnsi(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    // What the cut left in the margin may be the end of a secret whose beginning is gone.
    const masked = maskSecrets(text, this.#secrets, this.#cut ? Math.min(this.#margin, text.length) : 0);
    return lastBytes(masked, this.#limit).trim();
  }

  #shrink(): void {
    const keep = this.#limit + this.#margin;
    const joined = new Uint8Array(Math.min(keep, this.#bytes));
    let end = joined.length;
    for (const chunk of this.#chunks.reverse()) {
      if (end === 0) break;
      const part = chunk.subarray(Math.max(0, chunk.length - end));
      end -= part.length;
      joined.set(part, end);
    }
    this.#cut ||= this.#bytes > keep;
    this.#chunks = [joined];
    this.#bytes = joined.length;
  }
}

// deno-lint-ignore no-control-regex
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Takes colours and other terminal sequences out of a text. */
export function stripAnsi(text: string): string {
  return text.replace(ANSI, "");
}

/** The end of a text, at most `limit` bytes of it, not beginning within a character. */
function lastBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  let start = bytes.length - limit;
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start));
}
