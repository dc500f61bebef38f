import { type Clock, systemClock } from "../../../core/clock.ts";
import type { Runtime } from "../../../core/runtime.ts";
import { askProgram } from "../ask_program.ts";

const SECURITY = "/usr/bin/security";

/** The system may ask the user whether this program may know it. */
const LIMIT_MS = 5_000;

/** Variables that log the CLI in by themselves. */
const LOGINS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/**
 * The login that the CLI keeps in the keychain of macOS, as JSON; undefined if there is none, nobody may ask, or the environment
 * logs in by itself. Only for the user's usual config directory: the name of the entry depends on the directory, so that
 * a CLI in a private one does not find it. Never rejects.
 */
export async function keychainCredentials(
  runtime: Runtime,
  env: Readonly<Record<string, string>>,
  clock: Clock = systemClock,
): Promise<Uint8Array | undefined> {
  if (runtime.platform !== "darwin" || !runtime.mayRun(SECURITY)) return undefined;
  if (LOGINS.some((name) => env[name] !== undefined && env[name] !== "")) return undefined;
  const user = env.USER ?? env.LOGNAME;
  if (user === undefined || user === "") return undefined;
  try {
    const { code, text } = await askProgram(runtime, {
      command: SECURITY,
      args: ["find-generic-password", "-a", user, "-w", "-s", "Claude Code-credentials"],
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", HOME: env.HOME ?? "/", USER: user },
      clock,
      limitMs: LIMIT_MS,
      maxChars: 262_144,
    });
    return code === 0 && text.trim() !== "" ? new TextEncoder().encode(text.trim()) : undefined;
  } catch {
    // It would not start: then there is no keychain to ask.
    return undefined;
  }
}
