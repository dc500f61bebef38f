import { atLeast } from "../../core/at_least.ts";
import { OptionError } from "../../core/errors/option_error.ts";

/** How a value reaches the CLI: on its command line, in the `initialize` request, or in a private file named by a flag. */
export type Route = "argv" | "initialize" | "file";

/** How one option may travel, best way first. */
export interface DeliveryRule {
  /** Must never be on a command line, which other users of the machine can read. */
  readonly secret: boolean;
  /** `argv` counts for values up to {@linkcode LONGEST_ARGUMENT} only. */
  readonly routes: readonly Route[];
  /** The first CLI version that takes it in `initialize`. */
  readonly initializeSince: string;
  /** What it may weigh in a file, in bytes. Default: anything. */
  readonly longestFile?: number;
}

/** What a command line argument may weigh, in bytes. Windows takes no more than this for the whole line. */
export const LONGEST_ARGUMENT = 32 * 1024;

/** The same on Windows for a value that has another way: all others share the line. */
export const LONGEST_ON_WINDOWS = 4 * 1024;

/**
 * How large and secret values travel. Everything else goes on the command line, and is refused when it is too long.
 *
 * Measured with CLI 2.1.332:
 * - `mcpServers` in `initialize` under `--await-initialize`, in a file, or on the command line come to the same: the servers
 *   connect at start, `${VAR}` is filled in, `--strict-mcp-config` holds. Waiting for the answer before the prompt cost
 *   nothing that could be measured (first result after 0.7–0.9 s each way). Without the flag the field is ignored
 *   (`mcp_servers_applied: false`). The file is read at start only; it may go then.
 * - `settings` in `initialize` under `--initialize-fields=settings` act as `--settings` does, command hooks of
 *   SessionStart included; `--settings` beside it ends the CLI, so does a declared field that is missing. A file of more
 *   than 2 MiB ends the CLI; `initialize` takes 5 MB.
 * - `managedSettings` in `initialize` under `--managed-settings-in-initialize`; `--managed-settings=<path>` is ignored.
 * - `disallowedTools` under `--initialize-fields=disallowedTools`; the flag takes no `allowedTools` and no `tools`.
 * - `plugins` in `initialize` under `--await-initialize` load as with `--plugin-dir`.
 * - a JSON schema works by `initialize` alone, but one that is no schema is dropped there in silence, while
 *   `--json-schema` ends the CLI with an explanation: so both, as long as it is short.
 */
export const DELIVERY: Readonly<
  Record<"mcpServers" | "settings" | "managedSettings" | "disallowedTools" | "plugins" | "jsonSchema", DeliveryRule>
> = {
  mcpServers: { secret: true, routes: ["initialize", "file"], initializeSince: "2.1.261" },
  settings: {
    secret: true,
    routes: ["initialize", "file"],
    initializeSince: "2.1.332",
    longestFile: 2 * 1024 * 1024,
  },
  managedSettings: { secret: true, routes: ["initialize"], initializeSince: "2.1.332" },
  disallowedTools: { secret: false, routes: ["argv", "initialize"], initializeSince: "2.1.332" },
  plugins: { secret: false, routes: ["argv", "initialize"], initializeSince: "2.1.261" },
  jsonSchema: { secret: false, routes: ["argv", "initialize"], initializeSince: "0" },
};

/** What is known of the CLI and the machine when a route is chosen. */
export interface DeliveryFacts {
  /** `undefined`: not known before the start. */
  readonly cliVersion?: string | undefined;
  /** Whether private files can be written. */
  readonly canWriteFiles: boolean;
  /** The CLI is told to talk to a URL (`--sdk-url`): it cannot read `initialize` at launch. */
  readonly sdkUrl: boolean;
  /** What a value may weigh on the command line if it has another way. */
  readonly longestArgument: number;
}

/**
 * Chooses the way for a value of `bytes` bytes. Of an unknown version a file asks the least; where none can be written, or the
 * value is too long for one, the CLI is taken to be a current one.
 *
 * @throws {OptionError} if there is no way.
 */
export function chooseRoute(
  option: keyof typeof DELIVERY,
  bytes: number,
  facts: DeliveryFacts,
  preferred?: "argv" | "initialize",
): Route {
  const { routes, secret, initializeSince, longestFile = Infinity } = DELIVERY[option];
  const current = facts.cliVersion === undefined ? undefined : atLeast(facts.cliVersion, initializeSince);
  const canInitialize = routes.includes("initialize") && !facts.sdkUrl && current !== false;
  const canFile = routes.includes("file") && facts.canWriteFiles && bytes <= longestFile;
  if (preferred === "initialize" && canInitialize) return "initialize";
  // What is secret and asked to go by flag goes as the path of a file.
  if (preferred === "argv" && secret && canFile) return "file";
  if (!secret && bytes <= facts.longestArgument) return "argv";
  if (canInitialize && (current === true || !canFile)) return "initialize";
  if (canFile) return "file";
  throw new OptionError(option, noWay(option, facts));
}

function noWay(option: keyof typeof DELIVERY, facts: DeliveryFacts): string {
  const { sdkUrl, cliVersion, canWriteFiles, longestArgument } = facts;
  const reason = DELIVERY[option].secret
    ? "may hold secrets and cannot go on the command line"
    : `is longer than ${longestArgument} bytes, more than the command line takes`;
  if (sdkUrl) return `${reason}, and with --sdk-url there is no other way`;
  const remedy = `it needs CLI ${DELIVERY[option].initializeSince} or newer (this is ${cliVersion ?? "unknown"})`;
  const file = DELIVERY[option].routes.includes("file") && !canWriteFiles
    ? ", or the right to write a private file"
    : "";
  return `${reason}: ${remedy}${file}`;
}
