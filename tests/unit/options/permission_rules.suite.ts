import { assert } from "chai";
import fc from "fast-check";
import { joinRules, splitRules, wholeTool } from "../../../src/core/options/permission_rules.ts";
import { refusedOption } from "../../harness/refused_option.ts";
import { suite } from "../../harness/suite.ts";

/** What `--allowedTools` made of a text: CLI 2.1.332, read back with `list_permission_rules`. */
const SEEN: readonly (readonly [text: string, rules: readonly string[]])[] = [
  ["Bash(git log, status),Read", ["Bash(git log, status)", "Read"]],
  ["Bash(echo a b c),Read", ["Bash(echo a b c)", "Read"]],
  ["Read Edit,Write", ["Read", "Edit", "Write"]],
  ["Bash(git log:*)  ,  Read", ["Bash(git log:*)", "Read"]],
  ["Bash(unclosed, Read", ["Bash(unclosed, Read"]],
  ["Read), Edit", ["Read)", "Edit"]],
  ["mcp__a__b(x,y)", ["mcp__a__b(x,y)"]],
  ["", []],
  [",", []],
  ["Skill(a b),Skill(c)", ["Skill(a b)", "Skill(c)"]],
  ["Bash(a\nb),Read", ["Bash(a\nb)", "Read"]],
  ['WebFetch(domain:x.com),Bash(echo "a,b")', ["WebFetch(domain:x.com)", 'Bash(echo "a,b")']],
  ["Bash(echo ')' , x)", ["Bash(echo ')'", "x)"]],
  ["Bash(a (b) c, d),Read", ["Bash(a (b)", "c", "d)", "Read"]],
  ["Bash(a ( c, d),Read", ["Bash(a ( c, d)", "Read"]],
  ["Bash(a \\) b, c),Read", ["Bash(a \\)", "b", "c)", "Read"]],
  ["Bash(a)\tRead", ["Bash(a)\tRead"]],
  [" Bash(x)", ["Bash(x)"]],
  ["Bash[a, b],Read", ["Bash[a", "b]", "Read"]],
  ["Bash(a\u00a0b, c)", ["Bash(a\u00a0b, c)"]],
];

export default suite("permission rules", (test) => {
  test("a list of rules falls apart as it does in the CLI", () => {
    for (const [text, rules] of SEEN) assert.deepEqual(splitRules(text), rules, text);
  });

  test("a rule that holds a comma comes back whole", () => {
    const rules = ["Bash(git log, status)", "Read", "mcp__a__b(x,y)", "Skill(a b)"];
    assert.equal(joinRules("allowedTools", rules), "Bash(git log, status),Read,mcp__a__b(x,y),Skill(a b)");
    assert.deepEqual(splitRules(joinRules("allowedTools", rules)), rules);
  });

  test("a rule that the CLI would read as something else is refused by its place", () => {
    for (const rule of ["Bash(a (b) c, d)", "Read Edit", "Read,Edit", "Bash(open, x", "", " ", "a\0b", "Bash(x)("]) {
      assert.equal(refusedOption(() => joinRules("allowedTools", ["Read", rule])), "allowedTools[1]", rule);
    }
  });

  test("whatever rules are accepted, the CLI reads exactly those", () => {
    const rule = fc.array(fc.constantFrom("Bash", "(", ")", ",", " ", "ls", "-x", "\\", "\n", "'"), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(rule.map((parts) => parts.join("")), { maxLength: 5 }), (rules) => {
        let joined: string;
        try {
          joined = joinRules("allowedTools", rules);
        } catch {
          return;
        }
        assert.deepEqual(splitRules(joined), rules.map((text) => text.trim()));
      }),
      { seed: 332, numRuns: 2000 },
    );
  });

  test("K02, K03: whole-tool rules are told from narrower ones and from rubbish", () => {
    for (const rule of ["Read", "Read()", "Read(*)", " Read "]) assert.equal(wholeTool(rule), "Read", rule);
    assert.equal(wholeTool("mcp__s__t"), "mcp__s__t");
    for (const rule of ["Bash(ls:*)", "", " ", "(foo)", "(*)", "Read(*x", "Read)", "Bash(a)(*)"]) {
      assert.isUndefined(wholeTool(rule), rule);
    }
  });
});
