/** A session, turn by turn. */
import { ClaudeSDKClient, ClaudeSDKError, type DiagnosticOf, type SDKMessage, textOf } from "@tether/agent";

/** Everything a client does beside what a query can be asked. */
export async function chat(lines: readonly string[]): Promise<string[]> {
  const exits: DiagnosticOf<"process_exited">[] = [];
  const client = new ClaudeSDKClient({
    model: "opus",
    tether: { onDiagnostic: (event) => event.kind === "process_exited" && exits.push(event) },
  });
  const said: string[] = [];
  await client.connect();
  try {
    for (const line of lines) {
      await client.query(line);
      for await (const message of client.receiveResponse()) said.push(label(message));
    }
    await client.sendMessage({ type: "user", message: { role: "user", content: "one more" } });
    for await (const message of client.receiveMessages()) {
      said.push(label(message));
      if (message.type === "result") break;
    }
    await client.interrupt();
    await client.setModel("sonnet");
    await client.setPermissionMode("plan");
    const usage = await client.getContextUsage();
    said.push(String(usage.totalTokens), ...(await client.getMcpStatus()).mcpServers.map(({ name }) => name));
  } catch (error) {
    if (!ClaudeSDKError.isClaudeSDKError(error)) throw error;
    said.push(error.code);
  } finally {
    await client.disconnect();
  }
  return [...said, ...exits.map(({ code }) => String(code))];
}

const label = (message: SDKMessage): string => message.type === "assistant" ? textOf(message) : message.type;
