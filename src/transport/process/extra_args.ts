import { OptionError } from "../../core/errors/option_error.ts";
import type { Options } from "../../core/options/options.ts";

/** Flags that make the CLI talk frames over its pipes, and those that say what `initialize` holds. */
const OURS: ReadonlySet<string> = new Set([
  "output-format",
  "input-format",
  "print",
  "p",
  "initialize-fields",
  "managed-settings-in-initialize",
]);

/** A flag's name, without its dashes. */
const FLAG_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/**
 * The flags of `extraArgs`, in their order. They are not compared with the options: the CLI sees both. `settings` is left
 * out: it is merged with `sandbox`, and the option `settings` replaces it.
 *
 * @throws {OptionError} for a name that is no flag's, or a value that is no text.
 */
export function extraFlags(extraArgs: Options["extraArgs"]): [flag: string, value: string | true][] {
  return Object.entries(extraArgs ?? {}).flatMap(([name, value]): [string, string | true][] => {
    const option = `extraArgs.${name}`;
    if (!FLAG_NAME.test(name)) {
      throw new OptionError("extraArgs", "holds a name that is no flag's; give it without dashes");
    }
    if (OURS.has(name)) throw new OptionError(option, "cannot be set: the conversation depends on it");
    if (name === "managed-settings") throw new OptionError(option, "may hold secrets: use the option managedSettings");
    if (value === undefined || name === "settings") return [];
    if (value === null) return [[`--${name}`, true]];
    // The peers turn other plain values into text, too.
    if (typeof value === "object" || typeof value === "function" || typeof value === "symbol") {
      throw new OptionError(option, "must be a string, or null for a flag without a value");
    }
    return [[`--${name}`, String(value)]];
  });
}

/**
 * The flag by which the CLI reads a value from a file that must not stand on a command line: prompts, and agents, which have
 * some. Undefined for any other value. CLI 2.1.332: each means the same as the text itself.
 */
export function secretFileFlag(flag: string, value: string): string | undefined {
  switch (flag) {
    case "--system-prompt":
    case "--append-system-prompt":
      return `${flag}-file`;
    case "--agents":
      // Anything else is the path of a file.
      return value.trimStart().startsWith("{") ? flag : undefined;
    default:
      return undefined;
  }
}

/** Whether the CLI is told to talk to a URL; it then reads no `initialize` at launch. */
export function namesSdkUrl({ extraArgs, executableArgs }: Options): boolean {
  const named = extraArgs?.["sdk-url"];
  return named !== undefined ||
    (executableArgs ?? []).some((arg) => arg === "--sdk-url" || arg.startsWith("--sdk-url="));
}
