/** Headless Chromium, from the system's own package, driven over its debugging pipe. */

import { type BrowserContext, chromium, type Page } from "playwright-core";
import { join } from "node:path";
import type { EdgeTests } from "./bundled_suites.ts";
import type { EdgePlace } from "./edge_place.ts";
import { findChromium } from "./find_chromium.ts";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No name is ever looked up.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const PAGE =
  `<!doctype html><meta charset="utf-8"><title>suites</title><script type="module" src="suites.js"></script>`;

/** Starts Chromium with a page of the suites, served from loopback: a secure origin, but not cross-origin isolated. */
export async function startChromium(bundle: string, tempDir: string): Promise<EdgePlace> {
  const executablePath = await findChromium();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/") return new Response(PAGE, { headers: { "content-type": "text/html" } });
    if (pathname !== "/suites.js") return new Response("No such file", { status: 404 });
    return new Response(bundle, { headers: { "content-type": "text/javascript; charset=utf-8" } });
  });
  let context: BrowserContext | undefined;
  const close = async (): Promise<void> => {
    await context?.close();
    await server.shutdown();
  };
  try {
    context = await chromium.launchPersistentContext(join(tempDir, `profile-${crypto.randomUUID()}`), {
      executablePath,
      headless: true,
      chromiumSandbox: false,
      args: FLAGS,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: tempDir, TMPDIR: tempDir, XDG_RUNTIME_DIR: tempDir },
    });
    const page = context.pages()[0] ?? await context.newPage();
    const url = `http://127.0.0.1:${server.addr.port}/`;
    const plan = await openPage(page, url);
    return {
      version: context.browser()?.version() ?? "unknown",
      plan,
      run: (id, giveUpMs) => within(giveUpMs, page.evaluate((id) => inPage.edgeTests.run(id), id)),
      strays: () => within(60_000, page.evaluate(() => inPage.edgeTests.strays())),
      async reset() {
        await openPage(page, url);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What functions sent to the page see there; the name is replaced by the page's own global object. */
declare const inPage: { readonly edgeTests: EdgeTests };

async function openPage(page: Page, url: string): Promise<EdgePlace["plan"]> {
  const faults: string[] = [];
  const note = (error: Error): void => void faults.push(error.stack ?? error.message);
  page.on("pageerror", note);
  await page.goto(url, { waitUntil: "load" });
  const plan = await page.evaluate(() => {
    const scope = globalThis as typeof globalThis & { inPage?: unknown; edgeTests?: EdgeTests };
    scope.inPage = scope;
    return scope.edgeTests && { ids: scope.edgeTests.ids, probes: scope.edgeTests.probes };
  });
  page.off("pageerror", note);
  if (plan === undefined) throw new Error(`The page did not take the suites\n${faults.join("\n")}`);
  return plan;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The page gave no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
