import { pathRules } from "../core/paths.ts";
import type { Platform, Runtime } from "../core/runtime.ts";

/** The folder of the machine's managed settings, by platform. */
export function managedFolder(platform: Platform): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode";
  return platform === "win32" ? "C:\\Program Files\\ClaudeCode" : "/etc/claude-code";
}

/** A path with its base, without `.`, `..` and doubled separators. */
export function absolutePath(runtime: Pick<Runtime, "platform" | "cwd">, path: string): string {
  const rules = pathRules(runtime.platform);
  const whole = rules.isAbsolute(path) ? path : rules.join(runtime.cwd(), path);
  const root = runtime.platform === "win32" ? /^(?:[a-z]:|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/i.exec(whole)?.[0] ?? "" : "";
  const names: string[] = [];
  for (const name of whole.slice(root.length).split(runtime.platform === "win32" ? /[\\/]+/ : /\/+/)) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const separator = runtime.platform === "win32" ? "\\" : "/";
  return `${root}${separator}${names.join(separator)}`;
}

/** The file of a person's own settings, by what the environment says; undefined if no folder is known. */
export function userSettingsFile(runtime: Runtime, configDir: string | undefined): string | undefined {
  const rules = pathRules(runtime.platform);
  const env = configDir === undefined ? readableEnvironment(runtime) : {};
  // The name of the file in the desktop app's shared work.
  const cowork = /^(?:1|true|yes|on)$/i.test(env["CLAUDE_CODE_USE_COWORK_PLUGINS"] ?? "");
  const home = runtime.homeDir();
  const folder = configDir ?? env["CLAUDE_CONFIG_DIR"] ??
    (home === undefined ? undefined : rules.join(home, ".claude"));
  if (folder === undefined) return undefined;
  return rules.join(absolutePath(runtime, folder), cowork ? "cowork_settings.json" : "settings.json");
}

/** The environment; empty where rights forbid to read it. */
function readableEnvironment(runtime: Runtime): Readonly<Record<string, string>> {
  try {
    return runtime.environment();
  } catch {
    // Without the right to read variables, the default place is the best guess there is.
    return {};
  }
}
