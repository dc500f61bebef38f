/** What the faults happen to: queries, warm queries, clients, each started in its own way. */
import { SDKClient } from "../../../src/client/client.ts";
import type { Host } from "../../../src/client/launch.ts";
import { startQuery } from "../../../src/client/query.ts";
import type { Query } from "../../../src/client/query_interface.ts";
import type { startWarm } from "../../../src/client/startup.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { SDKUserMessage } from "../../../src/core/messages/mod.ts";
import type { Options } from "../../../src/core/options/mod.ts";
import type { Cell, Subject } from "./cell.ts";

/** What the host has to begin with. */
export interface HostSide {
  readonly cell: Cell;
  /** Where processes are started. */
  readonly place: Host;
  /** Everything but what the step adds. */
  readonly options: Options;
  /** What the double has heard. */
  heard(): readonly JsonObject[];
}

/** Starts a query on a text. */
export function ask(prompt: string): (host: Pick<HostSide, "options" | "place">) => Query & Subject {
  return ({ options, place }) => withNudge(startQuery({ prompt, options }, place));
}

/** Starts a query whose prompts come over time. */
export function stream({ cell, options, place }: HostSide): Query & Subject {
  const { prompts } = cell;
  const goOn = (): void => {
    prompts.put(userMessage("more"));
    prompts.end();
  };
  return Object.assign(withNudge(startQuery({ prompt: prompts, options }, place)), { goOn });
}

function withNudge(running: Query): Query & Subject {
  return Object.assign(running, { nudge: () => running.setModel("nudge") });
}

/** A WarmQuery that is asked when somebody wants its first message. */
export function warmed(starting: ReturnType<typeof startWarm>): Subject {
  starting.catch(() => {}); // told by the first message
  let running: Query | undefined;
  let failed = false;
  return {
    next: async () => {
      if (failed) return { done: true, value: undefined };
      try {
        running ??= (await starting).query("hi");
      } catch (error) {
        failed = true;
        throw error;
      }
      return await running.next();
    },
    close: async () => {
      if (running !== undefined) return await running.close();
      await starting.then((warm) => warm.close(), () => {});
    },
  };
}

/** A client that connects; it is asked when somebody wants its first message. */
export function connecting({ options, place }: HostSide): Subject {
  const client = new SDKClient(options, place);
  const ready = client.connect();
  ready.catch(() => {}); // told by the first message
  let loop: Pick<Subject, "next"> | undefined;
  let failed = false;
  return {
    next: async () => {
      if (failed) return { done: true, value: undefined };
      if (loop === undefined) {
        try {
          await ready;
        } catch (error) {
          failed = true;
          throw error;
        }
        await client.query("hi");
        loop = client.receiveResponse();
      }
      const item = await loop.next();
      if (item.done === true) await client.disconnect();
      return item;
    },
    close: () => client.disconnect(),
    nudge: () => client.setModel("nudge"),
  };
}

/** A client that is connected, and between turns if the step is. */
export async function connected({ cell, options, place }: HostSide): Promise<Subject> {
  const client = new SDKClient(options, place);
  await client.connect();
  const loop = client.receiveMessages();
  if (cell.moment.phase === "unasked") cell.ready.resolve();
  else await client.query("one");
  return {
    next: () => loop.next(),
    close: () => client.disconnect(),
    nudge: () => client.setModel("nudge"),
    goOn: () => {
      void client.query("two");
      cell.onMessage = ({ type }) => {
        if (type === "result") cell.pend("disconnect()", client.disconnect());
      };
    },
  };
}

/** Two prompts, the second at the first message of a kind. */
export function secondPromptOn(type: "result" | "system"): (host: HostSide) => Subject {
  return (host) => {
    const { prompts } = host.cell;
    const running = Object.assign(stream(host), { goOn: () => {} });
    prompts.put(userMessage("one"));
    host.cell.onMessage = (message) => {
      if (message.type !== type) return;
      host.cell.onMessage = () => {};
      prompts.put(userMessage("two"));
      prompts.end();
    };
    return running;
  };
}

/** The host is where it should be when a result has come. */
export function readyAtResult(cell: Cell): void {
  cell.onMessage = ({ type }) => {
    if (type === "result") cell.ready.resolve();
  };
}

/** A user message. */
export function userMessage(content: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" };
}
