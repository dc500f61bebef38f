/** What becomes of the contents of files that are copied into a private config directory. Pure. */

import { isJsonObject, type JsonObject } from "../../../core/json.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Credentials without refresh tokens: of the login, and of MCP servers. Such a token can be used once: a copy that used it
 * would log the user out. The session lives as long as its access tokens. What is not understood stays as it is.
 */
export function withoutRefreshTokens(bytes: Uint8Array): Uint8Array | string {
  return edited(bytes, (credentials) => {
    const { claudeAiOauth: login, mcpOAuth: servers } = credentials;
    const kept = withoutToken(login);
    const keptServers = isJsonObject(servers)
      ? Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, withoutToken(server)]))
      : servers;
    const same = kept === login &&
      (keptServers === servers ||
        Object.values(servers as JsonObject).every((server) => withoutToken(server) === server));
    if (same) return undefined;
    return {
      ...credentials,
      ...(login === undefined ? {} : { claudeAiOauth: kept }),
      ...(servers === undefined ? {} : { mcpOAuth: keptServers }),
    } as JsonObject;
  });
}

function withoutToken(login: unknown): unknown {
  if (!isJsonObject(login) || !("refreshToken" in login)) return login;
  const { refreshToken: _, ...kept } = login;
  return kept;
}

/** When the login in a file of credentials ends, in milliseconds since 1970; undefined if it does not say. */
export function loginEnd(bytes: Uint8Array): number | undefined {
  const login = parsed(bytes)?.claudeAiOauth;
  return isJsonObject(login) && typeof login.expiresAt === "number" ? login.expiresAt : undefined;
}

/**
 * Settings without what would lead out of the private directory: plugins, which are installed in the user's own, the places
 * they come from, and a `CLAUDE_CONFIG_DIR` for the CLI's tools. What is not understood stays as it is.
 */
export function withoutPlugins(bytes: Uint8Array): Uint8Array | string {
  return edited(bytes, (settings) => {
    const { enabledPlugins, extraKnownMarketplaces, ...kept } = settings;
    const { env } = kept;
    const named = isJsonObject(env) && "CLAUDE_CONFIG_DIR" in env;
    if (enabledPlugins === undefined && extraKnownMarketplaces === undefined && !named) return undefined;
    if (!named) return kept;
    const { CLAUDE_CONFIG_DIR: _, ...variables } = env;
    return { ...kept, env: variables };
  });
}

/** Changes an object in JSON. The very bytes if there is nothing to change. */
function edited(bytes: Uint8Array, change: (object: JsonObject) => JsonObject | undefined): Uint8Array | string {
  const object = parsed(bytes);
  const changed = object === undefined ? undefined : change(object);
  return changed === undefined ? bytes : JSON.stringify(changed, undefined, 2);
}

/** An object in JSON, a byte order mark before it or not; undefined if it is none. */
function parsed(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
