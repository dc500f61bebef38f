import { UnsupportedRuntimeError } from "../core/errors/mod.ts";
import type { Runtime } from "../core/runtime.ts";

/** Which runtime this is, by what it can do. */
export type RuntimeName = Runtime["name"];

/** The globals that are looked at. */
interface Globals {
  readonly Deno?: { readonly Command?: unknown; readonly version?: { readonly deno?: unknown } };
  readonly Bun?: { readonly spawn?: unknown };
  readonly process?: {
    readonly versions?: { readonly node?: unknown };
    readonly execPath?: unknown;
    readonly pid?: unknown;
    readonly kill?: unknown;
  };
}

/**
 * Names the runtime this runs on; undefined where no process can be started (edge runtimes, browsers). Looks at features,
 * not at user agents: some edge runtimes carry a `process` that says it is Node's, without a program behind it.
 */
export function runtimeName(scope: unknown = globalThis): RuntimeName | undefined {
  const { Deno: deno, Bun: bun, process: node } = scope as Globals;
  if (typeof deno?.Command === "function" && typeof deno.version?.deno === "string") return "deno";
  if (typeof bun?.spawn === "function") return "bun";
  const isNode = typeof node?.versions?.node === "string" && typeof node.kill === "function" &&
    typeof node.execPath === "string" && /[\\/]/.test(node.execPath) && typeof node.pid === "number" && node.pid > 0;
  return isNode ? "node" : undefined;
}

/**
 * The adapter for the runtime this runs on. Only that one is loaded; loading it needs no permission and changes nothing.
 *
 * @throws {UnsupportedRuntimeError} where no process can be started.
 */
export async function detectRuntime(): Promise<Runtime> {
  const name = runtimeName();
  // Literal imports, one each: packers rewrite these and nothing else.
  try {
    switch (name) {
      case "deno":
        return (await import("./deno/deno_runtime.ts")).denoRuntime;
      case "bun":
        return (await import("./bun/bun_runtime.ts")).bunRuntime;
      case "node":
        return (await import("./node/node_runtime.ts")).nodeRuntime;
    }
  } catch (cause) {
    throw new UnsupportedRuntimeError(`The adapter for ${name} could not be loaded`, { cause });
  }
  throw new UnsupportedRuntimeError(
    "No process can be started here: this is neither Deno, Bun nor Node. Reach a CLI that runs elsewhere through a transport",
  );
}
