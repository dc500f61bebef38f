/** A child process as each runtime gives it, with nothing of an SDK around. */

/** By which API of the runtime: `node` is node:child_process; `native` is `Bun.spawn` or `Deno.Command`. */
export type Api = "node" | "native";

/** A child. */
export interface RawChild {
  write(text: string): void;
  /** Ends its input. */
  end(): void;
  /** Hands over every piece of output; settles at its end. */
  read(take: (piece: Uint8Array) => void): Promise<void>;
  /** Output to be pulled, for a reader that stops. */
  pieces(): AsyncIterator<Uint8Array>;
  kill(): void;
  /** Settles when it has ended. */
  readonly exited: Promise<unknown>;
}

/** How a child is started. */
export interface RawChildOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly api: Api;
}

/** Starts a child. */
export async function startRawChild(options: RawChildOptions): Promise<RawChild> {
  if (options.api === "node") return await nodeChild(options);
  return "Bun" in globalThis ? bunChild(options) : denoChild(options);
}

async function nodeChild({ command, args = [], cwd, env }: RawChildOptions): Promise<RawChild> {
  // Only here: Bun and Deno take some milliseconds to load it.
  const { spawn } = await import("node:child_process");
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
  return {
    write: (text) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    read: (take) =>
      new Promise((resolve, reject) => {
        child.stdout.on("data", take);
        child.stdout.on("end", resolve);
        child.on("error", reject);
      }),
    pieces: () => child.stdout[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
    kill: () => void child.kill("SIGKILL"),
    exited: new Promise((resolve) => child.on("exit", resolve)),
  };
}

/** What is used of `Bun.spawn`. */
interface BunChild {
  readonly stdin: { write(text: string): unknown; flush(): unknown; end(): unknown };
  readonly stdout: ReadableStream<Uint8Array>;
  readonly exited: Promise<unknown>;
  kill(signal: string): void;
}

function bunChild({ command, args = [], cwd, env }: RawChildOptions): RawChild {
  const { Bun } = globalThis as unknown as { Bun: { spawn(options: object): BunChild } };
  const child = Bun.spawn({ cmd: [command, ...args], cwd, env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  return {
    write(text) {
      child.stdin.write(text);
      child.stdin.flush();
    },
    end: () => void child.stdin.end(),
    read: (take) => readStream(child.stdout, take),
    pieces: () => child.stdout[Symbol.asyncIterator](),
    kill: () => child.kill("SIGKILL"),
    exited: child.exited,
  };
}

function denoChild({ command, args = [], cwd, env }: RawChildOptions): RawChild {
  const child = new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  return {
    write: (text) => void writer.write(encoder.encode(text)),
    end: () => void writer.close(),
    read: (take) => readStream(child.stdout, take),
    pieces: () => child.stdout[Symbol.asyncIterator](),
    kill: () => child.kill("SIGKILL"),
    exited: child.status,
  };
}

async function readStream(stream: ReadableStream<Uint8Array>, take: (piece: Uint8Array) => void): Promise<void> {
  for await (const piece of stream) take(piece);
}
