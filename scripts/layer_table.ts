/** Which part may know which. The first row whose pattern fits a file is its layer. */

import type { Edge } from "./check_layers.ts";

/** One row of the table. */
export interface Layer {
  readonly name: string;
  readonly files: RegExp;
  /** Files that may be imported in any way. */
  readonly imports: readonly RegExp[];
  /** npm packages, by how they may come in. `type` imports are erased; `lazy` ones load when first needed. */
  readonly packages?: Readonly<Record<string, readonly Edge["kind"][]>>;
  /** Builtin modules (`node:…`) are allowed. */
  readonly builtins?: boolean;
}

const core = /^src\/core\//;
const transport = /^src\/transport\//;
const client = /^src\/client\//;
const remote = /^src\/remote\//;
const adapters = /^src\/runtime\//;
const shipped = /^(src|workers)\/|^mod\.ts$/;
/** Everything that is shipped but the testing kit: that one may import all, and nothing imports it. */
const product = /^(src\/(?!testing\/)|workers\/|mod\.ts$)/;

const mcp = {
  "@modelcontextprotocol/sdk": ["type", "lazy"],
  "@cfworker/json-schema": ["type", "lazy"],
  zod: ["type", "lazy"],
} as const;
const anything = /^[^:]*$/;
/** Nothing but their own tests imports the benchmark. */
const allButBench = /^(?!bench\/)[^:]*$/;

/** The table. */
export const LAYERS: readonly Layer[] = [
  // Entry files bind a concrete runtime; nothing else does.
  { name: "entry", files: /^mod\.ts$/, imports: [product] },
  {
    name: "entry ./mcp",
    files: /^src\/mcp\/mod\.ts$/,
    imports: [product],
    packages: { "@modelcontextprotocol/sdk": ["static", "type"] },
  },
  { name: "testing", files: /^src\/testing\//, imports: [shipped], builtins: true },
  { name: "leaf entry", files: /^src\/(sessions|stores|worker|remote|hono)\/mod\.ts$/, imports: [product] },
  {
    name: "worker entry",
    files: /^workers\//,
    imports: [core, transport, client, /^src\/worker\//, adapters],
    builtins: true,
  },

  { name: "core", files: core, imports: [core] },
  ...(["deno", "bun", "node"] as const).map((name): Layer => ({
    name: `runtime/${name}`,
    files: new RegExp(`^src/runtime/${name}/`),
    imports: [core, new RegExp(`^src/runtime/(${name}/|[^/]+$)`)],
    builtins: true,
  })),
  // Picks an adapter, each behind an import() so that a bundle for one runtime need not hold the others.
  { name: "runtime detection", files: /^src\/runtime\/detect\.ts$/, imports: [core, adapters] },
  { name: "runtime shared", files: /^src\/runtime\/[^/]+$/, imports: [core, /^src\/runtime\/[^/]+$/] },
  { name: "transport", files: transport, imports: [core, transport] },
  {
    name: "client, MCP and tools",
    files: /^src\/client\/((handlers\/)?mcp[^/]*|(handlers\/)?tools?)(\/|\.ts$)/,
    imports: [core, transport, client],
    packages: mcp,
  },
  {
    name: "client, tracing",
    files: /^src\/client\/tracing\//,
    imports: [core, transport, /^src\/client\/tracing\//],
    packages: { "@opentelemetry/api": ["type", "lazy"] },
  },
  { name: "client", files: client, imports: [core, transport, client] },

  {
    name: "sessions",
    files: /^src\/sessions\//,
    imports: [core, transport, /^src\/sessions\//],
    packages: { "jsonc-parser": ["static", "lazy", "type"] },
  },
  { name: "settings", files: /^src\/settings\//, imports: [core, /^src\/settings\//] },
  { name: "stores", files: /^src\/stores\//, imports: [core, /^src\/stores\//] },
  { name: "worker", files: /^src\/worker\//, imports: [core, transport, client, /^src\/worker\//] },
  { name: "remote", files: remote, imports: [core, transport, client, remote] },
  {
    name: "hono",
    files: /^src\/hono\//,
    imports: [core, remote, /^src\/hono\//],
    packages: { hono: ["static", "lazy", "type"] },
  },

  // Bodies that also run in workerd and in a browser.
  {
    name: "conformance bodies",
    files: /^tests\/conformance\//,
    imports: [
      /^src\/(core|transport|client|sessions|stores|remote|testing)\//,
      /^tests\/(conformance|harness|fixtures\/messages)\//,
    ],
    packages: { chai: ["static", "type"], "fast-check": ["static", "type"] },
  },
  // Frames that those bodies play, among others.
  {
    name: "frames",
    files: /^tests\/fixtures\/messages\//,
    imports: [/^mod\.ts$/, core, /^tests\/fixtures\/messages\//],
  },
  {
    name: "tests of the tools",
    files: /^tests\/scripts\//,
    imports: [anything],
    packages: { "*": ["static", "lazy", "type"] },
    builtins: true,
  },
  {
    name: "tests",
    files: /^tests\//,
    imports: [allButBench],
    packages: { "*": ["static", "lazy", "type"] },
    builtins: true,
  },
  // What runs in a measured process is bundled into one file: it knows of nothing but its like.
  {
    name: "measured programs",
    files: /^bench\/(adapters|limits|process|programs)\//,
    imports: [/^bench\/(adapters|process)\//],
    builtins: true,
  },
  {
    name: "benchmark",
    files: /^bench\//,
    imports: [/^(bench|scripts)\//, /^mod\.ts$/, /^src\/(testing|mcp)\/mod\.ts$/],
    packages: { esbuild: ["static"] },
    builtins: true,
  },
  {
    name: "scripts",
    files: /^(scripts|examples)\//,
    imports: [allButBench],
    packages: { "*": ["static", "lazy", "type"] },
    builtins: true,
  },
];

/** The layer of a file. */
export function layerOf(file: string): Layer | undefined {
  return LAYERS.find((layer) => layer.files.test(file));
}

/** Whether the table allows an import. */
export function isPermitted(layer: Layer, { to, kind }: Pick<Edge, "to" | "kind">): boolean {
  if (to.startsWith("node:")) return layer.builtins === true;
  if (to.startsWith("npm:")) {
    const name = /^npm:\/?((?:@[^/]+\/)?[^/@]+)/.exec(to)?.[1] ?? "";
    const kinds = layer.packages?.[name] ?? layer.packages?.["*"];
    return kinds?.includes(kind) ?? false;
  }
  // Whatever else has a scheme (jsr:, https:, data:) cannot be had offline, or by npm users.
  return !to.includes(":") && layer.imports.some((pattern) => pattern.test(to));
}
