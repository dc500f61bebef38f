import type { ChildHandle, Runtime } from "../../core/runtime.ts";

/** What is needed to end a child in a hurry. */
export type LiveChild = Pick<ChildHandle, "kill" | "killGroup">;

/**
 * The children of one runtime that have not been reaped. When the host ends in an orderly way each gets SIGTERM, so that it
 * takes its own tools down. One hook serves all, and is there only while there are children.
 */
export class LiveChildren {
  readonly #runtime: Pick<Runtime, "onExit">;
  readonly #children = new Set<LiveChild>();
  #unhook: (() => void) | undefined;

  /** Hooks nothing yet. */
  constructor(runtime: Pick<Runtime, "onExit">) {
    this.#runtime = runtime;
  }

  /** How many there are. */
  get size(): number {
    return this.#children.size;
  }

  /** Enters a child; returns what takes it out when it is reaped. */
  add(child: LiveChild): () => void {
    this.#children.add(child);
    this.#unhook ??= this.#runtime.onExit(() => this.#endAll());
    return () => {
      this.#children.delete(child);
      if (this.#children.size > 0) return;
      this.#unhook?.();
      this.#unhook = undefined;
    };
  }

  #endAll(): void {
    for (const child of this.#children) if (!child.killGroup("SIGTERM")) child.kill("SIGTERM");
  }
}

const registries = new WeakMap<object, LiveChildren>();

/** The live children of a runtime. */
export function liveChildren(runtime: Pick<Runtime, "onExit">): LiveChildren {
  let registry = registries.get(runtime);
  if (registry === undefined) registries.set(runtime, registry = new LiveChildren(runtime));
  return registry;
}
