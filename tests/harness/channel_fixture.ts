import type { Diagnostic } from "../../src/core/diagnostics.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { type Limits, resolveLimits, resolveTimeouts, type Timeouts } from "../../src/core/limits.ts";
import { Connection, type ConnectionOptions, type InboundRequest } from "../../src/core/protocol/mod.ts";
import { ScriptedPeer } from "./scripted_peer.ts";
import type { TestContext } from "./suite.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** What a test may set. */
export interface ChannelSettings extends
  Partial<
    Pick<
      ConnectionOptions,
      "onRequest" | "onFrame" | "explainEnd" | "onActivity" | "onInputError" | "onReadingPaused" | "onDiagnostic"
    >
  > {
  readonly limits?: Limits;
  readonly timeouts?: Timeouts;
}

/** A connection to a peer that the test plays, with all that was noticed on the way. */
export interface Channel {
  readonly peer: ScriptedPeer;
  readonly clock: VirtualClock;
  readonly connection: Connection;
  readonly diagnostics: Diagnostic[];
  /** Every request that was served. */
  readonly served: InboundRequest[];
  /** Every change of `onReadingPaused`. */
  readonly pauses: boolean[];
}

/** Opens a connection and starts it; it is failed when the test is over. */
export function openChannel(t: TestContext, settings: ChannelSettings = {}): Channel {
  const { limits, timeouts, onRequest, ...rest } = settings;
  const peer = new ScriptedPeer();
  const clock = new VirtualClock();
  const diagnostics: Diagnostic[] = [];
  const served: InboundRequest[] = [];
  const pauses: boolean[] = [];
  const connection = new Connection({
    readable: peer.readable,
    writable: peer.writable,
    limits: resolveLimits(limits),
    timeouts: resolveTimeouts(timeouts),
    clock,
    onDiagnostic: (event) => diagnostics.push(event),
    onReadingPaused: (paused) => pauses.push(paused),
    onRequest: async (request) => {
      served.push(request);
      return await onRequest?.(request);
    },
    ...rest,
  });
  t.cleanup(() => connection.fail(new Error("the test is over")));
  connection.start();
  return { peer, clock, connection, diagnostics, served, pauses };
}

/** Takes what the consumer is given until there is no more. */
export async function takeAll(connection: Connection): Promise<JsonObject[]> {
  const taken: JsonObject[] = [];
  for (;;) {
    const { done, value } = await connection.next();
    if (done) return taken;
    taken.push(value);
  }
}
