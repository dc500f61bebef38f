import type { LeakProbe } from "./leak_probe.ts";

/** A timer as a runtime hands it out: a number on the web and in workerd, an object elsewhere. */
type Handle = unknown;
type Global = Record<"setTimeout" | "setInterval" | "clearTimeout" | "clearInterval", (...args: never[]) => unknown>;

/**
 * Watches timers that were set through the globals and neither fired nor were cleared. The globals are wrapped only
 * between `begin` and `end`; a module that took its own reference before escapes it.
 */
export function timerProbe(scope: typeof globalThis = globalThis): LeakProbe {
  const globals = scope as unknown as Global;
  const pending = new Map<Handle, string>();
  let originals: Global | undefined;

  const wrapSet = (name: "setTimeout" | "setInterval", original: Global["setTimeout"]) => {
    const wrapped = (callback: unknown, delay?: number, ...args: unknown[]): Handle => {
      const once = name === "setTimeout";
      const tracked = typeof callback !== "function" ? callback : function (this: unknown, ...given: unknown[]) {
        if (once) pending.delete(handle);
        return callback.apply(this, given);
      };
      const handle: Handle = Reflect.apply(original, scope, [tracked, delay, ...args]);
      pending.set(handle, `${name}(${delay ?? 0} ms) set ${whereFrom(new Error().stack)}`);
      return handle;
    };
    // Node hangs `util.promisify.custom` on the function; losing it would change what the body sees.
    return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
  };
  const wrapClear = (original: Global["clearTimeout"]) => (handle?: Handle): void => {
    Reflect.apply(original, scope, [handle]);
    if (pending.delete(handle)) return;
    // Node and Bun also take the number of a timer object.
    for (const known of pending.keys()) {
      if (isObject(known) && String(Number(known)) === String(handle)) pending.delete(known);
    }
  };

  return {
    kind: "timers",
    begin() {
      pending.clear();
      const { setTimeout, setInterval, clearTimeout, clearInterval } = globals;
      originals = { setTimeout, setInterval, clearTimeout, clearInterval };
      globals.setTimeout = wrapSet("setTimeout", setTimeout);
      globals.setInterval = wrapSet("setInterval", setInterval);
      globals.clearTimeout = wrapClear(clearTimeout);
      globals.clearInterval = wrapClear(clearInterval);
    },
    leaked() {
      // `timer.close()` and `timer[Symbol.dispose]()` clear a timer without passing through the globals.
      for (const handle of pending.keys()) {
        if (isObject(handle) && handle["_destroyed"] === true) pending.delete(handle);
      }
      return [...pending.values()];
    },
    end() {
      if (originals !== undefined) Object.assign(globals, originals);
      originals = undefined;
      pending.clear();
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The first place outside this file that a stack names. */
function whereFrom(stack = ""): string {
  const frames = stack.split("\n").map((line) => line.trim()).filter((line) => /:\d+:\d+\)?$/.test(line));
  // The first is the wrapper's own; its file has another name in a bundle.
  const caller = frames.slice(1).find((line) => !line.includes("timer_probe"));
  return caller === undefined ? "at an unknown place" : caller.startsWith("at ") ? caller : `at ${caller}`;
}
