/**
 * What a query has to say about itself, beside its messages.
 * Nothing here changes the course of a query; what does is an error.
 */
export type Diagnostic =
  /** A line of output that is no message was skipped (banner, warning, bare value). */
  | { readonly kind: "line_skipped"; readonly bytes: number; readonly reason: "not_json" | "not_an_object" }
  /** A record began as an object and never became one; what follows it was delivered. */
  | { readonly kind: "record_broken"; readonly bytes: number; readonly lines: number }
  /** Nobody takes the messages: reading has stopped at the bound, and what the CLI asks waits too. */
  | { readonly kind: "consumer_stalled"; readonly queuedBytes: number; readonly limitBytes: number }
  /** An inbound control request could not be served as asked. */
  | { readonly kind: "request_failed"; readonly subtype: string; readonly requestId: string; readonly cause: unknown }
  /** A callback of the user's threw, hung or returned rubbish; `gate` tells whether the call was denied for it. */
  | { readonly kind: "callback_failed"; readonly callback: string; readonly gate: boolean; readonly cause: unknown }
  /** An answer arrived for a request that is not (or no longer) open. */
  | { readonly kind: "answer_unmatched"; readonly requestId: string }
  /** If the host is killed, the CLI may live on: no watchdog can run here. */
  | { readonly kind: "orphan_guard_off"; readonly reason: string }
  /** The CLI's process is gone and reaped. `forced` tells that its grace ran out. */
  | {
    readonly kind: "process_exited";
    readonly pid: number | undefined;
    readonly code: number | null;
    readonly signal: string | null;
    readonly forced: boolean;
  }
  /** The CLI had to be ended by force. */
  | { readonly kind: "process_forced"; readonly signal: "SIGTERM" | "SIGKILL"; readonly pid: number | undefined }
  /** A transport of `tether.transport` was closed and did not end (its `exited` is pending): it is waited for no longer. */
  | { readonly kind: "transport_stuck"; readonly afterMs: number }
  /** The CLI's version is outside the tested range. */
  | { readonly kind: "version_untested"; readonly version: string; readonly minimum: string }
  /** Background work outlived its ceiling and input was ended. */
  | { readonly kind: "background_ceiling"; readonly tasks: number; readonly afterMs: number }
  /** `tether.isolateConfig`: something of the user's was not copied, and the session runs without it. */
  | { readonly kind: "config_not_seeded"; readonly path: string; readonly reason: string }
  /** A folder made for the session could not be removed. It may hold secrets. */
  | { readonly kind: "folder_not_removed"; readonly path: string; readonly cause: unknown }
  /** OpenTelemetry is registered and cannot be used, or threw. The query goes on, and is not traced from here on. */
  | { readonly kind: "tracing_failed"; readonly cause: unknown }
  /** An option is legal but does not do what it seems to. */
  | { readonly kind: "option_warning"; readonly option: string; readonly code: string; readonly message: string };

/** The words that tell diagnostics apart. */
export type DiagnosticKind = Diagnostic["kind"];

/** The diagnostic of one kind. */
export type DiagnosticOf<Kind extends DiagnosticKind> = Extract<Diagnostic, { readonly kind: Kind }>;

/** Takes diagnostics. A listener that throws is ignored from then on: it must not end a query. */
export type DiagnosticListener = (event: Diagnostic) => void;

/** Guards a listener so that its own faults stay its own. */
export function guardedListener(listener: DiagnosticListener | undefined): DiagnosticListener {
  if (listener === undefined) return () => {};
  let broken = false;
  return (event) => {
    if (broken) return;
    try {
      listener(event);
    } catch {
      // There is no further place to report to: this is the report.
      broken = true;
    }
  };
}
