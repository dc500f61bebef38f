import { isJsonObject } from "../../core/json.ts";
import { pathRules } from "../../core/paths.ts";
import type { Runtime } from "../../core/runtime.ts";

/** The npm packages that hold native builds of the CLI carry its version. */
const BUILD_PACKAGE = /^@anthropic-ai\/claude-(?:code|agent-sdk)(?:-|$)/;

/** No manifest of a package is longer. */
const LONGEST_MANIFEST = 64 * 1024;

/** Version of a CLI that lies in its npm package, told without starting it; undefined for any other, or where rights forbid. */
export async function packagedVersion(runtime: Runtime, cliPath: string): Promise<string | undefined> {
  const rules = pathRules(runtime.platform);
  const folder = rules.dirname(await runtime.fs.realPath(cliPath) ?? cliPath);
  const bytes = await runtime.fs.readHead(rules.join(folder, "package.json"), LONGEST_MANIFEST);
  if (bytes === undefined) return undefined;
  let manifest: unknown;
  try {
    manifest = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Somebody else's file of that name: it says nothing about the CLI.
    return undefined;
  }
  if (!isJsonObject(manifest) || typeof manifest.name !== "string" || !BUILD_PACKAGE.test(manifest.name)) {
    return undefined;
  }
  // The packages named after the SDK count differently; their CLI's version stands nowhere.
  const isSdk = manifest.name.startsWith("@anthropic-ai/claude-agent-sdk");
  return isSdk || typeof manifest.version !== "string" ? undefined : manifest.version;
}
