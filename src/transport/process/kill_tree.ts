import type { ChildHandle, Runtime } from "../../core/runtime.ts";

/**
 * Ends a child and everything it has started on Windows, which knows neither groups nor a signal a program could answer:
 * `taskkill /T /F`, never through a shell, its window hidden. It has to come before the child's own end, for it finds the rest
 * by their parent. Falls back to the child alone. Never rejects.
 */
export async function killWindowsTree(
  runtime: Pick<Runtime, "spawn">,
  child: Pick<ChildHandle, "pid" | "kill">,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const root = Object.entries(env).find(([name]) => name.toUpperCase() === "SYSTEMROOT")?.[1] ?? "C:\\Windows";
  try {
    const taskkill = await runtime.spawn({
      command: `${root}\\System32\\taskkill.exe`,
      args: ["/PID", String(child.pid), "/T", "/F"],
      env: { SystemRoot: root },
      stdout: "null",
      stderr: "null",
    });
    await taskkill.stdin.close().catch(() => {});
    await taskkill.exited;
  } catch {
    // Not there, or not allowed: the child itself can still be ended.
  }
  child.kill("SIGKILL");
}
