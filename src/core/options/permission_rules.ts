import { OptionError } from "../errors/option_error.ts";
import { refuseNul } from "./text_checks.ts";

/**
 * Splits a list of permission rules as the CLI does (measured on 2.1.332 with `list_permission_rules`).
 *
 * Commas and blanks part the rules except inside parentheses. Parentheses do not nest and cannot be escaped or quoted: the
 * first `)` ends what the first `(` began. What is left is trimmed, and empty parts vanish.
 */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let begin = 0;
  let inside = false;
  const end = (at: number): void => {
    const rule = text.slice(begin, at).trim();
    if (rule !== "") rules.push(rule);
    begin = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (!inside && (char === COMMA || char === BLANK)) end(at);
    else if (char === OPEN) inside = true;
    else if (char === CLOSE) inside = false;
  }
  end(text.length);
  return rules;
}

const [COMMA, BLANK, OPEN, CLOSE] = [0x2c, 0x20, 0x28, 0x29];

/**
 * Joins rules for one flag.
 *
 * @throws {OptionError} for a rule that the CLI would read as something else: `Bash(a (b) c, d)` falls apart at its comma,
 * and a parenthesis that nothing closes swallows the rules after it.
 */
export function joinRules(option: string, rules: readonly string[]): string {
  rules.forEach((rule, index) => {
    const path = `${option}[${index}]`;
    refuseNul(path, rule);
    const parts = splitRules(rule);
    if (parts.length === 0) throw new OptionError(path, "must not be empty");
    if (parts.length > 1 || parts[0] !== rule.trim()) {
      throw new OptionError(path, "is split by the CLI: give each rule an entry of its own");
    }
    if (leavesOpen(rule)) throw new OptionError(path, "has a parenthesis that nothing closes");
  });
  return rules.join(",");
}

function leavesOpen(rule: string): boolean {
  return rule.lastIndexOf("(") > rule.lastIndexOf(")");
}

/**
 * Whether a rule lets a whole tool run unasked: `Read`, `Read()`, `Read(*)`, `mcp__server__tool` (K02, K03).
 *
 * @returns the tool's name, or `undefined` for a rule that is narrower or no rule at all.
 */
export function wholeTool(rule: string): string | undefined {
  const match = /^([^\s()][^()]*?)(\(\*?\))?$/.exec(rule.trim());
  return match?.[1];
}
