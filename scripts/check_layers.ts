/**
 * Holds every module to the layer table: who may import whom, where npm packages and builtins may stand, no cycles.
 * The graph is Deno's own (`deno info --json`).
 */

import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isPermitted, layerOf } from "./layer_table.ts";
import { listFiles } from "./list_files.ts";
import { ROOT } from "./root.ts";
import { runCommand } from "./run_command.ts";

/** One import of one module. */
export interface Edge {
  /** The importing file, relative to the repository, with forward slashes. */
  readonly from: string;
  /** The imported file likewise, or a specifier with its scheme: `npm:zod`, `node:fs`. */
  readonly to: string;
  /** The line in `from`, counted from 1. */
  readonly line: number;
  /** `type`: erased at run time. `lazy`: only by `import()`. */
  readonly kind: "static" | "lazy" | "type";
}

/** Every violation among these imports, in words. */
export function checkLayers(edges: readonly Edge[]): string[] {
  const faults: string[] = [];
  for (const edge of edges) {
    const from = layerOf(edge.from);
    const place = `${edge.from}:${edge.line}`;
    if (from === undefined) {
      faults.push(`${place}: ${edge.from} stands in no layer of the table (scripts/layer_table.ts)`);
    } else if (edge.to.startsWith("unresolved:")) {
      faults.push(`${place}: cannot be resolved: ${edge.to.slice("unresolved:".length)}`);
    } else if (!isPermitted(from, edge)) {
      faults.push(
        `${place}: layer "${from.name}" may not import ${edge.to}${edge.kind === "static" ? "" : ` (${edge.kind})`}`,
      );
    }
  }
  for (const cycle of findCycles(edges)) faults.push(`import cycle: ${cycle.join(" → ")}`);
  return faults;
}

/** Cycles of imports that exist at run time; each is told once, from its first file by name. */
export function findCycles(edges: readonly Edge[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to, kind } of edges) {
    if (kind === "static") next.set(from, [...next.get(from) ?? [], to]);
  }
  const cycles = new Map<string, string[]>();
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at !== -1) {
      const cycle = path.slice(at);
      const first = cycle.indexOf([...cycle].sort()[0]!);
      const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
      cycles.set(turned.join(), [...turned, turned[0]!]);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const to of next.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  };
  for (const file of [...next.keys()].sort()) visit(file);
  return [...cycles.values()];
}

/** The part of `deno info --json` that is read here. */
interface ModuleGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: Resolution;
      readonly type?: Resolution;
      readonly isDynamic?: boolean;
    }[];
  }[];
}

interface Resolution {
  readonly specifier?: string;
  readonly error?: string;
  readonly span?: { readonly start: { readonly line: number } };
}

/** The imports of the repository's own modules, from Deno's graph. */
export function edgesOf(graph: ModuleGraph, root: string = ROOT): Edge[] {
  const broken = new Map(
    graph.modules.flatMap(({ specifier, error }) => error === undefined ? [] : [[specifier, error]]),
  );
  const target = (resolution: Resolution | undefined, asWritten: string): string => {
    const error = resolution?.error ?? broken.get(resolution?.specifier ?? "");
    if (resolution?.specifier === undefined || error !== undefined) return `unresolved:${error ?? asWritten}`;
    return shorten(resolution.specifier, root);
  };
  const edges: Edge[] = [];
  for (const module of graph.modules) {
    const from = shorten(module.specifier, root);
    if (from.includes(":") || from.startsWith(".")) continue;
    for (const { specifier, code, type, isDynamic } of module.dependencies ?? []) {
      const resolution = code ?? type;
      edges.push({
        from,
        to: target(resolution, specifier),
        line: (resolution?.span?.start.line ?? 0) + 1,
        kind: code === undefined ? "type" : isDynamic ? "lazy" : "static",
      });
    }
  }
  return edges;
}

function shorten(specifier: string, root: string): string {
  if (!specifier.startsWith("file:")) return specifier;
  return relative(root, fileURLToPath(specifier)).replaceAll("\\", "/");
}

/** Asks Deno for the graph of some files, given relative to `root`. */
export async function readGraph(files: readonly string[], root: string = ROOT): Promise<ModuleGraph> {
  await Deno.mkdir(join(root, ".build"), { recursive: true });
  const all = await Deno.makeTempFile({ dir: join(root, ".build"), prefix: "modules_", suffix: ".ts" });
  const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)};\n`);
  await Deno.writeTextFile(all, imports.join(""));
  const result = await runCommand(Deno.execPath(), ["info", "--json", all], { cwd: root, stdoutOnly: true });
  await Deno.remove(all);
  if (result.code !== 0) throw new Error(`Cannot read the module graph (exit ${result.code}):\n${result.stderr}`);
  return JSON.parse(result.output) as ModuleGraph;
}

if (import.meta.main) {
  const edges = edgesOf(await readGraph((await listFiles()).filter((file) => file.endsWith(".ts"))));
  const faults = checkLayers(edges);
  for (const fault of faults) console.error(fault);
  if (edges.length === 0) console.error("The module graph is empty: nothing was checked");
  console.log(`${edges.length} imports, ${faults.length} violations`);
  if (faults.length > 0 || edges.length === 0) Deno.exit(1);
}
