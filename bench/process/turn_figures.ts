/** What the fast CLI measured in one step of its script (cli/report.h). */
export interface StepFigures {
  /** Half of the calls were answered within this, in µs. */
  readonly p50?: number;
  /** 99 of 100 were. */
  readonly p99?: number;
  readonly perSecond?: number;
  /** Answers that were errors. */
  readonly faults?: number;
  /** Calls that never were answered. */
  readonly unanswered?: number;
  readonly messages?: number;
  readonly bytes?: number;
}

/** Reads what stands in the result of a turn of the fast CLI. */
export function turnFigures(result: { readonly [name: string]: unknown }): StepFigures[] {
  return JSON.parse(String(result.result)) as StepFigures[];
}

/** The figures of the calls in a turn. @throws if some failed: the others would not mean anything. */
export function callFigures(steps: readonly StepFigures[]): StepFigures {
  const calls = steps.find((step) => step.p50 !== undefined || step.unanswered !== undefined);
  if (calls?.p50 === undefined || (calls.faults ?? 0) > 0) throw new Error(`Calls failed: ${JSON.stringify(steps)}`);
  return calls;
}
