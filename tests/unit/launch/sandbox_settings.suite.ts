import { assert } from "chai";
import { withSandbox } from "../../../src/transport/process/sandbox_settings.ts";
import { deepFreeze } from "../../harness/freeze.ts";
import { suite } from "../../harness/suite.ts";

export default suite("sandbox and settings", (test) => {
  test("B15: a sandbox that is asked for must be there, unless either side says otherwise", () => {
    assert.deepEqual(withSandbox({}, { enabled: true }), { sandbox: { enabled: true, failIfUnavailable: true } });
    assert.deepEqual(withSandbox({}, { enabled: true, failIfUnavailable: false }), {
      sandbox: { enabled: true, failIfUnavailable: false },
    });
    assert.deepEqual(withSandbox({ sandbox: { failIfUnavailable: false } }, { enabled: true }), {
      sandbox: { failIfUnavailable: false, enabled: true },
    });
    assert.deepEqual(withSandbox({ sandbox: { enabled: true } }, {}), {
      sandbox: { enabled: true, failIfUnavailable: true },
    });
    assert.deepEqual(withSandbox({}, { enabled: false }), { sandbox: { enabled: false } });
  });

  test("the option wins, other settings stay, and what was given stays as it is", () => {
    const settings = deepFreeze({ model: "m", sandbox: { enabled: false, network: { allowLocalBinding: true } } });
    const sandbox = deepFreeze({
      enabled: true,
      network: { allowedDomains: ["a"] },
      autoAllowBashIfSandboxed: undefined,
    });
    assert.deepEqual(withSandbox(settings, sandbox as never), {
      model: "m",
      sandbox: {
        enabled: true,
        failIfUnavailable: true,
        network: { allowLocalBinding: true, allowedDomains: ["a"] },
      },
    });
  });

  test("what settings forbid stays forbidden: those lists are joined, settings first", () => {
    const merged = withSandbox(
      {
        sandbox: {
          filesystem: { denyRead: ["a"], denyWrite: ["b"], allowWrite: ["c"] },
          network: { deniedDomains: ["d"] },
          credentials: { files: [{ path: "f", mode: "deny" }], envVars: [{ name: "E", mode: "deny" }] },
          excludedCommands: ["x"],
        },
      },
      {
        filesystem: { denyRead: ["A"], denyWrite: ["B"], allowWrite: ["C"] },
        network: { deniedDomains: ["D"] },
        credentials: { files: [{ path: "F", mode: "mask" }], envVars: [{ name: "e", mode: "mask" }] },
        excludedCommands: ["X"],
      },
    );
    assert.deepEqual(merged.sandbox, {
      filesystem: { denyRead: ["a", "A"], denyWrite: ["b", "B"], allowWrite: ["C"] },
      network: { deniedDomains: ["d", "D"] },
      credentials: {
        files: [{ path: "f", mode: "deny" }, { path: "F", mode: "mask" }],
        envVars: [{ name: "E", mode: "deny" }, { name: "e", mode: "mask" }],
      },
      excludedCommands: ["X"],
    });
  });

  test("ripgrep is replaced whole", () => {
    const merged = withSandbox({ sandbox: { ripgrep: { command: "a", args: ["-x"] } } }, { ripgrep: { command: "b" } });
    assert.deepEqual(merged.sandbox, { ripgrep: { command: "b" } });
  });

  test("what in the settings would undo the option is dropped", () => {
    const settings = {
      sandbox: {
        filesystem: { disabled: true, denyRead: ["a"] },
        network: { httpProxyPort: 1, socksProxyPort: 2, allowLocalBinding: true },
      },
    };
    assert.deepEqual(withSandbox(settings, { filesystem: {}, network: { allowedDomains: [] } }).sandbox, {
      filesystem: { denyRead: ["a"] },
      network: { allowLocalBinding: true, allowedDomains: [] },
    });
    assert.deepEqual(withSandbox(settings, {}).sandbox, settings.sandbox);
  });
});
