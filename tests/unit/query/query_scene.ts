import { type Options, type Query, query, type SDKUserMessage } from "../../../mod.ts";
import { type CliScript, type JsonObject, scriptedCli, type ScriptedCliTransport } from "../../../src/testing/mod.ts";
import { Mailbox } from "../../harness/mailbox.ts";
import type { TestContext } from "../../harness/suite.ts";

/** A query on a double of the CLI in memory. Its prompt is open, and nothing is in it. */
export interface Scene {
  readonly query: Query;
  readonly cli: ScriptedCliTransport;
  readonly prompt: Mailbox<SDKUserMessage>;
}

/** Starts one; it is gone when the body is over. */
export function play(
  t: TestContext,
  script: CliScript,
  options: Options = {},
): Scene {
  const cli = scriptedCli(script).transport();
  const prompt = new Mailbox<SDKUserMessage>();
  const running = query({ prompt, options: { ...options, tether: { transport: cli, ...options.tether } } });
  t.cleanup(() => running.close());
  return { query: running, cli, prompt };
}

/** The control requests that the CLI got after `initialize`. */
export function asked(cli: ScriptedCliTransport): JsonObject[] {
  return cli.received.filter(({ type }) => type === "control_request").map(({ request }) => request as JsonObject)
    .filter(({ subtype }) => subtype !== "initialize");
}

/** A user message. */
export function userMessage(content: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" };
}
