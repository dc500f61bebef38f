import { assert } from "chai";
import { OptionError } from "../../../src/core/errors/mod.ts";
import { findInPasswd, resolveUser } from "../../../src/transport/process/user_ids.ts";
import { startProcess } from "../../../src/transport/process/process_transport.ts";
import { FakeMachine } from "../../fixtures/fake_machine.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

const PASSWD = "root:x:0:0:root:/root:/bin/sh\n# a remark\nweb:x:33:34::/var/www:/bin/false\nodd:x:abc:1::/:/\n";

export default suite("user ids", (test) => {
  test("an account is found by name or number", () => {
    assert.deepEqual(findInPasswd(PASSWD, "web"), { uid: 33, gid: 34 });
    assert.deepEqual(findInPasswd(PASSWD, "0"), { uid: 0, gid: 0 });
    assert.isUndefined(findInPasswd(PASSWD, "odd"));
    assert.isUndefined(findInPasswd(PASSWD, ""));
  });

  test("A21: the numbers reach the system's spawn", async () => {
    const machine = new FakeMachine({ files: { "/etc/passwd": PASSWD } });
    const transport = await startProcess(machine, {
      command: "claude",
      args: [],
      env: {},
      user: "web",
      lifeline: false,
    });
    assert.deepEqual(machine.children[0]!.options.user, { uid: 33, gid: 34 });
    machine.children[0]!.end();
    await transport.exited;
  });

  test("no such account, no account name, or Windows: refused before anything is started", async () => {
    for (const user of ["nobody-here", "", "-u", "a b", "a:b"]) {
      const machine = new FakeMachine({ files: { "/etc/passwd": PASSWD }, refuses: () => "not_found" });
      const error = await rejectsWith(resolveUser(machine, user), OptionError);
      assert.strictEqual(error.option, "user");
    }
    await rejectsWith(resolveUser(new FakeMachine({ platform: "win32" }), "web"), OptionError);
  });

  test("where `id` may not be run it is not tried: on Deno that would prompt the user", async () => {
    const machine = new FakeMachine({ files: { "/etc/passwd": PASSWD }, mayRun: () => false });
    await rejectsWith(resolveUser(machine, "nobody-here"), OptionError);
    assert.deepEqual(await resolveUser(machine, 4711), { uid: 4711, gid: undefined });
    assert.deepEqual(machine.children, []);
  });

  test("a number without an entry is taken as it is", async () => {
    const machine = new FakeMachine({ files: { "/etc/passwd": PASSWD }, refuses: () => "not_found" });
    assert.deepEqual(await resolveUser(machine, 4711), { uid: 4711, gid: undefined });
  });
});
