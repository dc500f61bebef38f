import { EXECUTABLE_HEAD_BYTES, executableFormat, libcOfLoader } from "../../core/executable_format.ts";
import type { Libc, Runtime } from "../../core/runtime.ts";

/** What the probe asks of the machine. */
export type LibcProbe = Pick<Runtime, "fs" | "libcHint" | "arch">;

/**
 * Which C library the programs of this Linux are linked for; undefined if nothing tells. No single sign is trusted to be there:
 * the loader that the system's own shell names, `ldd`, the loaders themselves, and last what the runtime says of itself (a
 * runtime may carry its own C library, or name one without having looked).
 */
export async function probeLibc(runtime: LibcProbe): Promise<Libc | undefined> {
  return await libcOfShell(runtime) ?? await libcOfLdd(runtime) ?? await libcByLoaders(runtime) ?? runtime.libcHint();
}

async function libcOfShell({ fs }: LibcProbe): Promise<Libc | undefined> {
  for (const program of ["/bin/sh", "/usr/bin/env"]) {
    const head = await fs.readHead(program, EXECUTABLE_HEAD_BYTES);
    const format = head === undefined ? undefined : executableFormat(head);
    const loader = format?.kind === "elf" ? format.loader : undefined;
    const libc = loader === undefined ? undefined : libcOfLoader(loader);
    if (libc !== undefined) return libc;
  }
  return undefined;
}

/** `ldd` is a script that belongs to the C library and names it. */
async function libcOfLdd({ fs }: LibcProbe): Promise<Libc | undefined> {
  const head = await fs.readHead("/usr/bin/ldd", EXECUTABLE_HEAD_BYTES);
  const text = head === undefined ? "" : new TextDecoder().decode(head);
  if (text.includes("musl")) return "musl";
  return /GNU C Library|GLIBC/i.test(text) ? "glibc" : undefined;
}

const MUSL_ARCH: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };
const GLIBC_LOADER: Readonly<Record<string, string>> = {
  x64: "/lib64/ld-linux-x86-64.so.2",
  arm64: "/lib/ld-linux-aarch64.so.1",
};

/** Both may be installed; only one alone says something. */
async function libcByLoaders({ fs, arch }: LibcProbe): Promise<Libc | undefined> {
  const muslArch = MUSL_ARCH[arch];
  const glibcLoader = GLIBC_LOADER[arch];
  if (muslArch === undefined || glibcLoader === undefined) return undefined;
  const musl = (await fs.stat(`/lib/ld-musl-${muslArch}.so.1`))?.kind === "file";
  const glibc = (await fs.stat(glibcLoader))?.kind === "file";
  return musl === glibc ? undefined : musl ? "musl" : "glibc";
}
