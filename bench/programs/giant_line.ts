/** One line that is longer than any text a runtime can hold: how a query ends. */

import process from "node:process";
import { loadSdk, type SdkMessage } from "../adapters/sdk.ts";
import { readAssignment, report } from "../process/assignment.ts";
import { largestMemoryMb } from "../process/resources.ts";

const { cli, cliEnv, folder, sdk: place, parameters } = readAssignment<{ mb: number; patienceMs: number }>();
const { mb, patienceMs } = parameters;
const sdk = await loadSdk(place!);
let uncaught: string | undefined;

function end(outcome: string, typed: boolean): never {
  const beside = uncaught === undefined ? "" : `; and outside the loop: ${uncaught}`;
  report({ outcome: outcome + beside, typed: typed && uncaught === undefined ? 1 : 0, memoryMb: largestMemoryMb() });
}

// Without this listener a host dies of what is thrown outside the loop.
process.on("uncaughtException", (error) => uncaught ??= describe(error));
setTimeout(() => end(`no end within ${patienceMs / 1000} s`, false), patienceMs);

let received: number | undefined;
try {
  const messages = sdk.query("go", {
    pathToClaudeCodeExecutable: cli,
    cwd: folder,
    env: { ...cliEnv, BENCH_SCRIPT: `messages n=1 size=${mb * 1e6} kind=tool_result` },
  });
  for await (const message of messages) if (message.type === "user") received = lengthOf(message);
} catch (error) {
  const code = (error as { code?: unknown }).code;
  end(describe(error), typeof code === "string");
}
const sent = Math.round(mb * 1e6 * 63 / 64); // one escape in 64 bytes
end(received === undefined ? "ended without the message" : `delivered ${received} of about ${sent} characters`, false);

function lengthOf(message: SdkMessage): number {
  return (message.message as { content: [{ content: string }] }).content[0].content.length;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.slice(0, 100)}` : String(error);
}
