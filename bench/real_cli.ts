import { dirname, join } from "node:path";
import { ROOT } from "../scripts/root.ts";
import { scriptedModel, turn } from "../src/testing/mod.ts";
import { UsageError } from "./arguments.ts";
import type { CliPlace } from "./lab.ts";

/** Answers that are ready; each run takes one. */
const ANSWERS = 5_000;

/** A CLI with a model on 127.0.0.1 that answers "ok" to whatever it is asked. */
export async function startRealCli(path: string, home: string): Promise<CliPlace & { close(): Promise<void> }> {
  const model = await scriptedModel(Array.from({ length: ANSWERS }, () => turn.text("ok")));
  return { path, env: model.env(home, { sandbox: true }), close: () => model.close() };
}

/** The CLI's binary: in the package of its platform, beside the one that deno.json names. @throws {UsageError} */
export async function pinnedCli(): Promise<string> {
  const wrapper = await Deno.realPath(join(ROOT, "node_modules", "@anthropic-ai", "claude-code"));
  const platform = `linux-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;
  for (const name of [`claude-code-${platform}`, `claude-code-${platform}-musl`]) {
    const path = join(dirname(wrapper), name, "claude");
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  throw new UsageError(`The pinned CLI for ${platform} is not installed: run deno install.`);
}
