import { assert } from "chai";
import { matchDeniedModels } from "../../../mod.ts";
import { suite } from "../../harness/suite.ts";

/** An entry of the setting, names it denies, and names it does not. Measured on the official SDK 0.3.332. */
const CASES: readonly (readonly [entry: string, denied: readonly string[], others: readonly string[]])[] = [
  ["opus", [
    "opus",
    "OPUS",
    "opus[1m]",
    "opus[200k]",
    "claude-opus-4-8",
    "claude-3-opus-20240229",
    "us.anthropic.claude-opus-4-1-v1:0",
    "x/opus/y",
    "my_opus",
    "opus.0",
  ], ["opusplan", "best", "xopus", "opus4", "4opus", "claude-opus4", "claude-sonnet-4-5"]],
  ["Opus [1m]", ["claude-opus-4-8"], ["claude-haiku-4-5"]],
  ["claude-opus-4-8", [
    "claude-opus-4-8",
    " Claude-Opus-4-8 ",
    "claude-opus-4-8[2m]",
    "claude-[1m]opus-4-8",
    "claude-opus-4-8-20260101",
    "claude-opus-4-8@20260101",
    "claude-opus-4-8-anything",
    "claude-4-8-opus",
    "claude-opus-04-08",
    "anthropic/claude-opus-4-8",
    "/claude-opus-4-8",
    "us-gov.anthropic.claude-opus-4-8-v1:0",
    "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-8-v1:0",
  ], [
    "opus",
    "opus-4-8",
    "claude-opus-4-1",
    "claude-opus-4-80",
    "claude-opus-4-080",
    "claude-opus-4-8x",
    "claude-opus-4-8.0",
    "claude-opus-4-8:0",
    "claude-opus-4-8[200k]",
    "xx.anthropic.claude-opus-4-8",
    "a.b.anthropic.claude-opus-4-8",
    "claude-opus-4-8/x",
    "google.claude-opus-4-8",
  ]],
  ["opus-4-8", ["claude-opus-4-8"], ["opus-4-8"]],
  ["claude-opus-4", [
    "claude-opus-4",
    "claude-opus-4-8",
    "claude-opus-4-20250514",
    "claude-opus-4-100",
    "claude-opus-4-123x",
    "claude-opus-4-1-1m",
    "claude-4-opus-0",
  ], ["claude-opus-44", "claude-opus-4-1m", "claude-opus-4-12x", "claude-opus-4-1.5", "claude-opus-4:0"]],
  ["claude-sonnet-4-0", ["claude-sonnet-4", "claude-sonnet-4-20250514", "claude-sonnet-4-0"], ["claude-sonnet-4-5"]],
  ["claude-3-5-sonnet-v2@20241022", ["claude-3-5-sonnet-20241022"], ["claude-3-7-sonnet", "claude-sonnet-3"]],
  ["sonnet-3-5", ["claude-3-5-sonnet"], ["sonnet-3-5"]],
  ["claude-mythos-5", ["claude-mythos-5", "claude-mythos-5-20260101"], ["mythos", "mythos-5"]],
  ["claude-opus-4-8-eap", [
    "claude-opus-4-8-eap",
    "claude-opus-4-8-EAP-20260101-v1:0",
    "eu.anthropic.claude-opus-4-8-eap",
  ], ["claude-opus-4-8", "claude-opus-4-8-eap2", "claude-opus-4-8-eap@20260101", "claude-opus-4-8-fast-eap"]],
  ["claude-opus-4-eap", ["claude-opus-4-eap", "claude-opus-4-8-eap"], ["claude-opus-4-8"]],
  ["claude-opus-4-8-20260101-fast", ["claude-opus-4-8-20260101-fast-v1"], ["claude-opus-4-8", "claude-opus-4-8-fast"]],
  ["gpt-4o", ["gpt-4o", "GPT-4o[1m]"], ["openai/gpt-4o", "gpt-4"]],
  ["gpt-4", [], ["gpt-4"]],
  ["a/b", ["a/b", "A/B"], ["b", "x/a/b"]],
  ["claude-opus", ["claude-opus"], ["opus", "claude-opus-4-8"]],
  ["default", [], ["default", "claude-opus-4-8"]],
  ["best[1m]", [], ["best"]],
  ["", [], ["", "a"]],
];

/** Entries, and whether something is said about them. */
const WARNED: Readonly<Record<string, boolean>> = {
  opus: false,
  "opus[1m]": true,
  "claude-opus-4-8": false,
  "claude-opus-4-8[1m]": true,
  "claude-opus-4-8-20260101": true,
  "claude-opus-4-8-latest": true,
  "claude-opus-4-8-fast-20260101-v1:0": true,
  "claude-opus-4-8@20260101": true,
  "claude-opus-4-8-v1@20260101": true,
  "claude-opus-4-8-v1-20260101": false,
  "claude-opus-4-8-v1234": false,
  "claude-opus-4-8-eap": false,
  "claude-opus-4-8-eap[1m]": true,
  "claude-opus-4.8": true,
  "Opus 4.8": true,
  opuss: true,
  mythos: true,
  default: true,
  opusplan: true,
  "": true,
  "[1m]": true,
  "*": true,
};

export default suite("denied models", (test) => {
  test("an entry denies these names and no others", async () => {
    for (const [entry, denied, others] of CASES) {
      const match = await matchDeniedModels([...denied, ...others], [entry]);
      const expected = [...denied.map(() => true), ...others.map(() => false)];
      const wrong = [...denied, ...others].filter((_, index) => match.denied[index] !== expected[index]);
      assert.isEmpty(wrong, `by the entry "${entry}"`);
    }
  });

  test("what an entry does not mean is said, once", async () => {
    for (const [entry, warned] of Object.entries(WARNED)) {
      const { warnings } = await matchDeniedModels(["claude-opus-4-8"], [entry, entry]);
      assert.lengthOf(warnings, warned ? 1 : 0, `for the entry "${entry}"`);
      if (warned && entry.trim() !== "" && entry !== "[1m]") assert.include(warnings[0], JSON.stringify(entry));
    }
  });

  test("no list denies nothing; what is no list, and no name, is named by its type", async () => {
    assert.deepEqual(await matchDeniedModels(["a"], undefined), { denied: [false], warnings: [] });
    assert.deepEqual(await matchDeniedModels(["a"], null), { denied: [false], warnings: [] });
    assert.deepEqual(await matchDeniedModels([], []), { denied: [], warnings: [] });

    const noList = await matchDeniedModels(["a"], "a" as unknown as string[]);
    assert.deepEqual(noList.denied, [false]);
    assert.lengthOf(noList.warnings, 1);
    const noModels = await matchDeniedModels("a" as unknown as string[], ["b-c"]);
    assert.deepEqual(noModels.denied, []);
    assert.lengthOf(noModels.warnings, 2);

    const odd = await matchDeniedModels(["opus", 3, null] as string[], ["opus", 4, 5, null, ["opus"]] as string[]);
    assert.deepEqual(odd.denied, [true, false, false]);
    assert.deepEqual(odd.warnings.map((warning) => /holds an? (\w+)/.exec(warning)?.[1]), [
      "number",
      "null",
      "object",
      "number",
      "null",
    ]);
  });
});
