/** The report that one run of the suites leaves behind: what was planned, and how each body ended. */

/** The four folders of suites; each has its own set of runtimes. */
export const SUITE_CLASSES = ["conformance", "unit", "runtime", "e2e"] as const;

/** One of {@linkcode SUITE_CLASSES}. */
export type SuiteClass = typeof SUITE_CLASSES[number];

/** One body in a report. `missing`: planned, and the run ended before it. */
export interface ReportedBody {
  readonly class: SuiteClass;
  readonly suite: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "missing";
  readonly ms?: number;
  readonly error?: string;
}

/** One run. */
export interface Report {
  readonly runtime: string;
  readonly version: string;
  /** The kinds of leaks that were watched for. */
  readonly probes: readonly string[];
  /** Part of a suite name or body name that limited the run; empty for a whole run. */
  readonly filter: string;
  readonly bodies: readonly ReportedBody[];
}

/** The name under which a body is compared over runtimes. */
export function bodyId(body: Pick<ReportedBody, "class" | "suite" | "name">): string {
  return `${body.class}/${body.suite} › ${body.name}`;
}
