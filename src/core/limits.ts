import { OptionError } from "./errors/option_error.ts";

/** Sizes that bound what a query keeps in memory, in bytes. */
export interface Limits {
  /** Largest single frame; past it the query ends with a `MessageTooLargeError`. Default 64 MiB. */
  readonly maxMessageBytes?: number;
  /** Frames read ahead of the consumer; past it reading stops. Default 32 MiB. */
  readonly queueBytes?: number;
  /** How much of the end of the child's stderr an error carries. Default 16 KiB. */
  readonly stderrTailBytes?: number;
}

/** {@linkcode Limits} with every default filled in. */
export type ResolvedLimits = Required<Limits>;

/** Deadlines and patience, in milliseconds; `Infinity` switches one off. */
export interface Timeouts {
  /** An outbound control request without its answer fails after this. Default 60 s. */
  readonly controlMs?: number;
  /** The same for the first `initialize`; time in which a hook is reported running does not count. Default 60 s. */
  readonly initializeMs?: number;
  /** After the end of input, how long the CLI may take to save and leave before SIGTERM. Default 5 s. */
  readonly graceMs?: number;
  /** After SIGTERM, how long before SIGKILL. Default 5 s. */
  readonly termMs?: number;
  /** How long nothing may be heard before a run whose CLI reports no states counts as over. Default 2 s. */
  readonly quietMs?: number;
  /** How long background work may keep a run open that is otherwise over. Default 600 s. */
  readonly backgroundMs?: number;
  /** How long closing waits for a transcript store. Default 10 s. */
  readonly mirrorFlushMs?: number;
  /** A permission callback that takes longer is answered with a deny. Default none. */
  readonly permissionMs?: number;
}

/** {@linkcode Timeouts} with every default filled in. */
export type ResolvedTimeouts = Required<Timeouts>;

/** The longest string every supported runtime can hold, in UTF-16 units (V8: 2^29 − 24). */
export const LONGEST_STRING = 536_870_888;

/** What {@linkcode Limits} are when nothing is said. */
export const DEFAULT_LIMITS: ResolvedLimits = {
  maxMessageBytes: 64 * 1024 * 1024,
  queueBytes: 32 * 1024 * 1024,
  stderrTailBytes: 16 * 1024,
};

/** What {@linkcode Timeouts} are when nothing is said. */
export const DEFAULT_TIMEOUTS: ResolvedTimeouts = {
  controlMs: 60_000,
  initializeMs: 60_000,
  graceMs: 5_000,
  termMs: 5_000,
  quietMs: 2_000,
  backgroundMs: 600_000,
  mirrorFlushMs: 10_000,
  permissionMs: Infinity,
};

/** Fills in the defaults. @throws {OptionError} for a limit that is no positive whole number, or a frame cap past {@linkcode LONGEST_STRING}. */
export function resolveLimits(given: Limits = {}): ResolvedLimits {
  const limits = withDefaults("limits", DEFAULT_LIMITS, given);
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new OptionError(`tether.limits.${name}`, "must be a positive whole number of bytes");
    }
  }
  if (limits.maxMessageBytes > LONGEST_STRING) {
    throw new OptionError(
      "tether.limits.maxMessageBytes",
      `must not pass ${LONGEST_STRING}, the longest string there is`,
    );
  }
  return limits;
}

/** Fills in the defaults. @throws {OptionError} for a time that is negative or no number. */
export function resolveTimeouts(given: Timeouts = {}): ResolvedTimeouts {
  const timeouts = withDefaults("timeouts", DEFAULT_TIMEOUTS, given);
  for (const [name, value] of Object.entries(timeouts)) {
    if (typeof value !== "number" || !(value >= 0)) {
      throw new OptionError(`tether.timeouts.${name}`, "must be a number of milliseconds, 0 or more");
    }
  }
  return timeouts;
}

function withDefaults<T extends object>(group: string, defaults: T, given: Partial<T>): T {
  const result = { ...defaults };
  for (const name of Object.keys(given) as (keyof T & string)[]) {
    if (!Object.hasOwn(defaults, name)) throw new OptionError(`tether.${group}.${name}`, "is not a known name");
    const value = given[name];
    if (value !== undefined) result[name] = value as T[keyof T & string];
  }
  return result;
}
