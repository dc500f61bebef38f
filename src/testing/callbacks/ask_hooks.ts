import type { Clock } from "../../core/clock.ts";
import { ControlRequestError } from "../../core/errors/mod.ts";
import type { JsonObject } from "../../core/json.ts";
import type { HookEvent, HookJSONOutput } from "../../core/options/mod.ts";
import type { AskBounds, AskingCli } from "./asking_cli.ts";
import type { RegisteredMatcher } from "./hook_matcher.ts";
import { type CollectedReply, type HookVerdict, verdictOf } from "./hook_verdict.ts";

/** What hooks are asked with. */
export interface HookAsker {
  /** Who asks. */
  readonly cli: AskingCli;
  /** What the time limits of matchers are measured by. */
  readonly clock: Clock;
  /** How long the test waits. */
  readonly bounds: AskBounds;
}

/** Calls every callback of the matchers at once, as the CLI does, and settles when all have answered. */
export async function askHooks(
  asker: HookAsker,
  event: HookEvent,
  matchers: readonly RegisteredMatcher[],
  fields: JsonObject,
): Promise<HookVerdict> {
  const arrived: CollectedReply[] = [];
  const asks = matchers.flatMap((matcher) =>
    matcher.ids.map(async (id) => {
      const reply = await askHook(asker, matcher, { subtype: "hook_callback", callback_id: id, ...fields });
      arrived.push(reply);
      return reply;
    })
  );
  // All of them, also if one is taken back: nothing goes on behind the test's back.
  const settled = await Promise.allSettled(asks);
  const failed = settled.find((ask) => ask.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return verdictOf(event, settled.flatMap((ask) => ask.status === "fulfilled" ? [ask.value] : []), arrived);
}

async function askHook(
  { cli, clock, bounds: { signal, timeoutMs } }: HookAsker,
  { matcher, timeout, onFailure }: RegisteredMatcher,
  request: JsonObject,
): Promise<CollectedReply> {
  const silent = { matcher, onFailure, output: {} as HookJSONOutput, error: undefined, timedOut: false };
  const end = new AbortController();
  const stop = (): void => end.abort();
  // The CLI's own clock; it starts before the callback is called.
  const cancel = clock.after(timeout !== undefined && timeout > 0 ? timeout * 1000 : Infinity, stop);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  try {
    const output = await cli.ask(request, { signal: end.signal, timeoutMs });
    return { ...silent, output: output as HookJSONOutput };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ControlRequestError) return { ...silent, error: error.message };
    if (end.signal.aborted) return { ...silent, timedOut: true };
    throw error;
  } finally {
    cancel();
    signal?.removeEventListener("abort", stop);
  }
}
