import { OptionError } from "../../core/errors/mod.ts";
import { isJsonObject } from "../../core/json.ts";
import type {
  HookCallback,
  HookInputMap,
  McpServerConfig,
  McpServerInstance,
  Options,
} from "../../core/options/mod.ts";
import { TOOL_SET, type ToolSet } from "../tools/tool_set.ts";

/** A server of this program that subagents bring with them. */
export interface AgentServer {
  /** The server. */
  readonly config: McpServerConfig;
  /** Whose it is: names of agents. */
  readonly agents: ReadonlySet<string>;
}

/** The tool set or server object behind a config; undefined for a server the CLI runs or reaches by itself. */
export function inProcessIdentity(config: unknown): object | undefined {
  if (!isJsonObject(config) || config.type !== "sdk") return undefined;
  // First the tool set: asking such a config for its instance throws before there is one.
  const set = (config as { [TOOL_SET]?: ToolSet })[TOOL_SET];
  if (set !== undefined) return set;
  const instance = config.instance as unknown as McpServerInstance | undefined;
  return typeof instance?.connect === "function" ? instance : undefined;
}

/**
 * The servers of this program in `agents`, by name, without those that the session has anyway.
 *
 * The CLI (2.1.332) takes servers of the host for the session only, and ignores them in an agent. So they are given to the
 * session, the agent names them ({@linkcode namedServers}), and {@linkcode agentServerGate} keeps them to it.
 *
 * @throws {OptionError} if two different servers of this program go by one name.
 */
export function agentServers({ agents, mcpServers }: Options): ReadonlyMap<string, AgentServer> {
  const found = new Map<string, AgentServer>();
  for (const [agent, { mcpServers: specs = [] }] of Object.entries(agents ?? {})) {
    for (const [name, config] of specs.flatMap((spec) => typeof spec === "object" ? Object.entries(spec) : [])) {
      const identity = inProcessIdentity(config);
      if (identity === undefined) continue;
      const ofSession = typeof mcpServers === "object" ? mcpServers[name] : undefined;
      const other = ofSession ?? found.get(name)?.config;
      if (other !== undefined && inProcessIdentity(other) !== identity) {
        throw new OptionError(
          `agents.${agent}.mcpServers`,
          `has a server by the name "${name}", which another has too`,
        );
      }
      if (ofSession !== undefined) continue;
      found.set(name, {
        config: config as McpServerConfig,
        agents: new Set([...found.get(name)?.agents ?? [], agent]),
      });
    }
  }
  return found;
}

/** The servers of an agent as the CLI is told of them: those of this program by their names. */
export function namedServers(specs: readonly unknown[]): unknown[] {
  return specs.flatMap((spec) => {
    if (!isJsonObject(spec)) return [spec];
    const entries = Object.entries(spec);
    const isOurs = ([, config]: [string, unknown]) => inProcessIdentity(config) !== undefined;
    const others = entries.filter((entry) => !isOurs(entry));
    const names = entries.filter(isOurs).map(([name]) => name);
    return names.length === 0 ? [spec] : [...(others.length > 0 ? [Object.fromEntries(others)] : []), ...names];
  });
}

/** Tools of the CLI's own (2.1.332) that read a server's resources: `ReadMcpResourceTool`, `ReadMcpResourceDirTool`. */
const RESOURCE_TOOL = /^ReadMcpResource/;

/** The calls that {@linkcode agentServerGate} has to see. */
export const AGENT_SERVER_MATCHER = "^mcp__|^ReadMcpResource";

/**
 * A PreToolUse hook that denies calls of an agent's server, and reading its resources, to everybody else: the CLI lists its
 * tools to the whole session. `main` is the agent that leads the session, if one does.
 */
export function agentServerGate(
  servers: ReadonlyMap<string, AgentServer>,
  main: string | undefined,
): HookCallback<"PreToolUse"> {
  return (input) => {
    const caller = input.agent_id === undefined ? main : input.agent_type;
    const closed = calledServers(servers, input)
      .find(([, { agents }]) => caller === undefined || !agents.has(caller));
    if (closed === undefined) return Promise.resolve({});
    const [name, { agents }] = closed;
    return Promise.resolve({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: `The tools of ${name} are for the subagent ${[...agents].join(", ")} alone.`,
      },
    });
  };
}

/** The servers of agents that a call is about; several only where the CLI takes their names for the same. */
function calledServers(
  servers: ReadonlyMap<string, AgentServer>,
  { mcp_server: server, tool_name: tool, tool_input: input }: HookInputMap["PreToolUse"],
): [string, AgentServer][] {
  if (!RESOURCE_TOOL.test(tool)) {
    // A CLI that does not say whose tool it is: its name does.
    if (server === undefined) return [...servers].filter(([name]) => tool.startsWith(`mcp__${plainName(name)}__`));
    const called = server.source === "sdk" ? servers.get(server.name) : undefined;
    return called === undefined ? [] : [[server.name, called]];
  }
  const wanted = isJsonObject(input) ? plainName(String(input.server)) : undefined;
  return [...servers].filter(([name]) => plainName(name) === wanted);
}

/** Seen: the CLI finds a server by its name, and by the form of it that stands in the names of its tools. */
function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
