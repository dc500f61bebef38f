/** What importing and using the package takes of the host: nothing for the import, one program for a query. */

import { assert } from "chai";
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { denoPath, ownRunArguments, type ProgramResult, runProgram } from "../harness/run_program.ts";
import { suite, type TestContext } from "../harness/suite.ts";

/** A CLI in a few lines of shell: it answers initialize, and each prompt with one turn that shows its environment. */
const SCRIPTED_CLI = String.raw`#!/bin/sh
say() { printf '%s\n' "$1"; }
while IFS= read -r line; do
  case "$line" in
    *'"subtype":"initialize"'*)
      id=$(printf '%s' "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/')
      say '{"type":"control_response","response":{"subtype":"success","request_id":"'"$id"'","response":{"commands":[],"models":[],"mcp_servers_applied":true},"pending_permission_requests":[],"pending_user_dialog_requests":[]}}'
      ;;
    *'"type":"user"'*)
      say '{"type":"system","subtype":"init","session_id":"s1","uuid":"u1","cwd":"'"$PWD"'","model":"scripted","tools":[],"mcp_servers":[]}'
      say '{"type":"assistant","session_id":"s1","uuid":"u2","parent_tool_use_id":null,"message":{"id":"m1","type":"message","role":"assistant","model":"scripted","content":[{"type":"text","text":"'"$GREETING"'"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}'
      say '{"type":"result","subtype":"success","is_error":false,"result":"'"$GREETING"'","session_id":"s1","uuid":"u3","num_turns":1,"duration_ms":1,"duration_api_ms":1,"total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},"permission_denials":[]}'
      ;;
  esac
done
`;

/** A module beside the suites, in the form this run has it: source, or compiled. */
function fixture(name: string): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`../fixtures/permissions/${name}.${extension}`, import.meta.url));
}

function tempFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tether-permissions-")));
  t.cleanup(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What a program needs to run here at all, and a home of its own. */
function environment(home: string, more: Record<string, string> = {}): Record<string, string> {
  const kept = ["PATH", "DENO_DIR"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), HOME: home, TMPDIR: home, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...more };
}

/** The line of JSON a probe leaves. */
function told(result: ProgramResult): Record<string, unknown> {
  assert.deepEqual([result.code, result.signal, result.stderr], [0, null, ""], result.stdout);
  return JSON.parse(result.stdout);
}

export default suite("permissions", (test) => {
  test("importing the root changes no global, no variable and no listener, and keeps nothing alive", async (t) => {
    const home = tempFolder(t);
    const args = ownRunArguments(fixture("import_probe"));
    const { exports, changed } = told(await runProgram(t, process.execPath, args, { env: environment(home) }));
    assert.include(exports, "query");
    assert.deepEqual(changed, []);
  });

  test("Deno imports the root without any permission, and is not even asked for one", async (t) => {
    const home = tempFolder(t);
    const audit = join(home, "audit.jsonl");
    // Without any flag of this kind Deno's own `node:child_process` slips in `-A`.
    const args = ["run", "--no-prompt", "--deny-ffi", fixture("import_probe"), "--no-env"];
    const env = environment(home, { DENO_AUDIT_PERMISSIONS: audit });
    const { exports, changed } = told(await runProgram(t, denoPath(), args, { env }));
    assert.include(exports, "query");
    assert.deepEqual(changed, []);
    assert.strictEqual(existsSync(audit) ? readFileSync(audit, "utf8") : "", "");
  });

  test("with leave to run the CLI and nothing else, Deno runs a query when path, folder and environment are given", async (t) => {
    const home = tempFolder(t);
    const audit = join(home, "audit.jsonl");
    const cli = join(home, "claude");
    writeFileSync(cli, SCRIPTED_CLI);
    chmodSync(cli, 0o755);
    const args = ["run", "--no-prompt", `--allow-run=${cli}`, fixture("query_probe"), cli, home];
    const env = environment(home, { DENO_AUDIT_PERMISSIONS: audit });
    const { messages, diagnostics } = told(await runProgram(t, denoPath(), args, { env }));
    assert.deepEqual((messages as { type: string }[]).map(({ type }) => type), ["system", "assistant", "result"]);
    assert.deepInclude((messages as object[])[0], { subtype: "init", cwd: home });
    assert.deepInclude((messages as object[])[2], { subtype: "success", result: "hello" });
    // On a terminal each try would have prompted the user.
    const tried = (existsSync(audit) ? readFileSync(audit, "utf8") : "").split("\n").filter((line) => line !== "");
    assert.deepEqual(tried.filter((line) => JSON.parse(line).permission !== "run"), []);
    // No watchdog may be run, and the query says so.
    assert.include(diagnostics, "orphan_guard_off");
  });

  test("Deno is asked about no more rights with each query: it keeps every answer for good", async (t) => {
    const home = tempFolder(t);
    const cli = join(home, "claude");
    writeFileSync(cli, SCRIPTED_CLI);
    chmodSync(cli, 0o755);
    for (const flags of [["-A"], ["--allow-run", "--allow-read=/proc,/bin"], ["--allow-run", `--allow-read=${home}`]]) {
      const args = ["run", "--no-prompt", ...flags, fixture("rights_probe"), cli, home];
      const { known, added } = told(await runProgram(t, denoPath(), args, { env: environment(home) }));
      assert.isAbove(known as number, 0);
      assert.deepEqual(added, [], flags.join(" "));
    }
  });
});
