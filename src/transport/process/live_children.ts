import type { ChildHandle, Runtime } from "../../core/runtime.ts";

/** What is needed to end a child in a hurry. */
export type LiveChild = Pick<ChildHandle, "kill" | "killGroup">;

/**
 * The children of one runtime that have not been reaped. When the host ends in an orderly way each gets SIGTERM, so that it
 * takes its own tools down. One hook serves all, and is there only while there are children.
 */
export class LiveChildren {
  readonly #runtime: Pick<Runtime, "onExit" | "fs">;
  /** With the folder that was made for each, if one was: it may hold secrets. */
  readonly #children = new Map<LiveChild, string | undefined>();
  #unhook: (() => void) | undefined;

  /** Hooks nothing yet. */
  constructor(runtime: Pick<Runtime, "onExit" | "fs">) {
    this.#runtime = runtime;
  }

  /** How many there are. */
  get size(): number {
    return this.#children.size;
  }

  /** Enters a child, and the folder that goes with the host; returns what takes both out when the child is reaped. */
  add(child: LiveChild, folder?: string): () => void {
    this.#children.set(child, folder);
    this.#unhook ??= this.#runtime.onExit(() => this.#endAll());
    return () => {
      this.#children.delete(child);
      if (this.#children.size > 0) return;
      this.#unhook?.();
      this.#unhook = undefined;
    };
  }

  #endAll(): void {
    for (const [child, folder] of this.#children) {
      if (!child.killGroup("SIGTERM")) child.kill("SIGTERM");
      // The watchdog would do it, but may not have been started yet.
      if (folder !== undefined) this.#runtime.fs.removeAtExit(folder);
    }
  }
}

const registries = new WeakMap<object, LiveChildren>();

/** The live children of a runtime. */
export function liveChildren(runtime: Pick<Runtime, "onExit" | "fs">): LiveChildren {
  let registry = registries.get(runtime);
  if (registry === undefined) registries.set(runtime, registry = new LiveChildren(runtime));
  return registry;
}
