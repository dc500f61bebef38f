import { OptionError } from "../../core/errors/option_error.ts";
import type { Options } from "../../core/options/options.ts";
import type { Platform } from "../../core/runtime.ts";
import { FLAGS } from "./flags.ts";

/** What a system is given to start a program. */
export interface CommandLine {
  readonly command: string;
  /** Before the CLI's own: an interpreter's, and the script. */
  readonly before?: readonly string[];
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * What systems take, in bytes; the terminating NUL, and a pointer for each text, count. Linux: 128 KiB for one text, and a quarter
 * of the stack for all (8 MiB where nobody has changed it). macOS: 1 MiB for all. Some room is left for what a loader adds.
 */
const POSIX: Partial<Record<Platform, { readonly one: number; readonly all: number }>> = {
  linux: { one: 128 * 1024, all: 2 * 1024 * 1024 - 16 * 1024 },
  darwin: { one: Infinity, all: 1024 * 1024 - 16 * 1024 },
};

/** What Windows takes, in UTF-16 units: for the whole command line, and for the value of one variable. */
const WINDOWS = 32_767;

/**
 * Refuses what the system would refuse, in its own words and without saying why.
 *
 * @throws {OptionError} that names the option which takes most; no value is in its message.
 */
export function checkCommandLine(platform: Platform, line: CommandLine): void {
  if (platform === "win32") return checkWindows(line);
  const limits = POSIX[platform];
  if (limits === undefined) return;
  for (const [option, text] of texts(line)) {
    const bytes = weight(text);
    if (bytes > limits.one) {
      throw new OptionError(
        option,
        `takes ${bytes} bytes, more than the ${limits.one} that ${platform} takes in one piece`,
      );
    }
  }
  const total = sum([...texts(line)], (text) => weight(text) + POINTER);
  if (total.all <= limits.all) return;
  throw new OptionError(
    total.largest,
    `takes the largest part of ${total.all} bytes of command line and environment, and ${platform} takes ${limits.all}`,
  );
}

const POINTER = 8;

function checkWindows(line: CommandLine): void {
  for (const [option, text] of variables(line)) {
    if (text.length >= WINDOWS) {
      throw new OptionError(option, `takes ${text.length} characters, more than the ${WINDOWS} that Windows takes`);
    }
  }
  const total = sum([...argumentTexts(line)], (text) => quotedLength(text) + 1);
  if (total.all < WINDOWS) return;
  throw new OptionError(
    total.largest,
    `takes the largest part of a command line of ${total.all} characters, and Windows takes ${WINDOWS}`,
  );
}

/** How long an argument is once it is quoted as programs on Windows read it. */
function quotedLength(text: string): number {
  if (text !== "" && !/[\s"]/.test(text)) return text.length;
  // A quote is escaped, and so is each backslash before one or at the end.
  let escapes = 0;
  let slashes = 0;
  for (const char of text) {
    if (char === '"') escapes += slashes + 1;
    slashes = char === "\\" ? slashes + 1 : 0;
  }
  return text.length + escapes + slashes + 2;
}

function weight(text: string): number {
  return new TextEncoder().encode(text).length + 1;
}

type OptionText = readonly [option: string, text: string];

function sum(
  list: readonly OptionText[],
  measure: (text: string) => number,
): { readonly all: number; readonly largest: string } {
  const parts = new Map<string, number>();
  let all = 0;
  for (const [option, text] of list) {
    const size = measure(text);
    all += size;
    parts.set(option, (parts.get(option) ?? 0) + size);
  }
  const largest = [...parts].reduce((a, b) => b[1] > a[1] ? b : a)[0];
  return { all, largest };
}

function* texts(line: CommandLine): Generator<OptionText> {
  yield* argumentTexts(line);
  yield* variables(line);
}

function* argumentTexts({ command, before = [], args }: CommandLine): Generator<OptionText> {
  yield ["pathToClaudeCodeExecutable", command];
  for (const text of before) yield ["executableArgs", text];
  for (const text of args) yield [optionOf(text), text];
}

function* variables({ env = {} }: CommandLine): Generator<OptionText> {
  for (const [name, value] of Object.entries(env)) yield [`env.${name}`, `${name}=${value}`];
}

/** Flags that are not in {@linkcode FLAGS}, by option. */
const OTHERS: Readonly<Record<string, keyof Options>> = {
  "--disallowedTools": "disallowedTools",
  "--json-schema": "outputFormat",
  "--mcp-config": "mcpServers",
  "--plugin-dir": "plugins",
  "--plugin-dir-no-mcp": "plugins",
  "--settings": "settings",
};

/** The option that makes an argument, as far as its flag tells. */
function optionOf(argument: string): string {
  const flag = argument.split("=", 1)[0]!;
  return OTHERS[flag] ?? FLAGS.find((row) => row.flag === flag)?.option ?? `extraArgs.${flag.replace(/^--/, "")}`;
}
