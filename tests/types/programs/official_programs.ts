/** Programs as they are written for the official SDK: nothing but the name of the package is another, and how an abort is told. */
import {
  type AgentDefinition,
  type CanUseTool,
  createSdkMcpServer,
  type HookCallback,
  type McpServerConfig,
  type Options,
  type PermissionMode,
  type PermissionResult,
  type PreToolUseHookInput,
  type Query,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  tool,
} from "@tether/agent";
import { z } from "zod";

/** One question, the text of the answer. */
export async function ask(prompt: string): Promise<string> {
  let answer = "";
  for await (
    const message of query({
      prompt,
      options: { model: "claude-sonnet-4-5", maxTurns: 1, allowedTools: [], systemPrompt: "Be brief." },
    })
  ) {
    if (message.type === "assistant") {
      for (const block of message.message.content) if (block.type === "text") answer += block.text;
    } else if (message.type === "result") {
      if (message.subtype === "success") return message.result;
      throw new Error(`${message.subtype}: ${message.errors.join()}`);
    }
  }
  return answer;
}

/** A chat: lines go in as they come, the session goes on. */
export class Chat {
  readonly #waiting: SDKUserMessage[] = [];
  #wake: (() => void) | null = null;
  #query: Query | null = null;
  sessionId: string | undefined;

  say(text: string): void {
    this.#waiting.push({
      type: "user",
      message: { role: "user", content: text },
      parent_tool_use_id: null,
      session_id: this.sessionId ?? "",
    });
    this.#wake?.();
  }

  async *#lines(): AsyncGenerator<SDKUserMessage> {
    while (true) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  async *run(options: Options, controller: AbortController): AsyncGenerator<SDKMessage, void> {
    this.#query = query({ prompt: this.#lines(), options: { ...options, abortController: controller } });
    try {
      for await (const message of this.#query) {
        if (message.type === "system" && message.subtype === "init") this.sessionId = message.session_id;
        yield message;
      }
    } catch (error) {
      // The one line that is not as one writes it for the official SDK: `error instanceof AbortError` compiles, but here an
      // abort rejects with the signal's own reason, which is of that class nowhere (`abort-reason` in docs/differences.md).
      if ((error as Error).name !== "AbortError") throw error;
    }
  }

  async stop(): Promise<void> {
    await this.#query?.interrupt();
  }

  async switchTo(mode: PermissionMode, model?: string): Promise<void> {
    await this.#query?.setPermissionMode(mode);
    await this.#query?.setModel(model);
  }
}

/** A person decides. */
export const prompted = (confirm: (text: string) => Promise<boolean>): CanUseTool => async (name, input, options) => {
  if (name === "Read") return { behavior: "allow", updatedInput: input };
  const yes = await confirm(`${name} ${JSON.stringify(input)}`);
  const result: PermissionResult = yes
    ? { behavior: "allow", updatedInput: input, updatedPermissions: options.suggestions ?? [] }
    : { behavior: "deny", message: "The user said no", interrupt: false };
  return result;
};

/** Tools of one's own. */
const calculator = createSdkMcpServer({
  name: "calculator",
  version: "1.0.0",
  tools: [
    tool("add", "Adds", { a: z.number(), b: z.number() }, async ({ a, b }) => {
      return { content: [{ type: "text", text: `${await Promise.resolve(a + b)}` }] };
    }),
    tool("now", "The time", {}, async () => ({ content: [{ type: "text", text: await Promise.resolve("now") }] })),
  ],
});

const servers: Record<string, McpServerConfig> = {
  calculator,
  files: { command: "npx", args: ["-y", "server"], env: { ROOT: "/" } },
  remote: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer x" } },
};

/** A guard for commands. */
const guard: HookCallback = async (input, _toolUseID, { signal }) => {
  const { tool_name, tool_input } = input as PreToolUseHookInput;
  const command = (tool_input as { command?: string }).command ?? "";
  await Promise.resolve(signal);
  if (tool_name !== "Bash" || !command.includes("rm -rf")) return {};
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "No.",
    },
  };
};

const reviewer: AgentDefinition = {
  description: "Reviews code",
  prompt: "You review code.",
  tools: ["Read", "Grep", "Glob"],
  model: "sonnet",
};

/** Everything together, with an answer in a given form, and a copy of the conversation afterwards. */
export async function review(folder: string): Promise<{ cost: number; findings: unknown; session: string }> {
  let last: SDKResultMessage | undefined;
  const running = query({
    prompt: "Review the changes.",
    options: {
      cwd: folder,
      additionalDirectories: ["/shared"],
      mcpServers: servers,
      allowedTools: ["mcp__calculator__add", "Read"],
      disallowedTools: ["WebFetch"],
      agents: { reviewer },
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [guard], timeout: 10 }],
        PostToolUse: [{ hooks: [async () => await Promise.resolve({})] }],
      },
      outputFormat: { type: "json_schema", schema: { type: "object", properties: { findings: { type: "array" } } } },
      permissionMode: "acceptEdits",
      settingSources: ["project"],
      systemPrompt: { type: "preset", preset: "claude_code", append: "Be strict." },
      includePartialMessages: true,
      env: { ...{ PATH: "/bin" }, CLAUDE_CODE_ENTRYPOINT: "x" },
      stderr: (data: string) => data.trim(),
      thinking: { type: "adaptive" },
      effort: "high",
      maxBudgetUsd: 2,
    },
  });
  for await (const message of running) {
    switch (message.type) {
      case "stream_event":
        if (message.event.type === "message_start") message.event.message.id.trim();
        break;
      case "system":
        if (message.subtype === "init") message.tools.concat(message.slash_commands);
        break;
      case "result":
        last = message;
        break;
    }
  }
  if (last === undefined) throw new Error("no result");
  const findings = last.subtype === "success" ? last.structured_output : undefined;
  const again = query({ prompt: "Again.", options: { resume: last.session_id, forkSession: true } });
  for await (const message of again) {
    if (message.type === "result") {
      return {
        cost: last.total_cost_usd + message.total_cost_usd,
        findings,
        session: message.session_id,
      };
    }
  }
  return { cost: last.total_cost_usd, findings, session: last.session_id };
}
