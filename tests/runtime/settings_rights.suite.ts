/** What rights the settings functions take on Deno. */

import { assert } from "chai";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import process from "node:process";
import { denoPath, runProgram } from "../harness/run_program.ts";
import { suite } from "../harness/suite.ts";
import { tempFolder } from "./children.ts";

const MANAGED = "/etc/claude-code";

export default suite("rights for settings", (test) => {
  test("Deno reads with leave for the files alone, starts nothing, and names what it may not read", async (t) => {
    // Only there would a machine's own settings change what comes out.
    const hasPolicy = existsSync(MANAGED);
    const home = realpathSync(tempFolder(t));
    const [cwd, config] = [join(home, "work"), join(home, "config")];
    mkdirSync(join(cwd, ".claude"), { recursive: true });
    mkdirSync(config);
    writeFileSync(join(config, "settings.json"), '{"model":"u","language":"u"}');
    writeFileSync(join(cwd, ".claude", "settings.json"), '{"language":"p"}');
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const probe = fileURLToPath(new URL(`../fixtures/permissions/settings_probe.${extension}`, import.meta.url));
    const run = async (read: string) => {
      const args = ["run", "--no-prompt", `--allow-read=${read}`, probe, cwd, config];
      const { code, stdout, stderr } = await runProgram(t, denoPath(), args, {
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: home,
          DENO_DIR: process.env["DENO_DIR"] ?? "",
          DENO_NO_UPDATE_CHECK: "1",
          NO_COLOR: "1",
        },
      });
      assert.strictEqual(code, 0, stderr);
      return JSON.parse(stdout);
    };

    const all = await run(`${home},${MANAGED}`);
    assert.isEmpty(all.errors.filter(({ file }: { file?: string }) => file?.startsWith(home) !== false));
    if (!hasPolicy) {
      assert.deepEqual(all, {
        effective: { model: "u", language: "p" },
        errors: [],
        machinePolicy: { didNotLoad: false },
      });
    }
    const some = await run(join(cwd, ".claude"));
    assert.strictEqual(some.effective.language, "p");
    assert.deepEqual(some.errors.map(({ file }: { file: string }) => file), [
      join(config, "settings.json"),
      join(MANAGED, "managed-settings.json"),
    ]);
    assert.deepEqual(some.machinePolicy, { didNotLoad: ["file"] });
  });
});
