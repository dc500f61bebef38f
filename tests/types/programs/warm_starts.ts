/** Starts ahead of a prompt, as they are written for the official SDK. */
import { prewarm, type Query, type SpareProcess, startup, type WarmQuery } from "@tether/agent";

/** A CLI that is ready before there is a prompt. */
export async function warm(questions: AsyncIterable<string>): Promise<string[]> {
  const results: string[] = [];
  let next: Promise<WarmQuery> = startup({ options: { model: "opus", maxTurns: 1 }, initializeTimeoutMs: 10_000 });
  for await (const question of questions) {
    const ready = await next;
    next = startup({ options: { model: "opus" } });
    const running: Query = ready.query(question);
    for await (const message of running) if (message.type === "result") results.push(message.subtype);
  }
  (await next).close();
  return results;
}

/** A CLI that has no folder yet. */
export async function spare(folder: string): Promise<string> {
  const process: SpareProcess = await prewarm({ options: { permissionMode: "plan" } });
  const running = process.claim({ prompt: "Look around.", options: { cwd: folder, model: "sonnet", title: "A look" } });
  await process.claimed;
  for await (const message of running) if (message.type === "result") break;
  process.close();
  await process.exited;
  return folder;
}

/** Both are ended by the end of a block. */
export async function blocks(): Promise<void> {
  const dispose: (() => PromiseLike<void>)[] = [];
  const ready = await startup();
  dispose.push(() => ready[Symbol.asyncDispose]());
  for (const end of dispose) await end();
}
