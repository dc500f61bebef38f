import { assert } from "chai";
import { ClaudeSDKClient, createSdkMcpServer, type Options, query } from "../../../mod.ts";
import { snapshotOptions } from "../../../src/core/options/snapshot.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { scriptedCli, type ScriptedCliTransport, step } from "../../../src/testing/mod.ts";
import { deepFreeze } from "../../harness/freeze.ts";
import { suite } from "../../harness/suite.ts";

const callback = () => Promise.resolve(null);

/** Options, and what their caller makes of them for the next query. */
function asked(): { readonly options: Options; change(): void } {
  const deny = ["Bash"];
  const agent = { description: "d", prompt: "mine" };
  const hooks = { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] };
  const extraEnv: Record<string, string> = { A: "1" };
  const options: Options = {
    allowedTools: ["Read"],
    settings: { permissions: { deny } },
    agents: { a: agent },
    hooks,
    tether: { extraEnv },
  };
  return {
    options,
    change() {
      deny.length = 0;
      agent.prompt = "another's";
      hooks.PreToolUse.length = 0;
      extraEnv.A = "2";
      (options.allowedTools as string[]).push("Bash");
      Object.assign(options, { permissionMode: "bypassPermissions", cwd: "/elsewhere" });
    },
  };
}

/** The `initialize` a CLI got. */
function initialized(cli: ScriptedCliTransport): JsonObject {
  return cli.received.map(({ request }) => request as JsonObject | undefined)
    .find((request) => request?.subtype === "initialize") as JsonObject;
}

export default suite("options snapshot", (test) => {
  test("what a caller changes after the call reaches no part of it", () => {
    const { options, change } = asked();
    const { hooks, ...before } = snapshotOptions(options);
    const text = JSON.stringify(before);
    change();
    assert.strictEqual(JSON.stringify(before), text);
    assert.lengthOf(hooks?.PreToolUse ?? [], 1);
    assert.notInclude(text, "bypassPermissions");
  });

  test("a query, and a client's connections, are made with what was checked", async (t) => {
    const { options, change } = asked();
    const cli = scriptedCli([step.turn("done")]).transport();
    const running = query({ prompt: "hi", options: Object.assign(options, { tether: { transport: cli } }) });
    t.cleanup(() => running.close());
    change();
    for await (const _ of running) { /* to the end */ }
    assert.deepEqual(initialized(cli).agents, { a: { description: "d", prompt: "mine" } });
    assert.property(initialized(cli).hooks, "PreToolUse");

    const later = asked();
    const other = scriptedCli([]).transport();
    const client = new ClaudeSDKClient(Object.assign(later.options, { tether: { transport: other } }));
    t.cleanup(() => client.disconnect());
    later.change();
    await client.connect();
    assert.deepEqual(initialized(other).agents, { a: { description: "d", prompt: "mine" } });
  });

  test("what lives is the very same: controllers, stores, transports, callbacks, servers and instances", () => {
    class Remote {
      readonly command: string = "x";
    }
    const living = {
      abortController: new AbortController(),
      canUseTool: callback,
      sessionStore: { append: callback, load: callback },
    };
    const transport = { readable: new ReadableStream(), close: callback };
    const own = createSdkMcpServer({ name: "own" });
    const remote = new Remote();
    const options = { ...living, mcpServers: { own, remote }, tether: { transport } } as unknown as Options;
    const copy = snapshotOptions(deepFreeze(options));
    for (const name of Object.keys(living) as (keyof typeof living)[]) assert.strictEqual(copy[name], living[name]);
    assert.strictEqual((copy.mcpServers as Record<string, unknown>).own, own);
    assert.strictEqual((copy.mcpServers as Record<string, unknown>).remote, remote);
    assert.strictEqual(copy.tether?.transport, transport);
    assert.notStrictEqual(copy.mcpServers, options.mcpServers);
  });

  test("options with a prototype are read whole, an environment that is no plain object is copied", () => {
    class Given {
      #model = "opus";
      get model(): string {
        return this.#model;
      }
      env: Record<string, string> = new (class Env {
        A = "1";
      })() as unknown as Record<string, string>;
    }
    const given = new Given();
    const copy = snapshotOptions(given);
    given.env.A = "2";
    assert.strictEqual(copy.model, "opus");
    assert.deepEqual(copy.env, { A: "1" });
    assert.strictEqual(snapshotOptions(Object.create({ model: "haiku" })).model, "haiku");
  });

  test("any depth, circles, shared parts and the name __proto__ come through as they are", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { deep };
    const shared = ["x"];
    const named = JSON.parse('{"__proto__":{"description":"d","prompt":"p"}}');
    const given = { settings: { circle, deep, shared }, plugins: shared, agents: named, more: new Array(2) };
    const copy = snapshotOptions(given as unknown as Options) as unknown as typeof given;
    const { settings, plugins, agents, more } = copy;
    assert.notStrictEqual(settings.circle, circle);
    assert.strictEqual(settings.circle.self, settings.circle);
    assert.strictEqual(settings.shared, plugins);
    assert.deepEqual(Object.keys(agents), ["__proto__"]);
    assert.strictEqual(Object.getPrototypeOf(agents), Object.prototype);
    assert.deepEqual(more, [undefined, undefined]);
    let depth = 0;
    for (let at: typeof deep = settings.deep; at.deep !== undefined; at = at.deep as typeof deep) depth++;
    assert.strictEqual(depth, 100_000);
    for (const odd of [null, "text", [1]]) assert.deepEqual(snapshotOptions(odd as unknown as Options), odd as never);
  });
});
