import { assert } from "chai";
import { CLINotFoundError, OptionError } from "../../../src/core/errors/mod.ts";
import { locateCli, type LocateCliOptions } from "../../../src/transport/process/locate_cli.ts";
import { elfHead, FakeMachine, type FakeMachineOptions } from "../../fixtures/fake_machine.ts";
import { rejectsWith } from "../../harness/rejects.ts";
import { suite } from "../../harness/suite.ts";

const OURS = "file:///app/node_modules/@tether/agent/src/transport/process/locate_cli.js";
const GLIBC_SH = { bytes: elfHead("/lib64/ld-linux-x86-64.so.2") };
const MUSL_SH = { bytes: elfHead("/lib/ld-musl-x86_64.so.1") };

function locate(machine: FakeMachine, options: Partial<LocateCliOptions> = {}) {
  return locateCli(machine, { env: { PATH: "/usr/bin:/bin" }, from: OURS, cwd: "/app", ...options });
}

/** Where the CLI is found on a machine with these files. */
async function found(
  files: FakeMachineOptions["files"],
  options: Partial<LocateCliOptions> = {},
  more: FakeMachineOptions = {},
) {
  const { command, source } = await locate(new FakeMachine({ files: files!, home: "/home/u", ...more }), options);
  return [command, source];
}

function pkg(name: string, program = "claude"): string {
  return `/app/node_modules/@anthropic-ai/${name}/${program}`;
}

