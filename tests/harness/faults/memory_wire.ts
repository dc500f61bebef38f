import type { JsonObject } from "../../../src/core/json.ts";
import type { ExitStatus } from "../../../src/core/runtime.ts";
import { resolveCliOptions, type ScriptedCliOptions } from "../../../src/testing/cli/cli_options.ts";
import { CliPlayer } from "../../../src/testing/cli/cli_player.ts";
import type { CliScript } from "../../../src/testing/cli/step.ts";
import { memoryTransportPair } from "../../../src/testing/memory_transport_pair.ts";
import type { Transport } from "../../../src/transport/transport.ts";

/** A double of the CLI in memory whose pipes can be broken one by one. Web APIs only. */
export class MemoryWire {
  /** The host's end. */
  readonly transport: Transport;
  readonly #player: CliPlayer;
  readonly #closeInput: () => Promise<void>;

  /** Begins to play. `termMs` is the patience of its transport after SIGTERM. */
  constructor(script: CliScript, { termMs, ...options }: ScriptedCliOptions & { readonly termMs: number }) {
    const pair = memoryTransportPair({ termMs });
    const reader = pair.cli.readable.getReader();
    const writer = pair.cli.writable.getWriter();
    let stderr = "";
    this.#closeInput = () => reader.cancel(new Error("EPIPE"));
    this.#player = new CliPlayer(script, resolveCliOptions(options, true), {
      read: async () => (await reader.read()).value,
      write: (bytes) => writer.write(bytes),
      closeOutput: () => writer.close(),
      closeInput: () => reader.cancel(),
      stderr: (text) => stderr += text,
    });
    const terminated = (): void => this.#player.signalled("SIGTERM");
    pair.cli.terminated.addEventListener("abort", terminated);
    void pair.cli.exited.then(({ code, signal }) => this.#player.end({ code, signal }));
    void this.#player.start().then((status) => {
      pair.cli.terminated.removeEventListener("abort", terminated);
      pair.cli.exit({ ...status, stderrTail: stderr.trim() });
    });
    this.transport = pair.transport;
  }

  /** Every frame of the host. */
  get received(): readonly JsonObject[] {
    return this.#player.received;
  }

  /** What went wrong in the play itself. */
  get problems(): readonly string[] {
    return this.#player.problems;
  }

  /** The host's input is read no longer, and its writes fail; the rest goes on. */
  closeInput(): Promise<void> {
    return this.#closeInput();
  }

  /** Ends the play by what no step has a word for. */
  end(status: ExitStatus): void {
    this.#player.end(status);
  }
}
