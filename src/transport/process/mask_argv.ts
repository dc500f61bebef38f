import { MASK } from "./mask_secrets.ts";

/** Flags whose values are words out of a short list: they help to understand a failure and say nothing private. */
const PLAIN = new Set([
  "--output-format",
  "--input-format",
  "--permission-mode",
  "--permission-prompt-tool",
  "--permission-prompts",
  "--effort",
  "--thinking",
  "--max-turns",
  "--setting-sources",
]);

/** A command line for error reports: program and flags as they are, every value masked. */
export function maskArgv(command: string, args: readonly string[]): string[] {
  let showNext = false;
  return [
    command,
    ...args.map((arg) => {
      const show = showNext;
      showNext = false;
      const flag = /^--?[a-zA-Z][\w-]*/.exec(arg)?.[0];
      if (flag === undefined) return show ? arg : MASK;
      if (arg === flag) {
        showNext = PLAIN.has(flag);
        return arg;
      }
      return arg[flag.length] !== "=" ? MASK : PLAIN.has(flag) ? arg : `${flag}=${MASK}`;
    }),
  ];
}
