/** The moments of a conversation at which a CLI may fail, each as a play for a double in memory and what the host does. */
import type { Query } from "../../../src/client/query_interface.ts";
import { startWarm } from "../../../src/client/startup.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Options } from "../../../src/core/options/mod.ts";
import type { CliStage } from "../../../src/testing/cli/cli_stage.ts";
import { frame } from "../../../src/testing/cli/frame.ts";
import { type CliScript, type CliStep, step } from "../../../src/testing/cli/step.ts";
import { until } from "../until.ts";
import type { Cell, Subject } from "./cell.ts";
import { mcpDouble } from "./mcp_double.ts";
import { answersItself } from "./memory_faults.ts";
import {
  ask,
  connected,
  connecting,
  type HostSide,
  readyAtResult,
  secondPromptOn,
  stream,
  userMessage,
  warmed,
} from "./subjects.ts";
import type { Fault, Moment, Outcome } from "./promise_table.ts";

/** One moment. */
export interface MemoryStep extends Moment {
  readonly name: string;
  /** What is played before the fault, and, where the CLI survives it, after. */
  readonly script: (cell: Cell) => { readonly before: CliScript; readonly after: CliScript };
  /** Starts what the fault happens to. */
  readonly start: (host: HostSide) => Subject | Promise<Subject>;
  /** The fault waits until the host is where the step wants it. */
  readonly awaitsHost?: boolean;
  /** Ids of the questions that are open. */
  readonly asked?: readonly string[];
  /** How it ends undisturbed. Default `over`. */
  readonly ending?: Outcome;
  /** Faults that cannot be told from another there. */
  readonly without?: readonly Fault[];
}

const ASKED = "asked-1";
const TOOL_QUESTION: JsonObject = {
  subtype: "can_use_tool",
  tool_name: "Bash",
  input: { command: "rm" },
  tool_use_id: "tool-1",
};

