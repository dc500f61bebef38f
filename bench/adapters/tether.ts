import { addServer } from "./add_server.ts";
import type { LoadedModule, Sdk } from "./sdk.ts";

/** Tether. */
export function adaptTether(loaded: LoadedModule): Sdk {
  return {
    importMs: loaded.importMs,
    query(prompt, { maxMessageBytes, ...options }) {
      const tether = maxMessageBytes === undefined ? undefined : { limits: { maxMessageBytes } };
      return loaded.module.query({ prompt, options: { ...options, ...tether && { tether } } });
    },
    addServer: () => addServer(loaded),
  };
}
