/** What a double of the CLI is connected to: a process's own streams, or one end of a pair in memory. */
export interface CliPipe {
  /** The next piece of input; undefined at its end. One call at a time. */
  read(): Promise<Uint8Array | undefined>;
  /** Writes output; settles when there is room for more. Rejects when nobody reads. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the output. */
  closeOutput(): Promise<void>;
  /** Reads no more, and lets go of the input: what the host writes from then on fails, the first of it may be lost instead. */
  closeInput(): Promise<void>;
  /** Writes to stderr. */
  stderr(text: string): void;
}
