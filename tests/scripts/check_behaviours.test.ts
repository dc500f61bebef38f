import { assert } from "chai";
import { type Behaviour, citations, compareBehaviours, parseBehaviours } from "../../scripts/check_behaviours.ts";

// Letters that the real page does not use: this file is one of those that are read for citations.
const PAGE = `# Behaviours

Words about ids.

## X. Things

- X01: The first holds.
- X02: The second — with a dash — holds.
- X03: The third does not. — no test: Python only
`;

function compare(page: string, ...texts: string[]): string[] {
  return compareBehaviours(page, texts.map((text, index) => ({ path: `tests/${index}.suite.ts`, text })));
}

Deno.test("a page whose ids are cited or carry a reason has no fault", () => {
  assert.deepEqual(compare(PAGE, 'test("X01 holds")', "check(); // X02"), []);
});

Deno.test("lines are read with their reasons; others are no behaviours", () => {
  const faults: string[] = [];
  const expected: Behaviour[] = [{ id: "X01" }, { id: "X02" }, { id: "X03", reason: "Python only" }];
  assert.deepEqual(parseBehaviours(PAGE, faults), expected);
  assert.deepEqual(faults, []);
});

for (
  const [what, page, text, said] of [
    ["an id that nobody cites", PAGE, "X01", "X02 is cited by no test and carries no reason"],
    ["an id that is not there", PAGE, "X01 X02 X09", "X09 is not on the page; tests/0.suite.ts cites it"],
    ["a reason on what is cited", PAGE, "X01 X02 X03", "X03 carries a reason for having no test"],
    ["an id twice", `${PAGE}- X01: Again.\n`, "X01 X02", "tests/behaviours.md:10: X01 is there twice"],
    ["an empty reason", `${PAGE}- X04: Words. — no test:\n`, "X01 X02", "X04 has an empty reason"],
    ["an id without words", `${PAGE}- X04:\n`, "X01 X02", "tests/behaviours.md:10: is no behaviour"],
    ["an item without an id", `${PAGE}* something\n`, "X01 X02", "tests/behaviours.md:10: is no behaviour"],
    ["a page of nothing", "# Nothing\n", "X01", "lists nothing"],
  ] as const
) {
  Deno.test(`a fault: ${what}`, () => {
    assert.lengthOf(compare(page, text), 1);
    assert.include(compare(page, text)[0], said);
  });
}

Deno.test("the head of a file and ranges cite nothing, other letters are no ids, and words are not searched inside", () => {
  const behaviours: Behaviour[] = [{ id: "X01" }, { id: "X02" }, { id: "Y01" }];
  const cited = (text: string): string[] => [...citations([{ path: "p", text }], behaviours).keys()];
  assert.deepEqual(cited("/** About X01. */\ntest(); // X02"), ["X02"]);
  assert.deepEqual(cited("// X01–X02, X01-X02, X01 … X02; Y01"), ["Y01"]);
  assert.deepEqual(cited("W01 AX01 X011 x01 0xX02 X02_ X02"), ["X02"]);
  assert.deepEqual(cited('"X01, X02"; // (X01 X02)'), ["X01", "X02"]);
});
