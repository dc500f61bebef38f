/** That options take what they should, and infer what they can. */
import type {
  CanUseTool,
  CustomTransport,
  EffortLevel,
  HookCallback,
  HookEvent,
  HookInput,
  HookJSONOutput,
  Options,
  PermissionMode,
  PermissionResult,
  PermissionUpdate,
  StreamTransport,
  Transport,
} from "../../src/core/options/mod.ts";
import type { ClaimOptions } from "../../src/client/claim.ts";
import type { Transport as PipeTransport } from "../../src/transport/transport.ts";
import type { Fails, Fits, Holds, IsAny, Same } from "./assertions.ts";

/** No option is `any`. */
export type NotAny = Fails<{ [Name in keyof Options]-?: IsAny<Options[Name]> }[keyof Options]>;

/** Words of an open list are suggested, and others are fine. */
export type OpenWords = [
  Holds<Fits<"default", PermissionMode>>,
  Holds<Fits<string, PermissionMode>>,
  Holds<Fits<"a new one", EffortLevel>>,
];

/** The pipe the client speaks over is the one users may bring. */
export type OneTransport = Holds<Same<StreamTransport, PipeTransport>>;

/** What users of the official SDK have written as a transport is taken, its two methods that we do not call included. */
export type OfficialTransport = [
  Holds<
    Fits<
      {
        write(data: string): void | Promise<void>;
        close(): void;
        isReady(): boolean;
        readMessages(): AsyncGenerator<{ readonly type: string }, void, unknown>;
        endInput(): void;
        expectControlResponse?(id: string): void;
        markDelivered?(message: object): void;
        waitForExit?(): Promise<void>;
      },
      Transport
    >
  >,
  Holds<Fits<Transport, CustomTransport>>,
  Holds<Fits<StreamTransport, CustomTransport>>,
];

/** The same where it is written on the spot, where a name too many does not compile. */
export const freshTransport: Transport = {
  write() {},
  close() {},
  isReady: () => true,
  async *readMessages() {},
  endInput() {},
  waitForExit: () => Promise.resolve(),
  expectControlResponse(_requestId: string) {},
  markDelivered(_message: object) {},
  async [Symbol.asyncDispose]() {},
  // @ts-expect-error -- no such member
  deliver() {},
};

/** Each event has an input of its own name. */
export type Events = Holds<Same<HookInput["hook_event_name"], HookEvent>>;

/** Callbacks are given the input of their event. */
export const inferred: Options = {
  hooks: {
    PreToolUse: [{
      matcher: "Bash",
      hooks: [(input, toolUseID, { signal }) => {
        const name: string = input.tool_name;
        const id: string | undefined = toolUseID;
        if (signal.aborted) return Promise.resolve();
        return Promise.resolve({
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: name === id ? "deny" : "allow",
          },
        });
      }],
    }],
    SessionStart: [{ hooks: [({ source }) => Promise.resolve({ systemMessage: source })] }],
    Stop: [{
      hooks: [async (input) => {
        await Promise.resolve(input.stop_hook_active);
      }],
    }],
  },
  canUseTool: (toolName, input, { suggestions, toolUseID }) => {
    const updates: PermissionUpdate[] = suggestions ?? [];
    return Promise.resolve(
      toolName === toolUseID ? null : { behavior: "allow", updatedInput: input, updatedPermissions: updates },
    );
  },
};

/** A callback typed for every event, as the peer types it, fits each event. */
const everyEvent: HookCallback = (input: HookInput): Promise<HookJSONOutput> =>
  Promise.resolve(input.hook_event_name === "PreToolUse" ? { reason: input.tool_name } : {});

/** As it is used there. */
export const typedApart: Options = {
  hooks: { PreToolUse: [{ hooks: [everyEvent] }], Stop: [{ hooks: [everyEvent] }] },
};

/** Options that are put together step by step, as with the official SDK. */
export function stepByStep(): Options {
  const options: Options = { allowedTools: [], mcpServers: {}, hooks: {}, systemPrompt: ["a", "b"] };
  options.allowedTools?.push("Read");
  const servers: NonNullable<Options["mcpServers"]> = {};
  servers.clock = { command: "clock" };
  options.mcpServers = servers;
  const env: NonNullable<Options["env"]> = {};
  env.A = "b";
  options.env = env;
  const hooks: NonNullable<Options["hooks"]> = { PreToolUse: [] };
  hooks.PreToolUse?.push({ hooks: [everyEvent] });
  hooks.PreToolUse?.[0]?.hooks.push(everyEvent);
  options.hooks = hooks;
  const claim: ClaimOptions = { cwd: "." };
  claim.model = "opus";
  return options;
}

/** A value that may be missing can be handed on. */
export const maybe = (model: string | undefined): Options => ({ model, tether: { configDir: model } });

/** The forms of the peer. */
export const forms: Options = {
  systemPrompt: { type: "preset", preset: "claude_code", append: "x" },
  mcpServers: {
    stdio: { command: "x", args: ["-y"], env: { A: "b" } },
    http: { type: "http", url: "https://example.com", headers: { Authorization: "x" } },
    here: { type: "sdk", name: "here", instance: { connect: () => Promise.resolve(), close: () => Promise.resolve() } },
  },
  thinking: { type: "enabled", budgetTokens: 1000 },
  settings: { permissions: { allow: ["Read"] }, aNewKey: true },
};

/** What is wrong does not compile. */
export const wrong: Options[] = [
  // @ts-expect-error -- no such behaviour
  { canUseTool: () => Promise.resolve({ behavior: "maybe" }) },
  // @ts-expect-error -- a deny needs words for the model
  { canUseTool: () => Promise.resolve({ behavior: "deny" }) },
  // @ts-expect-error -- no such option
  { modle: "opus" },
  // @ts-expect-error -- no such event
  { hooks: { PreTool: [] } },
  // @ts-expect-error -- no such name under tether
  { tether: { limit: {} } },
  // @ts-expect-error -- a source is one of three
  { settingSources: ["global"] },
];

/** A decision is one of four. */
export const noDecision: HookJSONOutput = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    // @ts-expect-error -- no such decision
    permissionDecision: "no",
  },
};

/** A callback may answer later. */
export type OpenAnswer = Holds<Same<Awaited<ReturnType<CanUseTool>>, PermissionResult | null>>;
