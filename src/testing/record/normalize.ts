import type { JsonValue } from "../../core/json.ts";
import type { TextPieces } from "./text_pieces.ts";

/** What differs from run to run and says nothing of what happened. */
export interface Normalize {
  /** Times of day and durations: dates become one date, durations and the `ms` of entries 0. Also ports of this machine and process ids. */
  readonly times?: boolean;
  /** Costs become 0. */
  readonly costs?: boolean;
}

const DATE = "2000-01-01T00:00:00.000Z";
const DATES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)/g;
/** Sockets of the CLI, named by its process id (2.1.332). */
const SOCKETS = /(cc-socks[\\/])\d+/g;
const LOOPBACK = /((?:127\.0\.0\.1|\[::1\]|localhost):)\d{2,5}/g;

/** The value that stands for a number in a field, or the number itself. */
export function normalNumber(field: string, value: number, { times, costs }: Normalize): JsonValue {
  if (costs === true && /cost/i.test(field)) return 0;
  if (times !== true) return value;
  if (field === "pid") return 1;
  return /(?:_ms|Ms|MS|_seconds|_at|At)$|^(?:mtime|timestamp|duration)$/.test(field) ? 0 : value;
}

/** Replaces dates and ports of this machine in a text. */
export function normalizeText(text: TextPieces, { times }: Normalize): void {
  if (times !== true) return;
  text.replace(DATES, () => DATE);
  text.replace(SOCKETS, ([, folder = ""]) => `${folder}1`);
  text.replace(LOOPBACK, ([, host = ""]) => `${host}1`);
}
