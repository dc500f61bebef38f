/** Where a CLI waits until it is claimed: an empty private folder in its config directory. */
import { assert } from "chai";
import { OptionError } from "../../../mod.ts";
import { makeSpareFolder } from "../../../src/transport/process/spare_folder.ts";
import { MemoryFs } from "../../fixtures/memory_fs.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

function hostOn(fs: MemoryFs, home: string | undefined = undefined): Parameters<typeof makeSpareFolder>[0] {
  return {
    fs,
    platform: "linux",
    homeDir: () => home,
    onExit: () => () => {},
    processMark: () => "me",
    processGone: (mark) => mark === "gone",
  };
}

const ignore = (): void => {};

export default suite("spare_folder", (test) => {
  test("it is made in the config directory, with what leads there, for nobody else; and goes", async () => {
    const places: [Record<string, string>, string | undefined, string][] = [
      [{ HOME: "/home/u" }, "/other", "/home/u/.claude"],
      [{}, "/home/u", "/home/u/.claude"],
      [{ HOME: "/home/u", CLAUDE_CONFIG_DIR: "/cfg" }, undefined, "/cfg"],
    ];
    for (const [env, home, config] of places) {
      const fs = new MemoryFs({ "/home/u/": "" });
      const folder = await makeSpareFolder(hostOn(fs, home), env, ignore);
      assert.match(folder.path, new RegExp(`^${config}/spares/spare-me\\.[a-z0-9]{6}$`));
      const name = folder.path.slice(config.length + "/spares/".length);
      assert.deepEqual(fs.list(config), { "spares/": "700", [`spares/${name}/`]: "700" });
      const second = await makeSpareFolder(hostOn(fs, home), env, ignore);
      assert.notStrictEqual(second.path, folder.path);
      await folder.remove();
      await second.remove();
      assert.deepEqual(fs.list(config), { "spares/": "700" });
    }
  });

  test("what is there keeps its mode; spares of hosts that are gone are removed, no others", async () => {
    const others = ["spare-live.abc/", "spare-AbC123/", "notes/"];
    const fs = new MemoryFs({
      "/cfg/spares/spare-gone.abc/": "",
      "/cfg/spares/spare-gone.file": "a file of that name",
      ...Object.fromEntries(others.map((name) => [`/cfg/spares/${name}`, ""])),
    });
    const folder = await makeSpareFolder(hostOn(fs), { CLAUDE_CONFIG_DIR: "/cfg" }, ignore);
    await folder.remove();
    assert.deepEqual(Object.keys(fs.list("/cfg/spares")).sort(), [...others, "spare-gone.file"].sort());
    assert.strictEqual(fs.list("/cfg")["spares/"], "755");
  });

  test("what cannot be seen can still be there", async () => {
    const fs = new MemoryFs({ "/cfg/spares/": "" }, { hidden: ["/cfg"] });
    const folder = await makeSpareFolder(hostOn(fs), { CLAUDE_CONFIG_DIR: "/cfg" }, ignore);
    assert.property(fs.list("/cfg/spares"), folder.path.slice("/cfg/spares/".length) + "/");
  });

  test("where none can be made the folder has to be given", async () => {
    const cases: [MemoryFs, Record<string, string>][] = [
      [new MemoryFs({ "/cfg/": "" }, { unwritable: ["/cfg"] }), { CLAUDE_CONFIG_DIR: "/cfg" }],
      [new MemoryFs({}), {}],
      [new MemoryFs({}), { CLAUDE_CONFIG_DIR: "relative", HOME: "/home/u" }],
    ];
    for (const [fs, env] of cases) {
      const error = await rejectsWith(makeSpareFolder(hostOn(fs), env, ignore), OptionError);
      assert.strictEqual(error.option, "cwd");
    }
  });
});
