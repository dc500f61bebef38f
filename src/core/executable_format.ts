/**
 * What the first bytes of a file say about how it is started. Errors of the operating system do not tell a missing program
 * from one whose loader or interpreter is missing; these bytes do.
 */

/** How many bytes of a file are enough for {@linkcode executableFormat}. */
export const EXECUTABLE_HEAD_BYTES = 4096;

/** What a program needs to start. */
export type ExecutableFormat =
  /** An ELF program; `loader` is the dynamic loader it names, undefined if it is static. */
  | { readonly kind: "elf"; readonly loader: string | undefined }
  /** Native to another system than Linux. */
  | { readonly kind: "mach_o" | "pe" }
  /** A script whose first line names its interpreter. */
  | { readonly kind: "script"; readonly interpreter: string }
  | { readonly kind: "unknown" };

/** Reads the format off the head of a file. */
export function executableFormat(head: Uint8Array): ExecutableFormat {
  if (head[0] === 0x23 && head[1] === 0x21) return script(head);
  if (head[0] === 0x4d && head[1] === 0x5a) return { kind: "pe" };
  if (head.length < 4) return { kind: "unknown" };
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  switch (view.getUint32(0)) {
    case 0x7f454c46:
      return { kind: "elf", loader: elfLoader(view) };
    case 0xfeedface:
    case 0xfeedfacf:
    case 0xcefaedfe:
    case 0xcffaedfe:
    case 0xcafebabe:
      return { kind: "mach_o" };
  }
  return { kind: "unknown" };
}

function script(head: Uint8Array): ExecutableFormat {
  const end = head.indexOf(0x0a);
  const line = new TextDecoder().decode(head.subarray(2, end === -1 ? head.length : end));
  const interpreter = /^[ \t]*(\S+)/.exec(line)?.[1];
  return interpreter === undefined ? { kind: "unknown" } : { kind: "script", interpreter };
}

const PT_INTERP = 3;

/** The text of the PT_INTERP segment; undefined if there is none, or it lies past the bytes at hand. */
function elfLoader(view: DataView): string | undefined {
  if (view.byteLength < 64) return undefined;
  const wide = view.getUint8(4) === 2;
  const little = view.getUint8(5) === 1;
  const word = (at: number): number => wide ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);
  const tableAt = word(wide ? 32 : 28);
  const entrySize = view.getUint16(wide ? 54 : 42, little);
  const entries = view.getUint16(wide ? 56 : 44, little);
  for (let index = 0; index < entries; index++) {
    const at = tableAt + index * entrySize;
    if (at + (wide ? 56 : 32) > view.byteLength) return undefined;
    if (view.getUint32(at, little) !== PT_INTERP) continue;
    const start = word(at + (wide ? 8 : 4));
    const end = start + word(at + (wide ? 32 : 16));
    if (end > view.byteLength) return undefined;
    return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + start, end - start)).replace(
      /\0.*$/s,
      "",
    );
  }
  return undefined;
}

/** Which C library a dynamic loader belongs to, by its name. */
export function libcOfLoader(loader: string): "glibc" | "musl" | undefined {
  const name = loader.slice(loader.lastIndexOf("/") + 1);
  if (name.startsWith("ld-musl-")) return "musl";
  return /^ld(?:64)?(?:-linux[\w-]*)?\.so\.\d+$/.test(name) || /^ld-\d/.test(name) ? "glibc" : undefined;
}
