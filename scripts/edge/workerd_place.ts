/** workerd, as miniflare starts it. */

import { Log, LogLevel, Miniflare } from "miniflare";
import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import type { BodyResult } from "../../tests/harness/run_body.ts";
import type { EdgePlace } from "./edge_place.ts";

/** The behaviour of workerd that is tested: what a new project would get, and no Node compatibility. */
const COMPATIBILITY_DATE = "2026-07-01";

/** What workerd writes to stderr about an exception that no handler inside heard of. */
const UNCAUGHT = /^.*uncaught exception; source = .*$/gm;

/** Starts workerd. One request runs one body, so that no body lives on another's input and output. */
export async function startWorkerd(bundle: string): Promise<EdgePlace> {
  let stderr = "";
  let outbound: string[] = [];
  const miniflare = new Miniflare({
    modules: [{ type: "ESModule", path: "suites.js", contents: bundle }],
    compatibilityDate: COMPATIBILITY_DATE,
    cf: false, // else it would ask its vendor for a sample of request properties
    verbose: true, // else uncaught exceptions stay untold
    log: new Log(LogLevel.NONE),
    outboundService: ({ url }: { url: string }) => {
      outbound.push(`The network was asked for ${url}`);
      throw new Error("There is no network");
    },
    handleRuntimeStdio(stdout: Readable, errors: Readable) {
      stdout.resume();
      errors.setEncoding("utf8").on("data", (text: string) => stderr += text);
    },
  });
  const call = async (path: string, body: string, signal?: AbortSignal): Promise<unknown> => {
    const response = await fetch(new URL(path, await miniflare.ready), {
      method: "POST",
      body,
      signal: signal ?? null,
    });
    if (response.ok) return await response.json();
    throw new Error(`workerd answered ${response.status}: ${await response.text()}\n${stderr}`);
  };
  const close = async (): Promise<void> => {
    await miniflare.dispose();
  };
  try {
    return {
      version: workerdVersion(),
      plan: await call("/list", "") as EdgePlace["plan"],
      run: async (id, giveUpMs) => await call("/run", id, AbortSignal.timeout(giveUpMs)) as BodyResult,
      async strays() {
        const inside = await call("/strays", "") as string[];
        const strays = [...inside, ...outbound, ...stderr.match(UNCAUGHT) ?? []];
        stderr = "";
        outbound = [];
        return strays;
      },
      // workerd ends everything that a request started when it has been answered.
      reset: () => Promise.resolve(),
      close,
    };
  } catch (error) {
    await close().catch(() => {}); // says the same once more, if it never came up
    throw new Error(`workerd did not take the suites\n${stderr}`, { cause: error });
  }
}

function workerdVersion(): string {
  const own = createRequire(import.meta.url);
  const ofMiniflare = createRequire(own.resolve("miniflare"));
  return (ofMiniflare("workerd/package.json") as { version: string }).version;
}
