/** Finds a Chromium on the machine. Browsers are never downloaded from their vendors. */

import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/**
 * The path of a Chromium: `TETHER_CHROMIUM` if set, else the first on `PATH`; root on a Debian gets its package installed.
 * @throws if there is none.
 */
export async function findChromium(): Promise<string> {
  const found = Deno.env.get("TETHER_CHROMIUM") || await onPath(NAMES);
  if (found !== undefined) return found;
  const aptGet = await onPath(["apt-get"]);
  if (aptGet === undefined || Deno.uid() !== 0) {
    throw new Error(`No Chromium: none of ${NAMES.join(", ")} is on PATH. Install Debian's package "chromium".`);
  }
  console.error("Installing Debian's package chromium …");
  await run(aptGet, ["update"]);
  await run(aptGet, ["install", "-y", "--no-install-recommends", "chromium"]);
  const installed = await onPath(NAMES);
  if (installed === undefined) throw new Error(`The package "chromium" is installed, yet no Chromium is on PATH`);
  return installed;
}

async function onPath(names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    for (const folder of (Deno.env.get("PATH") ?? "").split(delimiter)) {
      const path = join(folder, name);
      const isFile = await Deno.stat(path).then((info) => info.isFile, () => false);
      if (folder !== "" && isFile) return path;
    }
  }
  return undefined;
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = new Deno.Command(command, {
    args: ["-o", "DPkg::Lock::Timeout=300", ...args],
    env: { DEBIAN_FRONTEND: "noninteractive" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
  const { success, code, stderr } = await child.output();
  if (success) return;
  throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${new TextDecoder().decode(stderr)}`);
}
