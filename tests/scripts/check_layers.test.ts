import { assert } from "chai";
import { checkLayers, type Edge, edgesOf, findCycles, readGraph } from "../../scripts/check_layers.ts";

function edge(from: string, to: string, kind: Edge["kind"] = "static"): Edge {
  return { from, to, kind, line: 7 };
}

for (
  const [from, to, kind] of [
    ["src/core/streams/x.ts", "src/transport/transport.ts", "static"],
    ["src/core/streams/x.ts", "src/client/query.ts", "type"],
    ["src/core/json.ts", "node:fs", "static"],
    ["src/core/json.ts", "npm:zod@^4.0.0", "type"],
    ["src/transport/x.ts", "src/runtime/deno/spawn.ts", "static"],
    ["src/transport/x.ts", "src/client/query.ts", "static"],
    ["src/runtime/deno/x.ts", "src/runtime/node/x.ts", "lazy"],
    ["src/runtime/shared.ts", "src/runtime/node/x.ts", "static"],
    ["src/client/query.ts", "src/runtime/detect.ts", "lazy"],
    ["src/client/query.ts", "src/testing/scripted_cli.ts", "static"],
    ["src/client/query.ts", "npm:@modelcontextprotocol/sdk@^1.29.0/server/mcp.js", "lazy"],
    ["src/client/handlers/mcp_bridge.ts", "npm:@modelcontextprotocol/sdk@^1.29.0/server/mcp.js", "static"],
    ["src/client/tool.ts", "npm:zod@^4.0.0", "static"],
    ["src/hono/route.ts", "src/client/query.ts", "static"],
    ["src/core/json.ts", "jsr:@std/assert@1", "static"],
    ["src/core/json.ts", "https://example.com/x.ts", "static"],
    ["mod.ts", "src/testing/mod.ts", "static"],
    ["src/somewhere/x.ts", "src/core/json.ts", "static"],
    ["tests/conformance/x.suite.ts", "node:fs", "static"],
    ["src/core/json.ts", "unresolved:Module not found", "static"],
  ] as const
) {
  Deno.test(`a violation: ${from} → ${to} (${kind})`, () => {
    const faults = checkLayers([edge(from, to, kind)]);
    assert.lengthOf(faults, 1);
    assert.include(faults[0], `${from}:7: `);
  });
}

Deno.test("imports that the table allows", () => {
  assert.deepEqual(
    checkLayers([
      edge("src/core/protocol/x.ts", "src/core/streams/y.ts"),
      edge("src/transport/x.ts", "src/core/runtime.ts"),
      edge("src/runtime/node/x.ts", "node:child_process"),
      edge("src/runtime/node/x.ts", "src/runtime/shared.ts"),
      edge("src/runtime/detect.ts", "src/runtime/bun/x.ts", "lazy"),
      edge("src/client/query.ts", "src/transport/transport.ts"),
      edge("src/client/handlers/mcp_bridge.ts", "npm:@modelcontextprotocol/sdk@^1.29.0/server/mcp.js", "lazy"),
      edge("src/client/tool.ts", "npm:zod@^4.0.0", "type"),
      edge("src/mcp/mod.ts", "npm:/@modelcontextprotocol/sdk@^1.29.0/server/mcp.js"),
      edge("src/testing/x.ts", "src/client/query.ts"),
      edge("src/remote/mod.ts", "src/runtime/detect.ts"),
      edge("mod.ts", "src/runtime/detect.ts"),
      edge("tests/unit/x.suite.ts", "node:fs"),
    ]),
    [],
  );
});

Deno.test("a cycle is found once, whoever starts it; a type or a lazy import closes none", () => {
  const ring = [edge("b", "c"), edge("a", "b"), edge("c", "a"), edge("d", "a")];
  assert.deepEqual(findCycles(ring), [["a", "b", "c", "a"]]);
  assert.deepEqual(findCycles([edge("a", "b"), edge("b", "a", "type"), edge("b", "a", "lazy")]), []);
});

Deno.test("a violation is found in real files, with its line", async () => {
  const root = await Deno.makeTempDir({ prefix: "tether-layers-" });
  try {
    await Deno.mkdir(`${root}/src/core`, { recursive: true });
    await Deno.mkdir(`${root}/src/transport`, { recursive: true });
    await Deno.writeTextFile(`${root}/deno.json`, "{}");
    await Deno.writeTextFile(
      `${root}/src/core/a.ts`,
      `// first line\nimport type { B } from "../transport/b.ts";\nexport const load = (): Promise<unknown> => import("node:fs");\nexport type { B };\n`,
    );
    await Deno.writeTextFile(
      `${root}/src/transport/b.ts`,
      `import "../core/a.ts";\nimport "./missing.ts";\nexport class B {}\n`,
    );
    const faults = checkLayers(edgesOf(await readGraph(["src/core/a.ts", "src/transport/b.ts"], root), root));
    assert.lengthOf(faults, 3, faults.join("\n"));
    assert.include(faults[0], "src/core/a.ts:2: ");
    assert.include(faults[1], "src/core/a.ts:3: ");
    assert.include(faults[2], "src/transport/b.ts:2: cannot be resolved: ");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("what starts processes is loaded only where one is started: the root reaches it by import()", async () => {
  const edges = edgesOf(await readGraph(["mod.ts"]));
  const reached = new Set(["mod.ts"]);
  for (const from of reached) {
    for (const edge of edges) if (edge.from === from && edge.kind === "static") reached.add(edge.to);
  }
  assert.isTrue(reached.has("src/client/launch.ts"));
  assert.deepEqual(
    [...reached].filter((file) => /^src\/(transport\/process|runtime\/(deno|bun|node))\//.test(file)),
    [],
  );
  assert.include(edges.filter(({ kind }) => kind === "lazy").map(({ to }) => to), "src/client/launch_cli.ts");
});
