/** What a store keeps of a session so that listing needs no transcript. Cases without a remark: as the official SDK. */

import { assert } from "chai";
import fc from "fast-check";
import type { SessionKey, SessionStoreEntry } from "../../src/core/options/mod.ts";
import { foldSessionSummary } from "../../src/sessions/mod.ts";
import { deepFreeze } from "../harness/freeze.ts";
import { suite } from "../harness/suite.ts";

const KEY: SessionKey = { projectKey: "p", sessionId: "s" };

const user = (content: unknown, more: Record<string, unknown> = {}): SessionStoreEntry => (
  { type: "user", message: { role: "user", content }, ...more }
);

const data = (...entries: SessionStoreEntry[]): Record<string, unknown> =>
  foldSessionSummary(undefined, KEY, entries).data;

/** What is kept of prompts, without the mark that the first is found. */
function prompt(...entries: SessionStoreEntry[]): unknown {
  const { firstPrompt, firstPromptLocked } = data(...entries);
  assert.strictEqual(firstPromptLocked, firstPrompt === undefined ? undefined : true);
  return firstPrompt;
}

export default suite("session summary", (test) => {
  test("the first prompt is the first text a person typed, in one line", () => {
    const cases: readonly (readonly [content: unknown, kept: string | undefined])[] = [
      ["hello", "hello"],
      [" \n a\nb\r\nc\td \uFEFF", "a b\r c\td"],
      [[{ type: "image" }, { type: "text", text: "  " }, { type: "text", text: "two" }], "two"],
      [[{ type: "text", text: "x" }, { type: "tool_result", content: "y" }], undefined],
      ["<bash-input> ls -l </bash-input>", "! ls -l"],
      ["so: <bash-input>ls</bash-input>", "! ls"],
      ["<foo>", undefined],
      ["  <foo-bar x>", undefined],
      ["<f1\n>", undefined],
      ["<Foo>", "<Foo>"],
      ["</foo>", "</foo>"],
      ["<foo/>", "<foo/>"],
      ["<foo:bar>", "<foo:bar>"],
      ["<123>", "<123>"],
      ["<foo", "<foo"],
      ["text <foo>", "text <foo>"],
      ["[Request interrupted by user]", undefined],
      ["[Request interrupted by user for tool use] and more", undefined],
      ["", undefined],
      [5, undefined],
      [[null, 5, { type: "text", text: 5 }], undefined],
    ];
    for (const [content, kept] of cases) assert.strictEqual(prompt(user(content)), kept, JSON.stringify(content));
    assert.isUndefined(prompt({ type: "user" }, { type: "user", message: null }));
    assert.strictEqual(
      prompt(user("no", { isMeta: true }), user("no", { isCompactSummary: true }), user("yes")),
      "yes",
    );
    assert.strictEqual(prompt(user("first"), user("second")), "first");
    assert.isUndefined(prompt({ type: "assistant", message: { content: "x" } }));
  });

  test("a long prompt is cut at 200 units, blanks at the cut and half a character left out", () => {
    assert.strictEqual(prompt(user("z".repeat(200))), "z".repeat(200));
    assert.strictEqual(prompt(user("z".repeat(201))), `${"z".repeat(200)}…`);
    assert.strictEqual(prompt(user(`${"z".repeat(190)}${" ".repeat(30)}x`)), `${"z".repeat(190)}…`);
    assert.strictEqual(prompt(user(`${"z".repeat(199)}😀😀`)), `${"z".repeat(199)}…`);
    assert.strictEqual(prompt(user(`${"z".repeat(198)}😀😀`)), `${"z".repeat(198)}😀…`);
  });

  test("a command stands in until a prompt comes; the first one stays", () => {
    const command = user("so <command-name>/first</command-name>");
    assert.deepEqual(data(command, user("<command-name>/second</command-name>")), {
      isSidechain: false,
      commandFallback: "/first",
    });
    assert.deepEqual(data(command, user("typed")), {
      isSidechain: false,
      commandFallback: "/first",
      firstPrompt: "typed",
      firstPromptLocked: true,
    });
    assert.strictEqual(
      prompt(user([{ type: "text", text: "<command-name>/x</command-name>" }, { type: "text", text: "typed" }])),
      "typed",
    );
  });

  test("what is said once stays, what is said again replaces, and an empty text clears", () => {
    assert.deepEqual(
      data(
        { type: "mode", timestamp: "never" },
        { type: "mode", timestamp: "2026-01-01T00:00:00.123Z", cwd: "", customTitle: "a", aiTitle: "b" },
        { type: "x", timestamp: "2027-01-01T00:00:00Z", cwd: "/one", lastPrompt: "l", summary: "s", gitBranch: "g" },
        { type: "x", cwd: "/two", customTitle: "", aiTitle: 5, gitBranch: "", isSidechain: true },
      ),
      {
        isSidechain: false,
        createdAt: Date.UTC(2026, 0, 1, 0, 0, 0, 123),
        cwd: "/one",
        customTitle: "",
        aiTitle: "b",
        lastPrompt: "l",
        summaryHint: "s",
        gitBranch: "",
      },
    );
    assert.isTrue(data({ type: "x", isSidechain: true }, { type: "x" }).isSidechain);
  });

  test("a tag is the last one of a record of that kind", () => {
    assert.strictEqual(data({ type: "tag", tag: "a" }, { type: "user", tag: "b" }).tag, "a");
    for (const last of [{ type: "tag", tag: "" }, { type: "tag" }, { type: "tag", tag: 5 }]) {
      assert.notProperty(data({ type: "tag", tag: "a" }, last), "tag");
    }
  });

  test("the session and the time are those of before, if nothing newer is given", () => {
    const before = { sessionId: "q", mtime: 7, data: { ours: { kept: true } } };
    assert.deepEqual(foldSessionSummary(undefined, KEY, []), { sessionId: "s", mtime: 0, data: {} });
    assert.deepEqual(foldSessionSummary(before, KEY, []), before);
    assert.strictEqual(foldSessionSummary(before, KEY, [], { mtime: 9 }).mtime, 9);
    assert.strictEqual(foldSessionSummary(before, KEY, [], { mtime: 0 }).mtime, 0);
  });

  // The official SDK throws at a null.
  test("what is no record is passed over", () => {
    const odd = [null, 5, "x"] as unknown as SessionStoreEntry[];
    assert.deepEqual(data(...odd, user("k", { isSidechain: true })), {
      isSidechain: true,
      firstPrompt: "k",
      firstPromptLocked: true,
    });
  });

  test("in how many steps entries come makes no difference, and nothing given is changed", () => {
    const text = fc.constantFrom("", "a", "<x>", "<command-name>c</command-name>", "<bash-input>b</bash-input>", "é\n");
    const entry = fc.record({
      type: fc.constantFrom("user", "assistant", "tag", "custom-title", "summary"),
      message: fc.record({ content: text }),
      customTitle: fc.option(text, { nil: undefined }),
      summary: fc.option(text, { nil: undefined }),
      tag: fc.option(text, { nil: undefined }),
      cwd: fc.option(text, { nil: undefined }),
      isSidechain: fc.boolean(),
      isMeta: fc.boolean(),
      timestamp: fc.option(fc.constantFrom("x", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"), { nil: undefined }),
    }) as fc.Arbitrary<SessionStoreEntry>;
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.nat(12), (entries, cut) => {
        const given = deepFreeze(entries);
        const first = deepFreeze(foldSessionSummary(undefined, KEY, given.slice(0, cut)));
        assert.deepEqual(
          foldSessionSummary(first, KEY, given.slice(cut)),
          foldSessionSummary(undefined, KEY, given),
        );
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
