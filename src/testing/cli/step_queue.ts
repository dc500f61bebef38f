import type { JsonObject } from "../../core/json.ts";
import { fitsPattern } from "./frame_pattern.ts";
import type { CliStep } from "./step.ts";

/** The steps to come, and which of them will take a frame that arrives early. */
export class StepQueue {
  readonly #ahead: CliStep[];
  #current: CliStep | undefined;

  /** Takes a copy of the list. */
  constructor(steps: readonly CliStep[]) {
    this.#ahead = [...steps];
  }

  /** What was not begun, one word per step. */
  get unplayed(): readonly string[] {
    return this.#ahead.map((item) => item.kind);
  }

  /** The next step. */
  next(): CliStep | undefined {
    return this.#ahead.shift();
  }

  /** A step begins; returns what to call when it is over. */
  enter(item: CliStep): () => void {
    const outer = this.#current;
    this.#current = item;
    return () => {
      this.#current = outer;
    };
  }

  /** The step that waited has got its frame: it will take no other. */
  served(): void {
    if (this.#current?.kind !== "run") this.#current = undefined;
  }

  /** The step that will take a frame, when `earlier` others of its kind wait already. */
  takerOf(frame: JsonObject, earlier: number): CliStep | undefined {
    const steps = this.#current === undefined ? this.#ahead : [this.#current, ...this.#ahead];
    return steps.filter((item) => takes(item, frame))[earlier];
  }
}

function takes(item: CliStep, frame: JsonObject): boolean {
  switch (item.kind) {
    case "expect":
    case "begin":
      return fitsPattern(item.pattern, frame);
    case "run":
      return item.takes.includes(String((frame.request as JsonObject | undefined)?.subtype));
    default:
      return false;
  }
}
