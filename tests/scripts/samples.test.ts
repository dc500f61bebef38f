import { assert } from "chai";
import { samplesOf } from "../../scripts/gate/samples.ts";

const page = [
  "text",
  "```ts",
  'console.log("one");',
  "```",
  "```ts ignore",
  "a fragment",
  "```",
  "```ts check-only",
  "needs an account",
  "```",
  "```sh",
  "ls",
  "```",
  "```typescript",
  "two();",
  "",
  "three();",
  "```",
].join("\n");

Deno.test("the programs of a page are its blocks marked ts, with the line they begin at", () => {
  assert.deepEqual(samplesOf("a.md", page), [
    { page: "a.md", line: 2, code: 'console.log("one");' },
    { page: "a.md", line: 14, code: "two();\n\nthree();" },
  ]);
});

Deno.test("a block that is never closed is a fault, not a page without samples", () => {
  assert.throws(() => samplesOf("a.md", "```ts\nquery();"), "a.md:1: a block that is never closed");
});
