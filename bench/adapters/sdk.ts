/** What benchmarks use of an SDK; both under measurement have it under the same names. */

import type { SdkPlace } from "../process/assignment.ts";
import { adaptOfficial } from "./official.ts";
import { adaptTether } from "./tether.ts";

/** A message. */
export type SdkMessage = { readonly type: string; readonly result?: unknown; readonly [name: string]: unknown };

/** A user message, as a stream of prompts carries it. */
export interface UserMessage {
  readonly type: "user";
  readonly message: { readonly role: "user"; readonly content: string };
  readonly parent_tool_use_id: null;
  readonly session_id: string;
}

/** Options that both SDKs have, by the same names, and one by another. */
export interface SdkOptions {
  readonly pathToClaudeCodeExecutable: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly abortController?: AbortController;
  readonly includePartialMessages?: boolean;
  readonly hooks?: { readonly PreToolUse: readonly { readonly hooks: readonly (() => Promise<object>)[] }[] };
  readonly canUseTool?: (name: string, input: Record<string, unknown>) => Promise<object>;
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** Room for one message, where an SDK bounds it. */
  readonly maxMessageBytes?: number;
}

/** An SDK. */
export interface Sdk {
  /** How long its main module took to import, in ms. */
  readonly importMs: number;
  query(prompt: string | AsyncIterable<UserMessage>, options: SdkOptions): AsyncIterable<SdkMessage>;
  /** An in-process MCP server `bench` with one tool, `add`, as `mcpServers` takes it. */
  addServer(): Promise<Readonly<Record<string, unknown>>>;
}

/** Imports an SDK and makes it an {@linkcode Sdk}. */
export async function loadSdk(place: SdkPlace): Promise<Sdk> {
  const startedAt = performance.now();
  const module = await import(place.url) as SdkModule;
  const importMs = performance.now() - startedAt;
  return (place.name === "tether" ? adaptTether : adaptOfficial)({ module, importMs, zodUrl: place.zodUrl });
}

/** The exports that are used; of both SDKs. */
export interface SdkModule {
  query(input: { prompt: string | AsyncIterable<UserMessage>; options: object }): AsyncIterable<SdkMessage>;
  tool(name: string, description: string, schema: object, handler: AddHandler): unknown;
  createSdkMcpServer(options: { name: string; version: string; tools: readonly unknown[] }): unknown;
}

/** The tool. */
export type AddHandler = (input: { a: number; b: number }) => Promise<{ content: { type: "text"; text: string }[] }>;

/** What an adapter starts from. */
export interface LoadedModule {
  readonly module: SdkModule;
  readonly importMs: number;
  readonly zodUrl: string;
}
