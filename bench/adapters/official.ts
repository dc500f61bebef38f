import { addServer } from "./add_server.ts";
import type { LoadedModule, Sdk } from "./sdk.ts";

/** The official SDK. It bounds no message. */
export function adaptOfficial(loaded: LoadedModule): Sdk {
  return {
    importMs: loaded.importMs,
    query: (prompt, { maxMessageBytes: _, ...options }) => loaded.module.query({ prompt, options }),
    addServer: () => addServer(loaded),
  };
}
