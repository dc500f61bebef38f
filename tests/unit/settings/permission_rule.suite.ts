import { assert } from "chai";
import { isPermissionRule } from "../../../src/settings/rules/permission_rule.ts";
import { suite } from "../../harness/suite.ts";

/** Rules the CLI keeps under any behaviour (2.1.332). */
const KEPT = String.raw`
Bash|Bash(*)|Bash(ls)|Bash ls|Bash(ls))|Bash(l(s)|Bash(a)(b)|Bash(a:*)|Bash(a:*b)|Bash( :*)|Bash(:*:*)|Bash(\(a\))|Bash(a\\)
Bash\(x|Bash(a,b)| Bash|1Bash|_x|(x)|Foo(x)|Read(**)|Read(a:b)|LS(a:*)|Grep(x:*)|MultiEdit(a:*)|PowerShell(:*)
WebFetch|WebFetch(domain:x)|WebFetch(domain:)|WebFetch(*)|WebSearch(x)|WebSearch(*)|mcp__a|mcp__a__b|mcp__a__*|Mcp__a(x)
`.trim().split(/[|\n]/).concat("Ünï");

/** Rules it drops under any behaviour. */
const DROPPED = String.raw`
bash|foo|zBash|bash(x)|Bash(|Bash()|Bash(ls|Bash(ls) |Bash)|Bash l)|Bash(a\)|Bash(a)\)|Bash(x)y|Bash(:*)|Read()|Foo()
Read(a:*)|Write(**:*)|Edit(a:*)|Glob(a:*)|NotebookEdit(a:*)|NotebookRead(a:*)|Cd(a:*)|Read(a:*/b)
WebFetch(x)|WebFetch(https://x)|WebFetch(Domain:x)|WebFetch(x*)|WebSearch(x*y)|WebSearch(a?)|mcp__a(x)|mcp__a__b(*)
`.trim().split(/[|\n]/).concat("", "  ", "é");

/** Rules that may refuse and ask, but not allow. */
const NOT_ALLOWING = ["*", "**", "Ba*", "mcp__*", "mcp__a*", "mcp__*__b", "A*(x)", "*(x)"];

export default suite("permission rules of settings", (test) => {
  test("the CLI's measure of a rule", () => {
    for (const behavior of ["allow", "deny", "ask"] as const) {
      assert.deepEqual(KEPT.filter((rule) => !isPermissionRule(rule, behavior)), [], behavior);
      assert.deepEqual(DROPPED.filter((rule) => isPermissionRule(rule, behavior)), [], behavior);
      assert.deepEqual(
        NOT_ALLOWING.filter((rule) => isPermissionRule(rule, behavior)),
        behavior === "allow" ? [] : NOT_ALLOWING,
      );
    }
    assert.isTrue(isPermissionRule("mcp__a__b*", "allow"));
  });
});
