/** Watches one kind of thing that a body must not leave behind. */
export interface LeakProbe {
  /** What is watched, in the plural: "timers", "children". */
  readonly kind: string;
  /** Takes note of what is there before the body. */
  begin(): void | Promise<void>;
  /** What came since {@linkcode begin} and is still there, one text each. May be asked again and again. */
  leaked(): readonly string[] | Promise<readonly string[]>;
  /** Stops watching. */
  end(): void;
}