export default suite("locate CLI", (test) => {
  test("A02: a path is used as it is, and nothing is looked up for it", async () => {
    const machine = new FakeMachine({ files: { [pkg("claude-code-linux-x64")]: "", "/usr/bin/claude": "" } });
    const cli = await locate(machine, { path: "./tools/claude" });
    assert.deepEqual(cli, {
      command: "./tools/claude",
      args: [],
      path: "./tools/claude",
      source: "explicit",
      alternatives: [],
    });
    assert.deepEqual(machine.looked, []);
  });

  test("A04: a bare word is looked up on the PATH the CLI would get", async () => {
    const files = { "/opt/x/claude-next": "", "/usr/bin/claude-next": { executable: false } };
    assert.deepEqual(await found(files, { path: "claude-next", env: { PATH: "/usr/bin:/opt/x" } }), [
      "/opt/x/claude-next",
      "explicit",
    ]);
    const error = await rejectsWith(
      locate(new FakeMachine({ files }), { path: "claude-next", env: { PATH: "" } }),
      CLINotFoundError,
    );
    assert.deepEqual(error.tried, []);
    assert.include(error.message, "claude-next");
  });

  test("A03: packages beside us come before PATH, PATH before install folders", async () => {
    const agent = pkg("claude-agent-sdk-linux-x64");
    const code = pkg("claude-code-linux-x64");
    const onPath = "/usr/bin/claude";
    const inFolder = "/home/u/.local/bin/claude";
    const all = [agent, code, onPath, inFolder];
    const sources = ["package", "package", "path", "folder"];
    for (let skip = 0; skip < all.length; skip++) {
      const files = Object.fromEntries(all.slice(skip).map((path) => [path, ""]));
      assert.deepEqual(await found({ ...files, "/bin/sh": GLIBC_SH }), [all[skip], sources[skip]]);
    }
  });

  test("A03: install folders are tried in order, and only what is a file and executable counts", async () => {
    const folders = [
      "/home/u/.npm-global/bin",
      "/usr/local/bin",
      "/home/u/.local/bin",
      "/home/u/node_modules/.bin",
      "/home/u/.yarn/bin",
      "/home/u/.claude/local",
      "/home/u/.bun/bin",
    ];
    for (const [index, folder] of folders.entries()) {
      const later = folders.slice(index).map((at) => [`${at}/claude`, ""]);
      assert.deepEqual(await found(Object.fromEntries(later)), [`${folder}/claude`, "folder"]);
    }
    assert.deepEqual(
      await found({
        "/home/u/.npm-global/bin/claude/file": "",
        "/usr/local/bin/claude": { executable: false },
        "/home/u/.local/bin/claude": "",
      }),
      ["/home/u/.local/bin/claude", "folder"],
    );
    assert.deepEqual(await found({ "/opt/homebrew/bin/claude": "" }, {}, { platform: "darwin", arch: "arm64" }), [
      "/opt/homebrew/bin/claude",
      "folder",
    ]);
  });

  test("A01: nothing anywhere is an error with every place that was tried and what to do", async () => {
    const error = await rejectsWith(locate(new FakeMachine({ home: "/home/u" })), CLINotFoundError);
    assert.strictEqual(error.code, "cli_not_found");
    assert.includeMembers([...error.tried], [
      "package @anthropic-ai/claude-agent-sdk-linux-x64",
      "package @anthropic-ai/claude-agent-sdk-linux-x64-musl",
      "package @anthropic-ai/claude-code-linux-x64",
      "package @anthropic-ai/claude-code-linux-x64-musl",
      "/usr/bin/claude",
      "/home/u/.claude/local/claude",
    ]);
    assert.match(error.message, /npm install @anthropic-ai\/claude-code/);
    assert.match(error.message, /pathToClaudeCodeExecutable/);
  });

  test("relative and empty entries of PATH are left out: they would mean wherever the host is", async () => {
    const machine = new FakeMachine({ files: { "bin/claude": "", "claude": "", "/b/claude": "" } });
    const cli = await locate(machine, { env: { PATH: ":bin:.:/b" } });
    assert.strictEqual(cli.command, "/b/claude");
  });

  test("the other C library's build is the alternative, and which comes first depends on the machine", async () => {
    const glibc = pkg("claude-code-linux-x64");
    const musl = pkg("claude-code-linux-x64-musl");
    const files = { [glibc]: "", [musl]: "" };
    for (const [shell, first, second] of [[GLIBC_SH, glibc, musl], [MUSL_SH, musl, glibc]] as const) {
      const cli = await locate(new FakeMachine({ files: { ...files, "/bin/sh": shell } }));
      assert.deepEqual([cli.command, ...cli.alternatives.map(({ command }) => command)], [first, second]);
    }
  });

  test("builds are found beside the packages that depend on them, through the links of strict package managers", async () => {
    const store = "/app/node_modules/.deno/@anthropic-ai+claude-code@2/node_modules/@anthropic-ai";
    const build =
      "/app/node_modules/.deno/@anthropic-ai+claude-code-linux-x64@2/node_modules/@anthropic-ai/claude-code-linux-x64";
    const files = {
      "/app/node_modules/@anthropic-ai/claude-code": { link: `${store}/claude-code` },
      [`${store}/claude-code/package.json`]: "{}",
      [`${store}/claude-code-linux-x64`]: { link: build },
      [`${build}/claude`]: "",
    };
    assert.deepEqual(await found(files), [`${build}/claude`, "package"]);
    // From the user's folder, when we ourselves are elsewhere.
    assert.deepEqual(await found(files, { from: "https://elsewhere.example/mod.ts", cwd: "/app/src" }), [
      `${build}/claude`,
      "package",
    ]);
  });

  test("a package without its program counts as absent; the wrapper's own program counts only when it is native", async () => {
    const wrapper = pkg("claude-code", "bin/claude.exe");
    const files = { [pkg("claude-code-linux-x64", "package.json")]: "{}", "/usr/bin/claude": "" };
    assert.deepEqual(await found({ ...files, [wrapper]: "echo 'not installed'" }), ["/usr/bin/claude", "path"]);
    assert.deepEqual(await found({ ...files, [wrapper]: { bytes: elfHead("/lib64/ld-linux-x86-64.so.2") } }), [
      wrapper,
      "package",
    ]);
  });

  test("macOS and Windows on arm64 fall back to the x64 build, Intel machines to nothing", async () => {
    const arm = { platform: "darwin", arch: "arm64" } as const;
    assert.deepEqual(await found({ [pkg("claude-code-darwin-x64")]: "" }, {}, arm), [
      pkg("claude-code-darwin-x64"),
      "package",
    ]);
    await rejectsWith(
      locate(new FakeMachine({ platform: "darwin", arch: "x64", files: { [pkg("claude-code-darwin-arm64")]: "" } })),
      CLINotFoundError,
    );
  });

  test("in an Electron archive the unpacked twin is started", async () => {
    const unpacked = "/x/app.asar.unpacked/node_modules/@anthropic-ai/claude-code-linux-x64/claude";
    const from = "file:///x/app.asar/node_modules/@tether/agent/index.js";
    assert.deepEqual(await found({ [unpacked]: "", "/x/app.asar": "" }, { from, cwd: "/" }), [unpacked, "package"]);
    assert.deepEqual(
      await found({ "/x/app.asar.unpacked/claude": "", "/x/app.asar": "" }, { path: "/x/app.asar/claude" }),
      ["/x/app.asar.unpacked/claude", "explicit"],
    );
    assert.deepEqual(await found({ "/x/app.asar": "" }, { path: "/x/app.asar/claude" }), [
      "/x/app.asar/claude",
      "explicit",
    ]);
  });

  test("A19: a module without an address of its own, as in a bundle, is no fault", async () => {
    assert.deepEqual(await found({ "/usr/bin/claude": "" }, { from: "" }), ["/usr/bin/claude", "path"]);
    assert.deepEqual(await found({ "/usr/bin/claude": "" }, { from: "file:///$bunfs/root/app.js" }), [
      "/usr/bin/claude",
      "path",
    ]);
  });

  test("where nothing may be looked at, a bare word goes to the system and a search says so", async () => {
    const blind = { blind: true, mayRun: (command: string) => command === "claude" };
    assert.deepEqual(await found({}, { path: "my-claude" }, blind), ["my-claude", "explicit"]);
    assert.deepEqual(await found({}, {}, blind), ["claude", "path"]);
    const error = await rejectsWith(locate(new FakeMachine({ blind: true, mayRun: () => false })), CLINotFoundError);
    assert.match(error.message, /--allow-read/);
  });

  test("an executable script starts itself; one that is not runs under the host's own binary", async () => {
    for (const extension of ["js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx"]) {
      const path = `/cli/main.${extension}`;
      const runs = async (executable: boolean) => {
        const { command, args } = await locate(new FakeMachine({ files: { [path]: { executable } } }), { path });
        return [command, ...args];
      };
      assert.deepEqual(await runs(true), [path]);
      assert.deepEqual(await runs(false), ["/opt/host/bin/node", path]);
    }
    const machine = new FakeMachine({ files: { "/cli/claude": { executable: false } } });
    assert.deepEqual((await locate(machine, { path: "/cli/claude" })).command, "/cli/claude");
  });

  test("`executable` names who runs a script: the host itself, a word on PATH, or a path", async () => {
    const files = { "/cli/main.mjs": "", "/usr/bin/bun": "", "/usr/bin/node": "", "/usr/bin/deno": "" };
    const runs = async (options: Partial<LocateCliOptions>) => {
      const { command, args } = await locate(new FakeMachine({ files }), { path: "/cli/main.mjs", ...options });
      return [command, ...args];
    };
    assert.deepEqual(await runs({ executable: "node" }), ["/opt/host/bin/node", "/cli/main.mjs"]);
    assert.deepEqual(await runs({ executable: "bun" }), ["/usr/bin/bun", "/cli/main.mjs"]);
    assert.deepEqual(await runs({ executable: "bun", executableArgs: ["--smol"] }), [
      "/usr/bin/bun",
      "--smol",
      "/cli/main.mjs",
    ]);
    assert.deepEqual(await runs({ executable: "/x/node" }), ["/x/node", "/cli/main.mjs"]);
    assert.deepEqual(await runs({ executable: "deno" }), ["/usr/bin/deno", "run", "--allow-all", "/cli/main.mjs"]);
    assert.deepEqual(await runs({ executable: "deno", executableArgs: ["run", "-E"] }), [
      "/usr/bin/deno",
      "run",
      "-E",
      "/cli/main.mjs",
    ]);
    // Arguments for an interpreter ask for one.
    assert.deepEqual(await runs({ executableArgs: ["--inspect"] }), [
      "/opt/host/bin/node",
      "--inspect",
      "/cli/main.mjs",
    ]);
  });

  test("a native CLI ignores `executable` and gets `executableArgs` before its own", async () => {
    const cli = await locate(new FakeMachine(), { path: "/cli/claude", executable: "bun", executableArgs: ["--a"] });
    assert.deepEqual([cli.command, ...cli.args], ["/cli/claude", "--a"]);
  });

  test("a script where the host's binary is an app is refused with a way out", async () => {
    const machine = new FakeMachine({ files: { "/cli/main.mjs": { executable: false } }, execPath: undefined });
    const error = await rejectsWith(locate(machine, { path: "/cli/main.mjs" }), OptionError);
    assert.strictEqual(error.option, "executable");
  });
});
