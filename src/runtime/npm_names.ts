import type { Platform } from "../core/runtime.ts";

/** The platform as npm package names spell it. */
export function npmPlatform(os: string): Platform {
  if (os === "linux" || os === "darwin") return os;
  return os === "win32" || os === "windows" ? "win32" : "other";
}

/** The processor as npm package names spell it. */
export function npmArch(arch: string): string {
  return arch === "x86_64" ? "x64" : arch === "aarch64" ? "arm64" : arch;
}
