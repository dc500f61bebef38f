import { OptionError } from "../core/errors/option_error.ts";

/** What {@linkcode cliEnvironment} needs to know. */
export interface CliEnvironmentOptions {
  /** Where the model is: `scriptedModel().url`. */
  readonly url: string;
  /** A folder of its own, by its full path, for everything the CLI writes; nothing of the real home is read. */
  readonly home: string;
  /** Default `<home>/.claude`. */
  readonly configDir?: string;
  /** Where the CLI keeps sockets and the output of background tasks (else `/tmp`). Default `<home>/tmp`. */
  readonly tempDir?: string;
  /** Default the usual POSIX folders; the CLI looks up `sh`, `git` and the like there. */
  readonly path?: string;
  /** Default a dummy. It goes to `url` only. */
  readonly apiKey?: string;
  /** Lets `bypassPermissions` run as root: sets `IS_SANDBOX`. Default false. */
  readonly sandbox?: boolean;
  /** Laid over the rest; what Windows programs need (`SystemRoot`, …) belongs here. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * The complete environment in which the real CLI runs offline: every request goes to `url`, nothing else is called, and
 * nothing is inherited. Measured on CLI 2.1.332: with it, the only address the process connects to is the one in `url`.
 *
 * Pure: reads nothing of the host. Pass the result as the whole environment of the child (the `env` option replaces).
 *
 * @throws {OptionError} for a home that is no full path: the CLI would look for it in its working folder.
 */
export function cliEnvironment(options: CliEnvironmentOptions): Record<string, string> {
  if (!/^([\\/]|[A-Za-z]:[\\/])/.test(options.home)) throw new OptionError("home", "must be a full path");
  return {
    ANTHROPIC_BASE_URL: options.url,
    ANTHROPIC_API_KEY: options.apiKey ?? "scripted-model-key",
    HOME: options.home,
    USERPROFILE: options.home,
    CLAUDE_CONFIG_DIR: options.configDir ?? `${options.home}/.claude`,
    CLAUDE_CODE_TMPDIR: options.tempDir ?? `${options.home}/tmp`,
    PATH: options.path ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    ...(options.sandbox === true ? { IS_SANDBOX: "1" } : {}),
    ...options.extra,
  };
}
