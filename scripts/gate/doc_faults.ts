import { join } from "node:path";
import { ROOT } from "../root.ts";
import { runCommand } from "../run_command.ts";

/** Runs `deno doc --lint` on some entries. A type of another package is not ours to make public: those are no faults. */
export async function docFaults(entries: readonly string[], sources: readonly string[]): Promise<string[]> {
  const result = await runCommand(Deno.execPath(), ["doc", "--lint", ...entries], { cwd: ROOT });
  if (result.code === 0) return [];
  const texts = await Promise.all(sources.map((file) => Deno.readTextFile(join(ROOT, file))));
  return filterDocFaults(result.output, texts.join("\n"));
}

/** The faults in the output of a failed run that concern our own types. `source` is all of our source. */
export function filterDocFaults(output: string, source: string): string[] {
  const blocks = output.split(/^(?=error\[)/m).filter((block) => block.startsWith("error["));
  if (blocks.length === 0) return [output];
  return blocks.filter((block) => {
    const name = /^error\[private-type-ref\]: .* references private type '([\w$]+)'/.exec(block)?.[1];
    return name === undefined || new RegExp(`\\b(class|interface|type|enum|function|const) ${name}\\b`).test(source);
  }).map((block) => block.trimEnd());
}
