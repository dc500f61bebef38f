import type { DiagnosticListener } from "../core/diagnostics.ts";
import type { JsonValue } from "../core/json.ts";

/** The oldest CLI that speaks this protocol (spec A09). */
export const MINIMUM_CLI_VERSION = "2.0.0";

/** The CLI that everything here was tested with. */
export const TESTED_CLI_VERSION = "2.1.332";

/** Reports a CLI that is too old to be relied on. A version that cannot be read is no reason to complain (spec A10). */
export function checkVersion(version: JsonValue | undefined, onDiagnostic: DiagnosticListener): void {
  const found = typeof version === "string" ? parse(version) : undefined;
  const minimum = parse(MINIMUM_CLI_VERSION);
  if (found === undefined || minimum === undefined || !isOlder(found, minimum)) return;
  onDiagnostic({ kind: "version_untested", version: String(version), minimum: MINIMUM_CLI_VERSION });
}

function parse(version: string): readonly number[] | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version.trim());
  return match?.slice(1).map(Number);
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  for (const [place, part] of than.entries()) {
    const own = version[place] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
