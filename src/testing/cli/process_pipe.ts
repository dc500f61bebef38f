import { closeSync, openSync, read, readdirSync, readlinkSync, write, writeSync } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import type { CliPipe } from "./cli_pipe.ts";

/** What of Deno is used here. */
interface DenoStreams {
  readonly stdin: { read(into: Uint8Array): Promise<number | null> };
  readonly stdout: { write(bytes: Uint8Array): Promise<number> };
  readonly build: { readonly os: string };
  dlopen(path: string, symbols: Record<string, unknown>): {
    readonly symbols: { readonly close: (fd: number) => number };
  };
}

/** This process's own stdin and stdout: pulled by hand, so that a host meets real pipes that fill up. */
export function openProcessPipe(): CliPipe {
  const globals = globalThis as unknown as { Deno?: DenoStreams; Bun?: unknown };
  const streams = globals.Deno !== undefined
    ? denoPipe(globals.Deno)
    : globals.Bun !== undefined
    ? descriptorPipe()
    : nodePipe();
  return { ...streams, stderr: (text) => void writeSync(2, text) };
}

function denoPipe(deno: DenoStreams): Omit<CliPipe, "stderr"> {
  return {
    read: async () => {
      const into = new Uint8Array(65_536);
      const count = await deno.stdin.read(into);
      return count === null ? undefined : into.subarray(0, count);
    },
    write: async (bytes) => {
      for (let sent = 0; sent < bytes.length;) sent += await deno.stdout.write(bytes.subarray(sent));
    },
    closeOutput: () => Promise.resolve(closeCopies(deno, 1)),
    closeInput: () => Promise.resolve(closeCopies(deno, 0)),
  };
}

/** Deno 2.9 keeps copies of its first descriptors that nothing of its own can close. */
function closeCopies(deno: DenoStreams, fd: number): void {
  const library = deno.dlopen(deno.build.os === "darwin" ? "libSystem.dylib" : "libc.so.6", {
    close: { parameters: ["i32"], result: "i32" },
  });
  for (const copy of copiesOf(fd)) library.symbols.close(copy);
  keepNumberTaken();
}

/** Bun: the file calls work on pipes, and wait. Node: for files. */
function descriptorPipe(): Omit<CliPipe, "stderr"> {
  return {
    read: () =>
      new Promise((resolve, reject) => {
        const into = new Uint8Array(65_536);
        read(0, into, 0, into.length, null, (error, count) => {
          if (error !== null) reject(error);
          else resolve(count === 0 ? undefined : into.subarray(0, count));
        });
      }),
    write: async (bytes) => {
      for (let sent = 0; sent < bytes.length;) sent += await writeSome(bytes.subarray(sent));
    },
    closeOutput: () => {
      closeSync(1);
      keepNumberTaken();
      return Promise.resolve();
    },
    // A read that is under way keeps the pipe open until it gets something.
    closeInput: () => {
      closeSync(0);
      keepNumberTaken();
      return Promise.resolve();
    },
  };
}

function writeSome(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) =>
    write(1, bytes, 0, bytes.length, null, (error, count) => error === null ? resolve(count) : reject(error))
  );
}

/** Node: the descriptors may not block, and `process.stdout` would block the whole process on a full pipe. */
function nodePipe(): Omit<CliPipe, "stderr"> {
  const input = process.stdin[Symbol.asyncIterator]();
  const output = outputSocket();
  const { write: writeFile, closeOutput: closeFile, closeInput: closeDescriptor } = descriptorPipe();
  return {
    read: async () => {
      const next = await input.next();
      return next.done === true ? undefined : next.value as Uint8Array;
    },
    write: output === undefined
      ? writeFile
      : (bytes) => new Promise((resolve, reject) => output.write(bytes, (error) => error ? reject(error) : resolve())),
    closeOutput: output === undefined ? closeFile : async () => {
      await new Promise<void>((resolve) => output.once("close", () => resolve()).destroy());
      // Node does not close the first three descriptors by itself.
      await closeFile();
    },
    closeInput: async () => {
      await new Promise<void>((resolve) => process.stdin.once("close", () => resolve()).destroy());
      await closeDescriptor();
    },
  };
}

/** Undefined where stdout is a file or a device: those never block. */
function outputSocket(): Socket | undefined {
  try {
    const socket = new Socket({ fd: 1, readable: false, writable: true });
    // Told to the write that fails.
    socket.on("error", () => {});
    return socket;
  } catch {
    return undefined;
  }
}

/** What is opened next must not become descriptor 1: it would be written to as if it were stdout. */
function keepNumberTaken(): void {
  openSync(process.platform === "win32" ? "NUL" : "/dev/null", "w");
}

/** Descriptors of this process that are the same pipe as one of them, stderr excepted. Linux lists them; elsewhere only itself is known. */
function copiesOf(fd: number): number[] {
  try {
    const target = readlinkSync(`/proc/self/fd/${fd}`);
    return readdirSync("/proc/self/fd").map(Number).filter((other) => other !== 2 && linkOf(other) === target);
  } catch {
    return [fd];
  }
}

function linkOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined; // the descriptor of the listing itself
  }
}
