/** What a system takes in a command line and an environment, up to the last byte, with real processes. */

import { assert } from "chai";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OptionError, type Options, query } from "../../mod.ts";
import { RECORDER } from "../fixtures/options/recorder.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite } from "../harness/suite.ts";
import { CHILD_ENV, host, tempFolder } from "./children.ts";

/** Runs the recorder to its end; the folder it has written to. */
async function run(folder: string, options: Options): Promise<string> {
  const place = mkdtempSync(join(folder, "run-"));
  const path = join(place, "claude");
  writeFileSync(path, RECORDER, { mode: 0o755 });
  for await (
    const _ of query({ prompt: "x", options: { pathToClaudeCodeExecutable: path, env: CHILD_ENV, ...options } })
  );
  return place;
}

/** The option that is named when something is refused. Nothing was started. */
async function refused(folder: string, options: Options): Promise<string> {
  const before = readdirSync(folder);
  const error = await rejectsWith(run(folder, options), OptionError);
  const made = readdirSync(folder).filter((name) => !before.includes(name));
  assert.lengthOf(made, 1);
  assert.isFalse(existsSync(join(folder, made[0]!, "argv")), "it was started");
  return error.option;
}

const directories = (count: number): Options => ({
  additionalDirectories: Array.from({ length: count }, (_, n) => `/${n}/`.padEnd(30_000, "x")),
});

export default suite("limits of the command line", (test) => {
  test("as many directories as the system takes arrive, and more are refused by name", async (t) => {
    const folder = tempFolder(t);
    // Where the limit is not known, none is kept.
    const fits = host.platform === "darwin" ? 30 : 65;
    const argv = readFileSync(join(await run(folder, directories(fits)), "argv"), "utf8");
    assert.lengthOf(argv.split("\0").filter((argument) => argument.startsWith("--add-dir=/")), fits);
    if (host.platform !== "other") assert.equal(await refused(folder, directories(75)), "additionalDirectories");
  });

  test("a variable as long as the system takes arrives, and a longer one is refused by name", async (t) => {
    const folder = tempFolder(t);
    const longest = 128 * 1024 - "A=".length - 1;
    const given = (length: number): Options => ({ env: { ...CHILD_ENV, A: "x".repeat(length) } });
    const env = readFileSync(join(await run(folder, given(longest)), "env"), "utf8");
    assert.include(env, `A=${"x".repeat(longest)}\0`);
    if (host.platform === "linux") {
      assert.equal(await refused(folder, given(longest + 1)), "env.A");
      assert.equal(await refused(folder, { tether: { extraEnv: { B: "x".repeat(200_000) } } }), "env.B");
    }
  });

  test("32 KiB of rules arrive on the command line, and 200 KiB by initialize", async (t) => {
    const folder = tempFolder(t);
    const rule = (length: number): Options => ({ disallowedTools: [`Bash(${"x".repeat(length)})`] });
    const short = await run(folder, rule(32 * 1024 - 6));
    assert.include(readFileSync(join(short, "argv"), "utf8"), "--disallowedTools=Bash(xxx");
    const long = await run(folder, rule(200 * 1024));
    assert.notInclude(readFileSync(join(long, "argv"), "utf8"), "xxx");
    const initialize = JSON.parse(readFileSync(join(long, "initialize"), "utf8"));
    assert.deepEqual(initialize.request.disallowedTools, rule(200 * 1024).disallowedTools);
  });
});
