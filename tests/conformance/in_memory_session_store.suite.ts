/** The store that lives in memory, held to the contract of `SessionStore`. */

import { assert } from "chai";
import { OptionError } from "../../src/core/errors/mod.ts";
import type { SessionKey, SessionStoreEntry } from "../../src/core/options/mod.ts";
import { foldSessionSummary, InMemorySessionStore } from "../../src/sessions/mod.ts";
import { rejection, rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";

const KEY: SessionKey = { projectKey: "-home-me", sessionId: "11111111-1111-4111-8111-111111111111" };
const OTHER: SessionKey = { ...KEY, sessionId: "22222222-2222-4222-8222-222222222222" };
const ELSEWHERE: SessionKey = { ...KEY, projectKey: "-home-you" };
const AGENT: SessionKey = { ...KEY, subpath: "subagents/agent-1" };

const user = (uuid: string, content = uuid): SessionStoreEntry => ({ type: "user", uuid, message: { content } });

export default suite("in-memory session store", (test) => {
  test("a transcript comes back as it was appended, over any number of appends", async () => {
    const store = new InMemorySessionStore();
    const entries = [
      user("b"),
      user("a"),
      { type: "mode", mode: "plan" },
      { type: "mode", mode: "plan" },
      { type: "x", nested: { list: [1, { two: null }], text: "\u2028 😀" } },
    ];
    await store.append(KEY, entries.slice(0, 2));
    await store.append(KEY, entries.slice(2));
    assert.deepEqual(await store.load(KEY), entries);
    assert.deepEqual(store.getEntries(KEY), entries);
    assert.strictEqual(store.size, 1);
  });

  test("an entry whose uuid is there already is not kept again, within one append or in a later one", async () => {
    const store = new InMemorySessionStore();
    await store.append(KEY, [user("a", "first"), user("a", "again"), user("b")]);
    const [listed] = await store.listSessions(KEY.projectKey);
    await store.append(KEY, [user("b"), user("a", "again")]);
    assert.deepEqual(await store.load(KEY), [user("a", "first"), user("b")]);
    assert.deepEqual(await store.listSessions(KEY.projectKey), [listed!]); // nothing was written
    await store.append(AGENT, [user("a", "the agent's")]);
    await store.append(OTHER, [user("a", "the other's")]);
    assert.deepEqual(await store.load(AGENT), [user("a", "the agent's")]);
    assert.deepEqual(await store.load(OTHER), [user("a", "the other's")]);
  });

  test("what was never written is null, and an append of nothing writes nothing", async () => {
    const store = new InMemorySessionStore();
    await store.append(KEY, []);
    assert.isNull(await store.load(KEY));
    assert.isNull(await store.load(AGENT));
    assert.deepEqual(store.getEntries(KEY), []);
    assert.deepEqual(await store.listSessions(KEY.projectKey), []);
    assert.deepEqual(await store.listSubkeys(KEY), []);
    assert.strictEqual(store.size, 0);
  });

  test("neither what was handed in nor what came out is the store's own", async () => {
    const store = new InMemorySessionStore();
    const entry = { type: "x", list: ["a"] };
    await store.append(KEY, [entry]);
    entry.list.push("changed outside");
    const loaded = await store.load(KEY);
    (loaded![0]!.list as string[]).push("changed outside");
    (await store.listSessionSummaries(KEY.projectKey))[0]!.data.isSidechain = "changed outside";
    store.getEntries(KEY).pop();
    assert.deepEqual(await store.load(KEY), [{ type: "x", list: ["a"] }]);
    assert.strictEqual((await store.listSessionSummaries(KEY.projectKey))[0]!.data.isSidechain, false);
  });

  test("an append that fails takes nothing", async () => {
    const store = new InMemorySessionStore();
    await store.append(KEY, [user("a")]);
    const error = await rejection(store.append(KEY, [user("b"), { type: "x", code: () => {} }]));
    assert.strictEqual((error as Error).name, "DataCloneError");
    assert.deepEqual(await store.load(KEY), [user("a")]);
    await store.append(KEY, [user("b")]);
    assert.strictEqual((await store.load(KEY))?.length, 2);
  });

  test("transcripts of subagents stand apart: listed by listSubkeys, never as sessions", async () => {
    const store = new InMemorySessionStore();
    const deep = { ...KEY, subpath: "subagents/workflows/run/agent-2" };
    await store.append(AGENT, [user("s")]);
    assert.deepEqual(await store.listSessions(KEY.projectKey), []);
    assert.isNull(await store.load(KEY));
    await store.append(KEY, [user("m")]);
    const before = await store.listSessionSummaries(KEY.projectKey);
    await store.append(deep, [user("d"), { type: "tag", tag: "of the agent" }]);
    assert.deepEqual(await store.listSessionSummaries(KEY.projectKey), before);
    assert.sameMembers(await store.listSubkeys(KEY), [AGENT.subpath!, deep.subpath]);
    assert.deepEqual(await store.listSubkeys(OTHER), []);
    assert.strictEqual(store.size, 1);
  });

  test("sessions are listed by project, with times of this century that only grow", async () => {
    const store = new InMemorySessionStore();
    await store.append(KEY, [user("a")]);
    await store.append(OTHER, [user("a")]);
    await store.append(ELSEWHERE, [user("a")]);
    await store.append(KEY, [user("b")]);
    const listed = await store.listSessions(KEY.projectKey);
    assert.sameMembers(listed.map(({ sessionId }) => sessionId), [KEY.sessionId, OTHER.sessionId]);
    const times = Object.fromEntries(listed.map(({ sessionId, mtime }) => [sessionId, mtime]));
    assert.isAbove(times[KEY.sessionId]!, times[OTHER.sessionId]!);
    assert.isAbove(times[OTHER.sessionId]!, 1e12);
    assert.isTrue(listed.every(({ mtime }) => Number.isInteger(mtime)));
    assert.deepEqual(await store.listSessions("nothing here"), []);
    assert.strictEqual(store.size, 3);
  });

  test("the summary of a session is the fold of what was appended, under the time of the listing", async () => {
    const store = new InMemorySessionStore();
    const batches: SessionStoreEntry[][] = [
      [user("a", "hello"), { type: "custom-title", customTitle: "A" }],
      [{ type: "tag", tag: "t" }, { type: "custom-title", customTitle: "B" }],
    ];
    for (const batch of batches) await store.append(KEY, batch);
    const [summary] = await store.listSessionSummaries(KEY.projectKey);
    const [listed] = await store.listSessions(KEY.projectKey);
    const folded = foldSessionSummary(foldSessionSummary(undefined, KEY, batches[0]!), KEY, batches[1]!, {
      mtime: listed!.mtime,
    });
    assert.deepEqual(summary, folded);
    assert.strictEqual(summary?.data.customTitle, "B");
  });

  test("delete takes a session with everything below it, and nothing else", async () => {
    const store = new InMemorySessionStore();
    for (const key of [KEY, AGENT, OTHER, ELSEWHERE]) await store.append(key, [user("a")]);
    await store.delete({ ...AGENT, subpath: "subagents/agent-9" });
    await store.delete({ ...KEY, sessionId: "unknown" });
    assert.deepEqual(await store.listSubkeys(KEY), [AGENT.subpath!]);
    await store.delete(KEY);
    assert.isNull(await store.load(KEY));
    assert.isNull(await store.load(AGENT));
    assert.deepEqual(await store.listSubkeys(KEY), []);
    const ids = (await store.listSessionSummaries(KEY.projectKey)).map(({ sessionId }) => sessionId);
    assert.deepEqual(ids, [OTHER.sessionId]);
    assert.deepEqual(await store.load(ELSEWHERE), [user("a")]);
    await store.append(KEY, [user("a", "anew")]); // its uuids are forgotten as well
    assert.deepEqual(await store.load(KEY), [user("a", "anew")]);
  });

  test("delete with a subpath takes that transcript alone", async () => {
    const store = new InMemorySessionStore();
    const other = { ...KEY, subpath: "subagents/agent-2" };
    for (const key of [KEY, AGENT, other]) await store.append(key, [user("a")]);
    await store.delete(AGENT);
    assert.isNull(await store.load(AGENT));
    assert.deepEqual(await store.load(KEY), [user("a")]);
    assert.deepEqual(await store.listSubkeys(KEY), [other.subpath]);
  });

  test("an empty subpath is refused: it is neither the session nor anything below it", async () => {
    const store = new InMemorySessionStore();
    const key = { ...KEY, subpath: "" };
    for (const call of [store.append(key, [user("a")]), store.load(key), store.delete(key)]) {
      assert.strictEqual((await rejectsWith<OptionError>(call, OptionError)).option, "key.subpath");
    }
    assert.strictEqual(store.size, 0);
  });

  test("names that look like others' parts are names of their own", async () => {
    const store = new InMemorySessionStore();
    const keys: SessionKey[] = [
      { projectKey: "a/b", sessionId: "c" },
      { projectKey: "a", sessionId: "b/c" },
      { projectKey: "a", sessionId: "b", subpath: "c" },
      { projectKey: "__proto__", sessionId: "constructor" },
    ];
    for (const [index, key] of keys.entries()) await store.append(key, [user(String(index))]);
    for (const [index, key] of keys.entries()) assert.deepEqual(await store.load(key), [user(String(index))]);
  });

  test("clear forgets everything", async () => {
    const store = new InMemorySessionStore();
    for (const key of [KEY, AGENT, ELSEWHERE]) await store.append(key, [user("a")]);
    store.clear();
    assert.strictEqual(store.size, 0);
    assert.isNull(await store.load(AGENT));
    await store.append(KEY, [user("a")]);
    assert.deepEqual(await store.load(KEY), [user("a")]);
  });
});
