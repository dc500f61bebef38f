import { isJsonObject, type JsonObject } from "../core/json.ts";

/** What one record says of how its conversation began. */
export interface PromptHint {
  /** A prompt, for one line; the search is over. */
  readonly prompt?: string;
  /** A command of the CLI: stands for the prompt where none follows. */
  readonly command?: string;
}

const COMMAND = /<command-name>(.*?)<\/command-name>/;
const SHELL = /<bash-input>(.*?)<\/bash-input>/;
/** What the CLI writes in the user's name: output of commands, reminders, marks of an interrupt. */
const NOT_TYPED = /^\s*<[a-z][A-Za-z0-9_-]*[\s>]|^\[Request interrupted by user[^\]]*\]/;

/** How much of a prompt is kept, in UTF-16 units. */
const MAX_LENGTH = 200;

/** Reads one record for a prompt that a person typed. */
export function promptHint(entry: Readonly<Record<string, unknown>>): PromptHint {
  if (entry.type !== "user" || entry.isMeta === true || entry.isCompactSummary === true) return {};
  let command: string | undefined;
  for (const text of textsOf(entry)) {
    // As the official SDK: a line feed becomes a blank, a carriage return does not.
    const line = text.replaceAll("\n", " ").trim();
    if (line === "") continue;
    const named = COMMAND.exec(line)?.[1];
    if (named !== undefined) {
      command ??= named;
      continue;
    }
    const shell = SHELL.exec(line)?.[1];
    if (shell !== undefined) return { prompt: `! ${shell.trim()}` };
    if (!NOT_TYPED.test(line)) return { prompt: shortened(line), ...(command === undefined ? {} : { command }) };
  }
  return command === undefined ? {} : { command };
}

/** The texts of a user record; none if it answers a tool. */
function textsOf(entry: Readonly<Record<string, unknown>>): string[] {
  const content = isJsonObject(entry.message) ? entry.message.content : undefined;
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  const blocks: JsonObject[] = content.filter(isJsonObject);
  if (blocks.some((block) => block.type === "tool_result")) return [];
  return blocks.flatMap((block) => block.type === "text" && typeof block.text === "string" ? [block.text] : []);
}

function shortened(line: string): string {
  if (line.length <= MAX_LENGTH) return line;
  // A pair of surrogates is kept whole or left out.
  const splits = /[\uD800-\uDBFF]/.test(line[MAX_LENGTH - 1]!);
  return `${line.slice(0, splits ? MAX_LENGTH - 1 : MAX_LENGTH).trimEnd()}…`;
}