export const MEMORY_STEPS: readonly MemoryStep[] = [
  {
    name: "before its first byte",
    phase: "starting",
    script: (cell) => initializeHeld(cell, [heardLine()]),
    start: ask("hi"),
  },
  {
    name: "in the middle of its first line",
    phase: "starting",
    cut: true,
    script: (cell) => initializeHeld(cell, [heardLine(), step.raw('{"type":"keep_al')]),
    start: ask("hi"),
  },
  {
    name: "when it has read initialize and not answered",
    phase: "starting",
    script: (cell) => initializeHeld(cell, [step.emit({ type: "keep_alive", startup_mark: "hooks" }), heardLine()]),
    start: ({ cell, ...host }) => {
      const running = ask("hi")(host);
      cell.pend("initializationResult()", running.initializationResult());
      return running;
    },
  },
  {
    name: "in startup(), before it is ready",
    phase: "warming",
    // Nothing is written before the answer: a closed input cannot be told from a stall.
    without: ["input closed"],
    script: (cell) => initializeHeld(cell, []),
    start: ({ options, place }) => warmed(startWarm({ options }, place)),
  },
  {
    name: "in connect(), before it is ready",
    phase: "warming",
    script: (cell) => initializeHeld(cell, []),
    start: connecting,
  },
  {
    name: "as a WarmQuery, before its prompt",
    phase: "unasked",
    // Its turn is kept out of sight: a double that has one ahead says so as soon as the line is there.
    script: () => ({ before: [step.initialize()], after: [step.run((stage) => stage.play(step.turn("done")))] }),
    start: async ({ cell, options, place }) => {
      const warm = await startWarm({ options }, place);
      return warmed(cell.struck.promise.then(() => warm));
    },
  },
  {
    name: "after initialize, before the first user line",
    phase: "unasked",
    awaitsHost: true,
    script: () => ({ before: [step.initialize()], after: [step.turn("done")] }),
    start: async (host) => {
      const running = stream(host);
      // Without a turn there is none: it waits as long as the loop does.
      if (host.cell.promise !== "waits") host.cell.pend("sessionId", running.sessionId);
      await running.initializationResult();
      host.cell.ready.resolve();
      return running;
    },
  },
  {
    name: "when it has taken the user line and not begun",
    phase: "turn",
    script: () => ({ before: [step.initialize(), heardLine()], after: [step.turn("done")] }),
    start: ask("hi"),
  },
  {
    name: "in mid-turn, between two messages",
    phase: "turn",
    script: () => inTurn([step.assistant("one")]),
    start: ask("hi"),
  },
  {
    name: "in the middle of a message",
    phase: "turn",
    cut: true,
    script: () => inTurn([step.assistant("one"), step.raw('{"type":"assistant","message":{"content":"hal')]),
    start: ask("hi"),
  },
  {
    name: "in the middle of a character",
    phase: "turn",
    cut: true,
    script: () =>
      inTurn([
        step.raw('{"type":"assistant","message":{"content":"'),
        step.raw(new TextEncoder().encode("𝄞").subarray(0, 3)),
      ]),
    start: ask("hi"),
  },
  {
    name: "while a hook runs",
    phase: "turn",
    ...asking({
      subtype: "hook_callback",
      callback_id: "hook_0",
      input: { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} },
      tool_use_id: "tool-1",
    }, (cell) => ({
      hooks: {
        PreToolUse: [{
          hooks: [(_input, _id, { signal }) =>
            cell.asked(signal, {
              hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
            })],
        }],
      },
    })),
  },
  {
    name: "while a permission callback runs",
    phase: "turn",
    ...asking(TOOL_QUESTION, (cell) => ({
      canUseTool: (_name, input, { signal }) => cell.asked(signal, { behavior: "allow" as const, updatedInput: input }),
    })),
  },
  {
    name: "while a permission question is left open",
    phase: "turn",
    ...asking(TOOL_QUESTION, (cell) => ({
      canUseTool: () => {
        cell.ready.resolve();
        return Promise.resolve(null);
      },
    }), (running) => {
      const answer = (): Promise<boolean> => running.answerPermission(ASKED, { behavior: "allow" });
      return { goOn: () => void answer(), afterwards: answer };
    }),
  },
  {
    name: "while a call of a server in this program runs",
    phase: "turn",
    ...asking({
      subtype: "mcp_message",
      server_name: "own",
      message: { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "work", arguments: {} } },
    }, (cell) => ({
      mcpServers: { own: { type: "sdk", name: "own", instance: mcpDouble((signal) => cell.asked(signal, "worked")) } },
    })),
  },
  {
    name: "while a question is open",
    phase: "turn",
    ...asking({
      subtype: "can_use_tool",
      tool_name: "AskUserQuestion",
      input: { questions: [{ question: "Which?", options: [{ label: "this" }] }] },
      tool_use_id: "tool-1",
    }, (cell) => ({ tether: { onQuestion: (_questions, { signal }) => cell.asked(signal, { "Which?": "this" }) } })),
  },
  {
    name: "while an elicitation is open",
    phase: "turn",
    ...asking(
      { subtype: "elicitation", mcp_server_name: "s", message: "Your name?" },
      (cell) => ({ onElicitation: (_request, { signal }) => cell.asked(signal, { action: "accept" as const }) }),
    ),
  },
  {
    name: "while a dialog is open",
    phase: "turn",
    ...asking({ subtype: "request_user_dialog", dialog_kind: "odd", payload: {} }, (cell) => ({
      supportedDialogKinds: ["odd"],
      onUserDialog: (_request, { signal }) => cell.asked(signal, { behavior: "completed" as const, result: 1 }),
    })),
  },
  ...([
    ["setModel()", "set_model", (running) => running.setModel("m")],
    ["interrupt()", "interrupt", (running) => running.interrupt()],
    ["mcpServerStatus()", "mcp_status", (running) => running.mcpServerStatus()],
  ] as [string, string, (running: Query) => Promise<unknown>][]).map(([name, subtype, call]): MemoryStep => ({
    name: `while ${name} waits for its answer`,
    phase: "turn",
    script: (cell) => {
      const [take, answer] = held(cell, subtype);
      return inTurn([take], [answer, step.assistant("two")]);
    },
    start: (host) => {
      const running = ask("hi")(host);
      host.cell.onMessage = () => {
        host.cell.onMessage = () => {};
        host.cell.pend(name, call(running));
      };
      return running;
    },
  })),
  {
    name: "while nobody takes the messages, reading stopped at its bound",
    phase: "turn",
    awaitsHost: true,
    script: () =>
      inTurn([
        Array.from({ length: 8 }, (_, n) => step.assistant(`${n} ${"x".repeat(500)}`)),
      ]),
    start: (host) => {
      const { cell, options } = host;
      cell.hold = () => cell.struck.promise;
      const running = ask("hi")({
        ...host,
        options: {
          ...options,
          tether: {
            ...options.tether,
            limits: { ...options.tether?.limits, queueBytes: 1_000 },
            onDiagnostic: (event) => {
              cell.diagnostics.push(event);
              if (event.kind === "consumer_stalled") cell.ready.resolve();
            },
          },
        },
      });
      return running;
    },
  },
  {
    name: "after the result, before it is idle",
    phase: "between",
    script: () => {
      let line: JsonObject | undefined;
      return {
        before: [
          step.begin(),
          step.assistant("one"),
          step.run(async (stage) => {
            line = stage.received.find(({ type }) => type === "user");
            await stage.emit(frame.result("one"));
          }),
        ],
        after: [
          step.run((stage) => stage.emit(frame.lifecycle(String(line?.uuid), "completed"), frame.state("idle"))),
        ],
      };
    },
    start: ask("hi"),
  },
  {
    name: "while background work goes on after the result",
    phase: "between",
    script: () => ({
      before: [
        step.begin(),
        step.emit(frame.backgroundTasks([{ task_id: "t1", task_type: "local_bash", description: "goes on" }])),
        step.assistant("one"),
        step.finish(),
      ],
      after: [step.emit(frame.backgroundTasks([]))],
    }),
    start: ask("hi"),
  },
  {
    name: "after an error result",
    phase: "failed",
    ending: "error result",
    script: () => ({
      before: [step.begin(), step.finish({ result: frame.errorResult(["broken"]), idle: false })],
      after: [step.emit(frame.state("idle"))],
    }),
    start: ask("hi"),
  },
  {
    name: "after the end of its input",
    phase: "draining",
    script: () => ({ before: [step.turn("one"), step.eof()], after: [step.exit(0)] }),
    start: ask("hi"),
  },
  {
    name: "in the second turn of a stream of prompts",
    phase: "turn",
    script: () => ({
      before: [step.turn("one"), step.begin(), step.assistant("two")],
      after: [step.finish()],
    }),
    start: secondPromptOn("result"),
  },
  {
    name: "after a result, with a further line waiting",
    phase: "turn",
    script: () => ({
      before: [
        step.begin(),
        step.run((stage) => until(() => stage.received.filter(({ type }) => type === "user").length === 2)),
        step.assistant("one"),
        step.finish(),
      ],
      after: [step.turn("two")],
    }),
    start: secondPromptOn("system"),
  },
  {
    name: "between two turns of a stream of prompts",
    phase: "between",
    awaitsHost: true,
    script: () => ({ before: [step.turn("one")], after: [step.turn("two")] }),
    start: (host) => {
      const running = stream(host);
      host.cell.prompts.put(userMessage("one"));
      readyAtResult(host.cell);
      return running;
    },
  },
  {
    name: "in a client, before it was asked anything",
    phase: "unasked",
    awaitsHost: true,
    script: () => ({ before: [step.initialize()], after: [step.turn("done")] }),
    start: connected,
  },
  {
    name: "in a client, between two turns",
    phase: "between",
    awaitsHost: true,
    script: () => ({ before: [step.turn("one")], after: [step.turn("two")] }),
    start: async (host) => {
      const subject = await connected(host);
      readyAtResult(host.cell);
      return subject;
    },
  },
  {
    name: "while it is being closed",
    phase: "closing",
    script: () => ({ before: [step.begin(), step.eof()], after: [step.exit(1)] }),
    start: (host) => {
      const running = ask("hi")(host);
      host.cell.onMessage = () => host.cell.pend("close()", running.close());
      return running;
    },
  },
  {
    name: "while it is being closed, not initialized",
    phase: "closing",
    script: () => ({ before: [step.expect({ type: "user" }), step.eof()], after: [step.exit(0)] }),
    start: (host) => {
      const running = ask("hi")(host);
      void until(() => host.heard().some(({ type }) => type === "user")).then(() =>
        host.cell.pend("close()", running.close())
      );
      return running;
    },
  },
  {
    name: "while it is being ended by an abort",
    phase: "aborting",
    ending: "reason",
    script: () => ({ before: [step.begin(), step.eof()], after: [step.exit(1)] }),
    start: (host) => {
      const running = ask("hi")(host);
      host.cell.onMessage = () => host.cell.abort.abort({ whatever: "the user gave" });
      return running;
    },
  },
  {
    name: "when it has refused to initialize",
    phase: "refused",
    ending: "refused",
    script: () => ({
      before: [step.request("initialize", { error: "no", errorCode: "no_thanks" }), step.eof()],
      after: [step.exit(1)],
    }),
    start: ask("hi"),
  },
];

