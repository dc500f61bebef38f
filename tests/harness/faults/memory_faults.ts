/** How each fault is played by a double in memory. */
import type { JsonObject } from "../../../src/core/json.ts";
import type { CliStage } from "../../../src/testing/cli/cli_stage.ts";
import { step } from "../../../src/testing/cli/step.ts";
import type { MemoryWire } from "./memory_wire.ts";
import { type Fault, FAULTS } from "./promise_table.ts";

/** Longest message that the cells let pass, in bytes. */
export const LONGEST_MESSAGE = 20_000;

/** What a dying process says, and the code it leaves with. */
export const LAST_WORDS = "it is all over";

/** What a fault is played on. */
interface Place {
  readonly stage: CliStage;
  readonly wire: MemoryWire;
}

/** What only a process has: other processes that hold its pipes, and a stderr of its own. */
const NEEDS_PROCESS: ReadonlySet<Fault> = new Set(["held pipe, exit 1", "stderr flood"]);

/** The faults that can be played in memory. */
export const MEMORY_FAULTS: readonly Fault[] = FAULTS.filter((fault) => !NEEDS_PROCESS.has(fault));

const HALF = '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"half of i';

const bytes = (text: string): number[] => [...new TextEncoder().encode(text)];

const PLAYS: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  "SIGKILL": (place) => die(place, "SIGKILL"),
  "SIGTERM": (place) => die(place, "SIGTERM"),
  "SIGSEGV": (place) => die(place, "SIGSEGV"),
  "exit 0": ({ stage }) => stage.play([step.exit(0)]),
  "exit 1": ({ stage }) => stage.play([step.stderr(`${LAST_WORDS}\n`), step.exit(1)]),
  "half, exit 0": ({ stage }) => stage.play([step.raw(HALF), step.exit(0)]),
  "half, exit 1": ({ stage }) => stage.play([step.raw(HALF), step.stderr(`${LAST_WORDS}\n`), step.exit(1)]),
  "half, SIGKILL": async (place) => {
    await place.stage.raw(HALF);
    await die(place, "SIGKILL");
  },
  "output closed": ({ stage }) => stage.play([step.closeOutput(), step.hang()]),
  "input closed": async ({ stage, wire }) => {
    await wire.closeInput();
    await stage.play([step.hang()]);
  },
  "stall": ({ stage }) => stage.play([step.hang()]),
  "deaf stall": ({ stage }) => stage.play([step.hang()]),
  "not JSON": ({ stage }) => stage.raw("npm warn this is no message\n"),
  "broken record": ({ stage }) => stage.raw('{"type":"assistant","message":{]}\n'),
  "too long": ({ stage }) => stage.raw(`{"type":"assistant","pad":"${"x".repeat(LONGEST_MESSAGE)}"}\n`),
  "bad UTF-8": ({ stage }) =>
    stage.raw(new Uint8Array([...bytes('{"type":"assistant","bad":"'), 0xff, 0xc3, ...bytes('"}\n')])),
  "NULs": ({ stage }) => stage.raw(new Uint8Array([0, 0, 0, 10])),
  "unknown answer": ({ stage }) =>
    stage.emit({ type: "control_response", response: { subtype: "success", request_id: "nobody's" } }),
  "second answer": async ({ stage }) => {
    const request = lastRequest(stage);
    await stage.reply(request, {});
    await stage.reply(request, {});
  },
  "odd answer": ({ stage }) =>
    stage.emit({
      type: "control_response",
      response: { subtype: "success", request_id: lastRequest(stage).request_id!, response: [1] },
    }),
  "unknown request": ({ stage }) =>
    stage.emit({ type: "control_request", request_id: "odd-1", request: { subtype: "make_coffee" } }),
  "odd request": ({ stage }) => stage.emit({ type: "control_request", request_id: "odd-2", request: "?" }),
  "unknown cancel": ({ stage }) => stage.emit({ type: "control_cancel_request", request_id: "nobody's" }),
};

/** Plays a fault; a lethal one does not come back to the script. */
export function playFault(fault: Fault, place: Place): Promise<void> {
  const play = PLAYS[fault];
  if (play === undefined) throw new Error(`Nobody knows how to play "${fault}" in memory`);
  return play(place);
}

/** The fault takes the answer away that the step would give to our last request, or gives it itself. */
export function answersItself(fault: Fault): boolean {
  return fault === "second answer" || fault === "odd answer";
}

function die({ wire }: Place, signal: string): Promise<void> {
  wire.end({ code: null, signal });
  return Promise.resolve();
}

function lastRequest(stage: CliStage): JsonObject {
  const request = stage.received.findLast(({ type }) => type === "control_request");
  if (request === undefined) throw new Error("The host has asked nothing yet");
  return request;
}
