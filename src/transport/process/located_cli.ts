/** One way to start the CLI. */
export interface CliCandidate {
  /** The program to start. */
  readonly command: string;
  /** What comes before the CLI's own arguments: an interpreter's, and the script. */
  readonly args: readonly string[];
  /** The CLI itself. */
  readonly path: string;
  /** Where it was found. */
  readonly source: "explicit" | "package" | "path" | "folder";
}

/** The CLI that was found. */
export interface LocatedCli extends CliCandidate {
  /** What to try if it will not start for want of its C library: the other builds that are installed. */
  readonly alternatives: readonly CliCandidate[];
}
