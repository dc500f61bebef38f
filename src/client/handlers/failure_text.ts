import type { CallOutcome } from "./call_scope.ts";

/** How much of an error's own text an answer carries: enough to act on, too little to flood a conversation. */
export const MAX_FAILURE_TEXT = 500;

/** What is shown of an error, cut to {@linkcode MAX_FAILURE_TEXT}. Never throws, whatever was thrown. */
export function failureText(error: unknown): string {
  const text = rawText(error).trim();
  if (text === "") return "no reason given";
  return text.length <= MAX_FAILURE_TEXT ? text : `${text.slice(0, MAX_FAILURE_TEXT)}…`;
}

/** Why a call gave no value, as an error to report. */
export function outcomeError(outcome: Exclude<CallOutcome<unknown>, { kind: "value" }>): unknown {
  if (outcome.kind === "threw") return outcome.error;
  if (outcome.kind === "late") return new Error(`it did not answer within ${outcome.afterMs} ms`);
  return outcome.reason;
}

function rawText(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message);
    if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
    return String(error);
  } catch {
    return "";
  }
}
