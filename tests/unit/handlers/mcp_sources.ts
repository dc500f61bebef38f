import { createSdkMcpServer } from "../../../src/client/create_sdk_mcp_server.ts";
import { type CreateSdkMcpServerOptions, TOOL_SET, type ToolSet } from "../../../src/client/tools/tool_set.ts";
import type { McpSdkServerConfigWithInstance } from "../../../src/core/options/mod.ts";
import { createSdkMcpServer as createEagerly } from "../../../src/mcp/mod.ts";
import type { Declare } from "../../harness/suite.ts";

/** Makes an in-process server of tools. */
export type MakeServer = (options: CreateSdkMcpServerOptions) => McpSdkServerConfigWithInstance;

/** A tool set whose `instance` somebody asks for as soon as there is one: the server that takes over serves everything. */
function takenOver(options: CreateSdkMcpServerOptions): McpSdkServerConfigWithInstance {
  const config = createSdkMcpServer(options);
  const set = (config as unknown as Record<typeof TOOL_SET, ToolSet>)[TOOL_SET];
  const connected = set.connected.bind(set);
  set.connected = (latest) => {
    connected(latest);
    latest.server();
  };
  return config;
}

/** What answers the CLI in place of what: each must do as the others do. */
const SOURCES: readonly (readonly [name: string, make: MakeServer])[] = [
  ["answered here", createSdkMcpServer],
  ["the package's server", createEagerly],
  ["a server that took over", takenOver],
];

/** Declares bodies once for each of the things that may serve tools. */
export function onEachSource(test: Declare, declare: (test: Declare, make: MakeServer) => void): void {
  for (const [source, make] of SOURCES) {
    declare((name, run, options) => test(`${name} (${source})`, run, options), make);
  }
}
