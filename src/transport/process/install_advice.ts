import type { Platform } from "../../core/runtime.ts";

/** What to do when there is no CLI, for the end of an error message. */
export function installAdvice(platform: Platform): string {
  const option = "or give its path in `pathToClaudeCodeExecutable`.";
  if (platform === "win32") {
    return "Install it with the native installer (irm https://claude.ai/install.ps1 | iex), " +
      "or beside this package (npm install @anthropic-ai/claude-code), " + option +
      " The claude.cmd that a global npm install makes is a batch script and is not run.";
  }
  return "Install it beside this package (npm install @anthropic-ai/claude-code), " +
    "or with the native installer (curl -fsSL https://claude.ai/install.sh | bash), " + option;
}
