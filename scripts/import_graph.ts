import { edgesOf, readGraph } from "./check_layers.ts";

/** Who imports whom when the code runs, as far as it stays in the repository; paths relative to it. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The imports of some files and of all that they reach. */
export async function importGraph(files: readonly string[]): Promise<ImportGraph> {
  const graph = new Map<string, string[]>();
  for (const { from, to, kind } of edgesOf(await readGraph(files))) {
    if (kind !== "type" && !to.includes(":")) graph.set(from, [...graph.get(from) ?? [], to]);
  }
  return graph;
}
