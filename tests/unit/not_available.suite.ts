/** What has a name and is not built: it says so, whatever it is given. */

import { assert } from "chai";
import * as tether from "../../mod.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";

const ID = "11111111-1111-4111-8111-111111111111";

/** One call of each. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  listSessions: () => tether.listSessions(),
  getSessionInfo: () => tether.getSessionInfo(ID),
  getSessionMessages: () => tether.getSessionMessages(ID, { limit: 1 }),
  listSubagents: () => tether.listSubagents(ID),
  getSubagentMessages: () => tether.getSubagentMessages(ID, "agent"),
  renameSession: () => tether.renameSession(ID, "title"),
  tagSession: () => tether.tagSession(ID, null),
  archiveSession: () => tether.archiveSession(ID),
  unarchiveSession: () => tether.unarchiveSession(ID),
  deleteSession: () => tether.deleteSession(ID, { sessionStore: new tether.InMemorySessionStore() }),
  forkSession: () => tether.forkSession(ID),
  importSessionToStore: () => tether.importSessionToStore(ID, new tether.InMemorySessionStore()),
};

export default suite("not available", (test) => {
  test("each session function rejects with its own name and one code, and never answers", async () => {
    for (const [name, call] of Object.entries(CALLS)) {
      const error = await rejectsWith(call(), tether.NotAvailableError);
      assert.strictEqual(error.feature, name);
      assert.strictEqual(error.code, "not_available");
      assert.include(error.message, name);
    }
  });
});
