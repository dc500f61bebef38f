import { OptionError } from "../errors/option_error.ts";

/** What no skill name may hold: it is spliced into a rule, `Skill(name)`, and must not end it or widen it. */
// deno-lint-ignore no-control-regex -- control characters are what it is about
const FORBIDDEN = /[(),\u0000-\u001f\u007f-\u009f\ufeff]/;

/** Whether a string has half of a surrogate pair in it. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * Refuses a name that would mean something else once it stands in a rule (B31–B33).
 *
 * @throws {OptionError} naming the entry.
 */
export function checkSkillName(name: string, index: number): void {
  const problem = skillNameProblem(name);
  if (problem !== undefined) throw new OptionError(`skills[${index}]`, problem);
}

function skillNameProblem(name: string): string | undefined {
  if (name.trim() === "") return "must not be empty";
  if (name !== name.trim()) return "must not begin or end with a blank";
  if (FORBIDDEN.test(name)) return "must not hold parentheses, commas or control characters";
  if (LONE_SURROGATE.test(name)) return "must not hold half of a surrogate pair";
  if (name === "*" || name.endsWith(":*") || name.endsWith(" *")) return "must be one name, not a pattern";
  if (name.startsWith("/")) return "must be a name without its slash";
  if (name.includes("\\\\") || name.endsWith("\\")) return "must not hold a doubled or a last backslash";
  return undefined;
}
