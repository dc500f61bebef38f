import type { JsonObject } from "../json.ts";
import type { InboundRequests } from "./inbound_requests.ts";
import type { PendingRequests } from "./pending_requests.ts";

/** Sends each frame where it belongs, by its `type`. */
export class FrameRouter {
  readonly #pending: PendingRequests;
  readonly #inbound: InboundRequests;
  readonly #onFrame: ((frame: JsonObject) => "deliver" | "hide") | undefined;

  constructor(
    pending: PendingRequests,
    inbound: InboundRequests,
    onFrame: ((frame: JsonObject) => "deliver" | "hide") | undefined,
  ) {
    this.#pending = pending;
    this.#inbound = inbound;
    this.#onFrame = onFrame;
  }

  /** Serves a frame that is ours; true if the consumer gets it. @throws what the observer throws. */
  route(record: JsonObject): boolean {
    switch (record.type) {
      case "control_request":
        this.#inbound.receive(record);
        return false;
      case "control_response":
        this.#pending.answer(record);
        return false;
      case "control_cancel_request":
        this.#inbound.cancel(record);
        return false;
      case "keep_alive":
        if (typeof record.startup_mark === "string") this.#onFrame?.(record);
        return false;
      case "transcript_mirror":
        this.#onFrame?.(record);
        return false;
      case "system":
        this.#system(record);
    }
    return this.#onFrame === undefined || this.#onFrame(record) === "deliver";
  }

  /** What the deadlines of our requests depend on. */
  #system(record: JsonObject): void {
    if (record.subtype === "control_request_progress") this.#pending.progress(record.request_id);
    else if (record.subtype === "hook_started") this.#pending.hook(record.hook_id, true);
    else if (record.subtype === "hook_response") this.#pending.hook(record.hook_id, false);
  }
}