/** A turn that is open when the fault comes. */
function inTurn(before: CliScript, after: CliScript = [step.assistant("two")]): ReturnType<MemoryStep["script"]> {
  return { before: [step.begin(), before], after: [after, step.finish()] };
}

/** A question of the CLI's that its callback works on. */
function asking(
  request: JsonObject,
  options: (cell: Cell) => Options,
  more: (running: Query) => Partial<Subject> = () => ({}),
): Omit<MemoryStep, "name" | "phase"> {
  return {
    script: () =>
      inTurn(
        [step.ask(request, { as: "question", requestId: ASKED })],
        [step.answered("question"), step.assistant("two")],
      ),
    start: ({ cell, place, options: base }) => {
      const own = options(cell);
      const running = ask("hi")({ place, options: { ...base, ...own, tether: { ...base.tether, ...own.tether } } });
      return Object.assign(running, more(running));
    },
    asked: [ASKED],
    awaitsHost: true,
  };
}

/** `initialize` is answered only after the fault. */
function initializeHeld(cell: Cell, before: CliScript): ReturnType<MemoryStep["script"]> {
  const [take, answer] = held(cell, "initialize");
  return { before: [take, before], after: [answer, step.turn("done")] };
}

/** A request of the host that is taken, and its answer. */
function held(cell: Cell, subtype: string): readonly [CliStep, CliStep] {
  let request: JsonObject = {};
  const take = async (stage: CliStage): Promise<void> => {
    request = await stage.expect({ type: "control_request", request: { subtype } }, subtype);
  };
  const answer = async (stage: CliStage): Promise<void> => {
    if (!answersItself(cell.fault)) await stage.reply(request, reply(subtype));
  };
  return [step.run(take, [subtype]), step.run(answer)];
}

function reply(subtype: string): { readonly response?: JsonObject } {
  if (subtype === "initialize") return { response: frame.initializeReply() };
  return subtype === "mcp_status" ? { response: { mcpServers: [] } } : {};
}

/** Waits until a user line is here, and leaves it to who wants it. */
function heardLine(): CliStep {
  return step.run((stage) => until(() => stage.received.some(({ type }) => type === "user")));
}
