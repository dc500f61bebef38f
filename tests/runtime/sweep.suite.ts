/** What hosts that were killed together with their watchdogs have left, and the next start. */

import { assert } from "chai";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { RECORDER } from "../fixtures/options/recorder.ts";
import { ownRunArguments } from "../harness/run_program.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { until } from "../harness/until.ts";
import { host, runningWith, tempFolder } from "./children.ts";
import { processFixture } from "./host_process.ts";

/** Notes its arguments and stays as long as its input does. */
const STAYS = `#!/bin/sh
printf '%s\\n' "$@" > "$0.argv.new" && mv "$0.argv.new" "$0.argv"
cat > /dev/null
`;

interface QueryHost {
  readonly child: ChildProcess;
  readonly ended: Promise<string>;
}

/** A host with one query, in a place for temporary files of its own. */
function startQueryHost(t: TestContext, temp: string, cli: string): QueryHost {
  const child = spawn(process.execPath, [...ownRunArguments(processFixture("settings_host")), cli], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: temp,
      TMPDIR: temp,
      DENO_DIR: process.env["DENO_DIR"] ?? "",
      NO_COLOR: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => said += String(chunk));
  const ended = new Promise<string>((resolve) => child.once("close", () => resolve(said)));
  t.cleanup(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended };
}

function program(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** The private folder that a waiting CLI was told of. */
async function folderOf(cli: string): Promise<string> {
  await until(() => existsSync(`${cli}.argv`));
  const path = /^--settings=(.*)\/settings\.json$/m.exec(readFileSync(`${cli}.argv`, "utf8"))?.[1];
  assert.isString(path);
  return path!;
}

export default suite("sweep of leftovers", (test) => {
  test(
    "what a host leaves that is killed with its watchdog goes at the next start, and nothing else does",
    async (t) => {
      const folder = tempFolder(t);
      const temp = join(folder, "temp");
      mkdirSync(temp);
      const [killed, live] = [program(folder, "killed", STAYS), program(folder, "live", STAYS)];
      const hosts = [startQueryHost(t, temp, killed), startQueryHost(t, temp, live)];
      const [leftover, inUse] = [await folderOf(killed), await folderOf(live)];
      assert.isTrue(existsSync(join(leftover, "settings.json")));

      // What bears the mark of the host and is not its folder. All is there before it ends: the live one may still be sweeping.
      const mark = leftover.slice(0, leftover.lastIndexOf("."));
      const precious = join(folder, "precious");
      mkdirSync(precious, { mode: 0o700 });
      writeFileSync(join(precious, "file"), "stays");
      symlinkSync(precious, `${mark}.link`);
      mkdirSync(`${mark}.open`);
      chmodSync(`${mark}.open`, 0o755);
      writeFileSync(`${mark}.file`, "");
      symlinkSync(precious, join(leftover, "link"));

      const watchdogs = (): number[] =>
        runningWith(leftover).filter(({ commandLine }) => commandLine.includes(" lifeline ")).map(({ pid }) => pid);
      await until(() => watchdogs().length === 1);
      for (const pid of watchdogs()) process.kill(pid, "SIGKILL");
      process.kill(hosts[0]!.child.pid!, "SIGKILL");
      await hosts[0]!.ended;

      const next = startQueryHost(t, temp, program(folder, "claude", RECORDER));
      assert.equal(await next.ended, "over\n");
      assert.isFalse(existsSync(leftover));
      assert.isTrue(existsSync(join(inUse, "settings.json")), "its host runs");
      assert.isTrue(existsSync(join(precious, "file")), "no link is followed");
      const stays = [`${mark}.file`, `${mark}.link`, `${mark}.open`, inUse].map((path) => path.slice(temp.length + 1));
      assert.sameMembers(readdirSync(temp).filter((name) => name.startsWith("tether-")), stays);
    },
    { timeoutMs: 40_000 },
  );

  test("this process has a mark, and is not gone", () => {
    const mark = host.processMark();
    assert.match(mark ?? "", /^\d+-\d+-[0-9a-f]+$/);
    assert.isTrue(mark!.startsWith(`${process.pid}-`));
    assert.isFalse(host.processGone(mark!));
    assert.isTrue(host.processGone(mark!.replace(/-\d+-/, "-1-")), "another start time");
  });
});
