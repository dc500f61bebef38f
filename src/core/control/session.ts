import type { PermissionMode } from "../options/permissions.ts";

/** What an interrupt brought about. */
export interface SDKControlInterruptResponse {
  /** Uuids of lines that wait and will run next. Lines that had no uuid were given one, which is among them. */
  still_queued: string[];
  /** Uuids of lines that were dropped, with `cancelQueued`. */
  cancelled?: string[];
}

/** The permission mode that now holds. */
export interface SDKControlSetPermissionModeResponse {
  /** Its name. */
  mode: PermissionMode;
}
