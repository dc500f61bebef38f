import { atLeast } from "../core/at_least.ts";
import type { DiagnosticListener } from "../core/diagnostics.ts";
import type { JsonValue } from "../core/json.ts";

/** The oldest CLI that speaks this protocol (behaviour A09). */
export const MINIMUM_CLI_VERSION = "2.0.0";

/** Reports a CLI that is too old to be relied on. A version that cannot be read is no reason to complain (behaviour A10). */
export function checkVersion(version: JsonValue | undefined, onDiagnostic: DiagnosticListener): void {
  if (typeof version !== "string" || !/^\d+\./.test(version) || atLeast(version, MINIMUM_CLI_VERSION)) return;
  onDiagnostic({ kind: "version_untested", version, minimum: MINIMUM_CLI_VERSION });
}
