import type { BodyResult } from "../../tests/harness/run_body.ts";

/** A running edge runtime with the suites loaded in it. */
export interface EdgePlace {
  /** As the runtime tells it. */
  readonly version: string;
  /** The id of every body in the bundle, and the kinds of leaks that are watched for. */
  readonly plan: { readonly ids: readonly string[]; readonly probes: readonly string[] };
  /** Runs one body. @throws if the runtime crashed, or gave no answer within `giveUpMs`. It is of no use after that. */
  run(id: string, giveUpMs: number): Promise<BodyResult>;
  /** Errors that nobody caught and no body was charged with, since the last call. */
  strays(): Promise<readonly string[]>;
  /** Ends whatever bodies have left running, so that it cannot disturb the next. */
  reset(): Promise<void>;
  /** Ends the runtime's processes; resolves when they are gone. */
  close(): Promise<void>;
}

/** Starts an edge runtime with a bundle of suites. `tempDir` is the only folder it may write to. */
export type StartEdge = (bundle: string, tempDir: string) => Promise<EdgePlace>;
