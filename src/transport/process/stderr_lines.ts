/** The longest line a callback gets in one piece, in UTF-16 units. */
export const LONGEST_STDERR_LINE = 1024 * 1024;

/** Cuts stderr into lines for a callback: blanks at the end taken off, empty lines left out. Linear in its input. */
export class StderrLines {
  readonly #emit: (line: string) => void;
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #parts: string[] = [];
  #length = 0;

  /** `emit` gets each line. */
  constructor(emit: (line: string) => void) {
    this.#emit = emit;
  }

  /** Takes bytes; calls back for every line that is complete, or too long to be kept. */
  push(chunk: Uint8Array): void {
    this.#text(this.#decoder.decode(chunk, { stream: true }));
  }

  /** There is no more: what is left is a line too. */
  end(): void {
    this.#text(this.#decoder.decode());
    this.#flush();
  }

  #text(text: string): void {
    let start = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", start)) {
      this.#keep(text.slice(start, at));
      this.#flush();
      start = at + 1;
    }
    this.#keep(text.slice(start));
  }

  #keep(part: string): void {
    if (part === "") return;
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length > LONGEST_STDERR_LINE) this.#flush();
  }

  #flush(): void {
    if (this.#parts.length === 0) return;
    const line = this.#parts.join("").trimEnd();
    this.#parts = [];
    this.#length = 0;
    if (line !== "") this.#emit(line);
  }
}
