import type { JsonObject } from "../../core/json.ts";
import type { Exchange } from "./loopback_server.ts";
import { cutOf, messageEvents, type MessageNames, wholeMessage } from "./message_events.ts";
import type { Cut, ErrorTurn, MessageTurn, Turn } from "./turn.ts";

/** What an answer is played with. */
export interface TurnStage {
  /** Where it goes. */
  readonly exchange: Exchange;
  /** Whether it is streamed. */
  readonly stream: boolean;
  /** Id in the `request-id` header. */
  readonly requestId: string;
  /** Names the script did not give. */
  readonly names: MessageNames;
  /** Waits until released, for `ms`, or until the client has gone. */
  stall(ms: number | undefined): Promise<void>;
}

/** Plays one answer to its end, or until the client hangs up. */
export async function playTurn(turn: Turn, stage: TurnStage): Promise<void> {
  switch (turn.kind) {
    case "message":
      return await (stage.stream ? playStream(turn, stage) : playWhole(turn, stage));
    case "error":
      return await playErrorTurn(turn, stage);
    case "stall":
      await stage.stall(turn.ms);
      return turn.then === undefined ? stage.exchange.drop() : await playTurn(turn.then, stage);
    case "drop":
      return stage.exchange.drop();
  }
}

/** Answers with an error in the API's own shape (or, below 400, with an empty body). */
export function playError(
  exchange: Exchange,
  status: number,
  type: string,
  message: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  exchange.head(status, { "content-type": "application/json", "request-id": requestId, ...headers });
  const body = { type: "error", error: { type, message }, request_id: requestId };
  exchange.end(status < 400 || exchange.method === "HEAD" ? "" : JSON.stringify(body));
  return Promise.resolve();
}

/** The API's words for HTTP statuses. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

function errorType(status: number): string {
  return ERROR_TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}

/** What an error in mid-stream would have been as an HTTP status. */
function statusOf(type: string): number {
  return Number(Object.keys(ERROR_TYPES).find((status) => ERROR_TYPES[Number(status)] === type) ?? 500);
}

async function playErrorTurn(turn: ErrorTurn, stage: TurnStage): Promise<void> {
  const { type = errorType(turn.status), message = `The script answers ${turn.status}`, retryAfter, retry } =
    turn.options;
  await pause(turn.options.delayMs, stage.exchange.gone);
  await playError(stage.exchange, turn.status, type, message, stage.requestId, {
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    ...(retry === undefined ? {} : { "x-should-retry": String(retry) }),
    ...turn.options.headers,
  });
}

async function playWhole(turn: MessageTurn, stage: TurnStage): Promise<void> {
  const { exchange } = stage;
  await pause(turn.options.delayMs, exchange.gone);
  const cut = cutOf(turn);
  if (cut?.kind === "drop") return exchange.drop();
  if (cut?.kind === "error") {
    return await playError(exchange, statusOf(cut.errorType), cut.errorType, cut.message, stage.requestId);
  }
  if (cut?.kind === "stall") await stage.stall(cut.ms);
  exchange.head(200, { "content-type": "application/json", "request-id": stage.requestId, ...turn.options.headers });
  exchange.end(JSON.stringify(wholeMessage(turn, stage.names)));
}

async function playStream(turn: MessageTurn, stage: TurnStage): Promise<void> {
  const { exchange } = stage;
  const { delayMs, chunkDelayMs } = turn.options;
  await pause(delayMs, exchange.gone);
  if (exchange.gone.aborted) return;
  exchange.head(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": stage.requestId,
    ...turn.options.headers,
  });
  const cut = cutOf(turn);
  let sent = 0;
  for (const event of messageEvents(turn, stage.names)) {
    // The last place a cut can happen is before the message ends, however many deltas it was to wait for.
    const due = cut !== undefined &&
      (event.delta ? sent === cut.after : event.data.type === "message_delta" && sent <= cut.after);
    if (due && !(await playCut(cut, stage))) return;
    if (event.delta) {
      await pause(chunkDelayMs, exchange.gone);
      sent++;
    }
    await exchange.write(eventText(event.data));
    if (exchange.gone.aborted) return;
  }
  exchange.end();
}

/** Returns whether the answer goes on. */
async function playCut(cut: Cut, stage: TurnStage): Promise<boolean> {
  switch (cut.kind) {
    case "drop":
      stage.exchange.drop();
      return false;
    case "stall":
      await stage.stall(cut.ms);
      return !stage.exchange.gone.aborted;
    case "error":
      await stage.exchange.write(
        eventText({ type: "error", error: { type: cut.errorType, message: cut.message }, request_id: stage.requestId }),
      );
      stage.exchange.end();
      return false;
  }
}

function eventText(data: JsonObject): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Waits `ms`, or less if nobody listens any longer. */
function pause(ms: number | undefined, gone: AbortSignal): Promise<void> {
  if (ms === undefined || ms <= 0 || gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      gone.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    gone.addEventListener("abort", done);
  });
}
