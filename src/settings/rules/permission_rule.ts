import { textThat } from "./rule.ts";
import type { Rule } from "./rule.ts";

/** Tools whose rules are about paths, where `:*` means nothing. */
const PATH_TOOLS: readonly string[] = ["Read", "Edit", "Write", "Glob", "NotebookEdit", "NotebookRead", "Cd"];

/**
 * Whether the CLI accepts a permission rule of a settings file (2.1.332); one that it does not is dropped, and the rest of
 * the file stays. `allow` rules may not have a wildcard in the tool's name, but for the tools of one MCP server.
 */
export function isPermissionRule(rule: string, behavior: "allow" | "deny" | "ask"): boolean {
  if (rule.trim() === "") return false;
  const open = unescapedParentheses(rule, "(")[0];
  const closing = unescapedParentheses(rule, ")").at(-1);
  if ((open === undefined) !== (closing === undefined)) return false;

  const tool = open === undefined ? rule : rule.slice(0, open);
  if (behavior === "allow" && tool.includes("*") && !/^mcp__(?:(?!__)[^*])+__/.test(tool)) return false;
  if (tool.startsWith("mcp__")) return open === undefined;
  const first = [...tool][0] ?? "";
  if (first === first.toLowerCase() && first !== first.toUpperCase()) return false;
  if (open === undefined || closing === undefined) return true;

  if (closing !== rule.length - 1) return false;
  const content = rule.slice(open + 1, closing);
  if (content === "") return false;
  if (PATH_TOOLS.includes(tool)) return !content.includes(":*");
  if (tool === "Bash") return content !== ":*";
  if (tool === "WebFetch") return content === "*" || content.startsWith("domain:");
  if (tool === "WebSearch") return content === "*" || !/[*?]/.test(content);
  return true;
}

/** The rule of a list of rules for one behaviour. */
export function permissionRule(behavior: "allow" | "deny" | "ask"): Rule {
  return textThat((value) => isPermissionRule(value, behavior), "a permission rule");
}

/** Where a parenthesis stands that no backslash takes back. */
function unescapedParentheses(rule: string, parenthesis: string): number[] {
  const places: number[] = [];
  for (let index = 0; index < rule.length; index += 1) {
    if (rule[index] === "\\") index += 1;
    else if (rule[index] === parenthesis) places.push(index);
  }
  return places;
}
