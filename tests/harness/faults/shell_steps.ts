/** The moments at which a real process fails: each as a program for `sh` and what the host does. */
import { startWarm } from "../../../src/client/startup.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Options } from "../../../src/core/options/mod.ts";
import { frame } from "../../../src/testing/cli/frame.ts";
import type { Cell, Subject } from "./cell.ts";
import { mcpDouble } from "./mcp_double.ts";
import type { Fault, Moment, Outcome } from "./promise_table.ts";
import { ask, connected, type HostSide, readyAtResult, secondPromptOn, warmed } from "./subjects.ts";

/** One moment. */
export interface ShellStep extends Moment {
  readonly name: string;
  /** What is played before the fault, and after it. */
  readonly script: { readonly before: string; readonly after: string };
  /** Starts what the fault happens to. */
  readonly start: (host: HostSide) => Subject | Promise<Subject>;
  /** The fault waits until the host is where the step wants it. */
  readonly awaitsHost?: boolean;
  /** How it ends undisturbed. Default `over`. */
  readonly ending?: Outcome;
  /** Faults that cannot be told from another there. */
  readonly without?: readonly Fault[];
}

/** The words of the programs; `$dir` and `$mark` are set. */
export const PRELUDE = `#!/bin/sh
trap 'exit 143' TERM
mark=$1-$$
struck() { : >"$dir/struck"; }
take() {
  IFS= read -r line || exit 0
  id=\${line#*\\"request_id\\":\\"}; id=\${id%%\\"*}
  uuid=\${line##*\\"uuid\\":\\"}; uuid=\${uuid%%\\"*}
}
say() { printf '%s\\n' "$1"; }
answer() { say '{"type":"control_response","response":{"subtype":"success","request_id":"'"$1"'","response":{"claude_code_version":"2.1.332"}}}'; }
lifecycle() { say '{"type":"command_lifecycle","command_uuid":"'"$uuid"'","state":"'"$1"'"}'; }
initialize() { take; init=$id; answer "$init"; }
begin() { take; say '${JSON.stringify(frame.state("running"))}'; lifecycle started; say '${
  JSON.stringify(frame.init({ session_id: "s" }))
}'; }
idle() { lifecycle completed; say '${JSON.stringify(frame.state("idle"))}'; }
text() { say '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"'"$1"'"}]}}'; }
result() { say '${JSON.stringify(frame.result("done"))}'; }
turn() { begin; text one; result; idle; }
await_host() { while [ ! -e "$dir/go" ]; do sleep 0.01; done; }
until_eof() { while IFS= read -r line; do :; done; }
`;

const IN_TURN = "initialize; begin; text one";
const REST = "text two; result; idle; until_eof; exit 0";

export const SHELL_STEPS: readonly ShellStep[] = [
  {
    name: "before its first byte",
    phase: "starting",
    script: { before: "take; init=$id; IFS= read -r kept", after: `answer "$init"; line=$kept; ${lateTurn()}` },
    start: ask("hi"),
  },
  {
    name: "in startup(), before it is ready",
    phase: "warming",
    script: { before: "take; init=$id", after: `answer "$init"; turn; until_eof; exit 0` },
    // Nothing is written before the answer: a closed input cannot be told from a stall.
    without: ["input closed"],
    start: ({ options, place }) => warmed(startWarm({ options }, place)),
  },
  {
    name: "in mid-turn, between two messages",
    phase: "turn",
    script: { before: IN_TURN, after: REST },
    start: ask("hi"),
  },
  {
    name: "in the middle of a message",
    phase: "turn",
    cut: true,
    script: { before: `${IN_TURN}; printf '%s' '{"type":"assistant","message":{"content":"hal'`, after: REST },
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
    ...asking(
      { subtype: "can_use_tool", tool_name: "Bash", input: { command: "rm" }, tool_use_id: "tool-1" },
      (cell) => ({
        canUseTool: (_name, input, { signal }) =>
          cell.asked(signal, { behavior: "allow" as const, updatedInput: input }),
      }),
    ),
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
    name: "while setModel() waits for its answer",
    phase: "turn",
    script: {
      before: `${IN_TURN}; line_uuid=$uuid; take; asked=$id; uuid=$line_uuid`,
      after: `answer "$asked"; ${REST}`,
    },
    start: (host) => {
      const running = ask("hi")(host);
      host.cell.onMessage = () => {
        host.cell.onMessage = () => {};
        host.cell.pend("setModel()", running.setModel("m"));
      };
      return running;
    },
  },
  {
    name: "while nobody takes the messages, reading stopped at its bound",
    phase: "turn",
    awaitsHost: true,
    script: { before: `${IN_TURN}; for n in 1 2 3 4 5 6 7 8; do text "$n ${"x".repeat(500)}"; done`, after: REST },
    start: (host) => {
      const { cell, options } = host;
      cell.hold = () => cell.struck.promise;
      return ask("hi")({
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
    },
  },
  {
    name: "after the result, before it is idle",
    phase: "between",
    script: { before: `${IN_TURN}; result`, after: "idle; until_eof; exit 0" },
    start: ask("hi"),
  },
  {
    name: "after an error result",
    phase: "failed",
    ending: "error result",
    script: {
      before: `${IN_TURN}; say '${JSON.stringify(frame.errorResult(["broken"]))}'`,
      after: "idle; until_eof; exit 1",
    },
    start: ask("hi"),
  },
  {
    name: "after the end of its input",
    phase: "draining",
    script: { before: "initialize; turn; until_eof", after: "exit 0" },
    start: ask("hi"),
  },
  {
    name: "in the second turn of a stream of prompts",
    phase: "turn",
    script: { before: "initialize; turn; begin; text two", after: "result; idle; until_eof; exit 0" },
    start: secondPromptOn("result"),
  },
  {
    name: "in a client, between two turns",
    phase: "between",
    awaitsHost: true,
    script: { before: "initialize; turn", after: "turn; until_eof; exit 0" },
    start: async (host) => {
      const subject = await connected(host);
      readyAtResult(host.cell);
      return subject;
    },
  },
  {
    name: "while it is being closed",
    phase: "closing",
    script: { before: `${IN_TURN}; until_eof`, after: "exit 1" },
    start: (host) => {
      const running = ask("hi")(host);
      host.cell.onMessage = () => {
        host.cell.onMessage = () => {};
        host.cell.pend("close()", running.close());
      };
      return running;
    },
  },
];

/** A turn on a line that was taken before its time. */
function lateTurn(): string {
  return [
    `uuid=\${line##*\\"uuid\\":\\"}; uuid=\${uuid%%\\"*}`,
    `say '${JSON.stringify(frame.state("running"))}'; lifecycle started`,
    "text one; result; idle; until_eof; exit 0",
  ].join("; ");
}

/** A question of the CLI's that its callback works on. */
function asking(request: JsonObject, options: (cell: Cell) => Options): Omit<ShellStep, "name" | "phase"> {
  const question = { type: "control_request", request_id: "asked-1", request };
  return {
    script: {
      before: `${IN_TURN}; say '${JSON.stringify(question)}'`,
      after: `line_uuid=$uuid; take; uuid=$line_uuid; ${REST}`,
    },
    start: ({ cell, place, options: base }) => {
      const own = options(cell);
      return ask("hi")({ place, options: { ...base, ...own, tether: { ...base.tether, ...own.tether } } });
    },
    awaitsHost: true,
  };
}
