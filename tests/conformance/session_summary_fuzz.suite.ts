/** Summaries of sessions: a transcript may hold anything. */

import { assert } from "chai";
import fc from "fast-check";
import { foldSessionSummary } from "../../src/sessions/fold_session_summary.ts";
import type { SessionStoreEntry, SessionSummaryEntry } from "../../src/core/options/session_store.ts";
import { property } from "../harness/fuzz/property.ts";
import { suite } from "../harness/suite.ts";

const KEY = { projectKey: "p", sessionId: "s" };

const FIELDS = [
  "type",
  "message",
  "timestamp",
  "cwd",
  "customTitle",
  "aiTitle",
  "lastPrompt",
  "summary",
  "gitBranch",
  "tag",
  "isMeta",
  "isSidechain",
  "isCompactSummary",
  "firstPrompt",
  "__proto__",
];

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
  fc.constantFrom<unknown>(
    "user",
    "tag",
    "2026-01-01T00:00:00Z",
    "<command-name>c</command-name>",
    "\ud83d".repeat(300),
    {
      content: "<bash-input>ls</bash-input>",
    },
    { content: [null, 5, { type: "text", text: "a\nb" }, { type: "text", text: 5 }] },
  ),
);

const entry = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), odd) as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: odd },
) as fc.Arbitrary<SessionStoreEntry>;

export default suite("session summary: fuzz", (test) => {
  property(
    test,
    "any entries on any summary: a summary that can be written, the same in how many steps they come",
    [
      fc.option(fc.dictionary(fc.constantFrom("firstPrompt", "firstPromptLocked", "createdAt", "tag", "own"), odd), {
        nil: undefined,
      }),
      fc.array(entry, { maxLength: 10 }),
      fc.nat(10),
    ],
    (_t, data, entries, cut) => {
      const before: SessionSummaryEntry | undefined = data && { sessionId: "s", mtime: 1, data };
      const whole = foldSessionSummary(before, KEY, entries);
      const first = foldSessionSummary(before, KEY, entries.slice(0, cut));
      assert.deepEqual(foldSessionSummary(first, KEY, entries.slice(cut)), whole);
      assert.deepEqual(JSON.parse(JSON.stringify(whole)), JSON.parse(JSON.stringify(structuredClone(whole))));
      const { firstPrompt } = whole.data as { firstPrompt?: unknown };
      if (typeof firstPrompt === "string" && data?.firstPrompt === undefined) assert.isAtMost(firstPrompt.length, 201);
    },
    { runs: 400 },
  );
});
