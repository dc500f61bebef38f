/** A session turn by turn, as a port of a program for the Python SDK. */
import { ClaudeSDKClient, type McpServerStatus, type Query, type SDKUserMessage } from "@tether/agent";

async function* later(): AsyncGenerator<SDKUserMessage> {
  await Promise.resolve();
  yield { type: "user", message: { role: "user", content: "later" } };
}

/** Everything that is said to it. */
export async function talk(): Promise<void> {
  const client = new ClaudeSDKClient({ model: "opus" });
  await client.connect();
  await client.query("one");
  await client.query(later(), "mine");
  await client.sendMessage({ type: "user", message: { role: "user", content: [{ type: "text", text: "two" }] } });
  for await (const message of client.receiveResponse()) {
    if (message.type === "result") console.log(message.subtype);
  }
  for await (const message of client.receiveMessages()) {
    if (message.type === "assistant") break;
  }
  const { mcpServers }: { mcpServers: McpServerStatus[] } = await client.getMcpStatus();
  console.log(mcpServers.length, (await client.getServerInfo()).models?.length, (await client.sessionId).length);
  await client.rewindFiles("id", { dryRun: true });
  await client.setPermissionMode("plan");
  await client.reconnectMcpServer("server");
  await client.toggleMcpServer("server", true);
  await client.stopTask("task");
  const receipt = await client.interrupt({ cancelQueued: true });
  console.log(receipt?.still_queued.length);
  await client.disconnect();
  await client[Symbol.asyncDispose]();
}

/** What a query is beside what can be asked of it. */
type Iteration = "next" | "return" | "throw" | "readable" | "close" | "streamInput" | symbol;

/** Whatever can be asked of a query can be asked of a client, in the same words. */
export function same(client: ClaudeSDKClient): Omit<Query, Iteration> {
  return client;
}
