import { assert } from "chai";
import { CLIConnectionError, CLINotFoundError } from "../../../src/core/errors/mod.ts";
import { isBatchScript } from "../../../src/transport/process/batch_script.ts";
import { locateCli, type LocateCliOptions } from "../../../src/transport/process/locate_cli.ts";
import { startProcess } from "../../../src/transport/process/process_transport.ts";
import { FakeMachine, type FakeMachineOptions } from "../../fixtures/fake_machine.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

const HOME = "C:\\Users\\u";
const NPM = "C:\\Users\\u\\AppData\\Roaming\\npm";
const OURS = "file:///C:/app/node_modules/@tether/agent/locate_cli.js";

function machine(files: FakeMachineOptions["files"], more: FakeMachineOptions = {}): FakeMachine {
  return new FakeMachine({ platform: "win32", files: files!, home: HOME, cwd: "C:\\app", ...more });
}

function locate(on: FakeMachine, options: Partial<LocateCliOptions> = {}) {
  return locateCli(on, { env: { Path: `${NPM};"D:\\tools";bin` }, from: OURS, ...options });
}

export default suite("locate CLI on Windows", (test) => {
  test("A13, A14: every spelling of a batch script is refused before anything is looked up or started", async () => {
    const spellings = [
      "C:\\npm\\claude.cmd",
      "C:/npm/claude.bat",
      "claude.cmd",
      "CLAUDE.CMD",
      "claude.cmd.",
      "claude.cmd ",
      "claude.cmd . .",
      "claude.cmd:stream",
      "claude.cmd::$DATA",
      ".cmd",
      "C:claude.cmd",
      "claude.cmd\\..\\claude.exe",
      "\\\\server\\share\\claude.cmd",
      "\\\\?\\C:\\claude.bat",
      "C:\\npm\\claude.cmd\\",
    ];
    for (const path of spellings) {
      const on = machine({ [path]: "" });
      const error = await rejectsWith(locate(on, { path }), CLIConnectionError);
      assert.deepEqual([error.code, on.looked], ["batch_script_refused", []], path);
      assert.match(error.message, /batch script/);
      const started = await rejectsWith(startProcess(on, { command: path, args: [], env: {} }), CLIConnectionError);
      assert.strictEqual(started.code, "batch_script_refused");
      assert.isEmpty(on.children);
    }
  });

  test("A18: elsewhere such a name is a name like any other", async () => {
    const on = new FakeMachine({ files: { "/opt/claude.cmd": "" } });
    assert.strictEqual((await locateCli(on, { path: "/opt/claude.cmd", env: {} })).command, "/opt/claude.cmd");
    for (const path of ["C:\\cmd\\claude.exe", "C:\\a.bat.d\\claude.exe", "claude.exe", "cmd"]) {
      assert.isFalse(isBatchScript(path), path);
    }
  });

  test("an interpreter that is a batch script is refused too", async () => {
    const on = machine({ "C:\\cli\\main.mjs": "" });
    const error = await rejectsWith(
      locate(on, { path: "C:\\cli\\main.mjs", executable: "C:\\x\\bun.cmd" }),
      CLIConnectionError,
    );
    assert.strictEqual(error.code, "batch_script_refused");
  });

  test("A15: npm's shim comes first on PATH, a native program later: the program is taken", async () => {
    const cli = await locate(machine({ [`${NPM}\\claude.cmd`]: "", "D:\\tools\\claude.exe": "" }));
    assert.deepEqual([cli.command, cli.source], ["D:\\tools\\claude.exe", "path"]);
  });

  test("A15: a name that only ends like one is no native program", async () => {
    await rejectsWith(locate(machine({ [`${NPM}\\claude.exe.cmd`]: "" })), CLINotFoundError);
  });

  test("A16: a wrapper without an extension is passed over, POSIX install folders are not tried", async () => {
    const on = machine({
      [`${NPM}\\claude`]: "",
      "/usr/local/bin/claude": "",
      [`${HOME}\\.local\\bin\\claude.exe`]: "",
    });
    const cli = await locate(on);
    assert.deepEqual([cli.command, cli.source], [`${HOME}\\.local\\bin\\claude.exe`, "folder"]);
    assert.isEmpty(on.looked.filter((path) => path.includes("/usr/")));
  });

  test("what npm's shim would start is found beside it", async () => {
    const native =
      `${NPM}\\node_modules\\@anthropic-ai\\claude-code\\node_modules\\@anthropic-ai\\claude-code-win32-x64\\claude.exe`;
    const cli = await locate(machine({ [`${NPM}\\claude.cmd`]: "", [native]: "" }));
    assert.deepEqual([cli.command, cli.source], [native, "path"]);
  });

  test("packages: claude.exe, from a file URL with a drive; arm64 machines run the x64 build", async () => {
    const at = (name: string) => `C:\\app\\node_modules\\@anthropic-ai\\${name}\\claude.exe`;
    const own = await locate(machine({ [at("claude-code-win32-x64")]: "" }));
    assert.deepEqual([own.command, own.source], [at("claude-code-win32-x64"), "package"]);
    const arm = await locate(machine({ [at("claude-agent-sdk-win32-x64")]: "" }, { arch: "arm64" }));
    assert.strictEqual(arm.command, at("claude-agent-sdk-win32-x64"));
  });

  test("a bare word finds its .exe; a script always needs an interpreter", async () => {
    const on = machine({ "D:\\tools\\next.exe": "", "C:\\cli\\main.js": "" }, { execPath: "C:\\node\\node.exe" });
    assert.strictEqual((await locate(on, { path: "next" })).command, "D:\\tools\\next.exe");
    assert.strictEqual((await locate(on, { path: "next.exe" })).command, "D:\\tools\\next.exe");
    const { command, args } = await locate(on, { path: "C:\\cli\\main.js" });
    assert.deepEqual([command, ...args], ["C:\\node\\node.exe", "C:\\cli\\main.js"]);
  });

  test("A17: the advice names the native installer before npm and says that the shim is not run", async () => {
    const { message, tried } = await rejectsWith(locate(machine({})), CLINotFoundError);
    assert.isBelow(message.indexOf("install.ps1"), message.indexOf("npm install"));
    assert.isAbove(message.indexOf("install.ps1"), -1);
    assert.match(message, /claude\.cmd .*is not run/);
    assert.include(tried, `${NPM}\\claude.exe`);
    assert.include(tried, "D:\\tools\\claude.exe");
  });
});
