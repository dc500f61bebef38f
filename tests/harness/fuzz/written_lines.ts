import { assert } from "chai";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { ScriptedPeer } from "../scripted_peer.ts";

/** A line of the prompt, and what became of it. */
export interface Sent {
  /** It can be written as JSON. */
  readonly good: boolean;
  taken: boolean | undefined;
}

/** What was written, as its writers know it. */
export interface Written {
  /** Several lines may go in one write. */
  readonly joined: boolean;
  readonly sent: readonly Sent[];
  /** Answers given by hand, by number. */
  readonly responded: ReadonlyMap<number, { readonly written: boolean | undefined }>;
}

/** What the peer heard is what was sent, line by line, in order; what was refused it did not hear. */
export function checkWritten({ chunks, lines, takenBack }: ScriptedPeer, { joined, sent, responded }: Written): void {
  for (const chunk of chunks) {
    if (joined) assert.strictEqual(chunk.at(-1), 10, "whole lines");
    else assert.strictEqual(chunk.indexOf(10), chunk.length - 1, "one line per write");
  }
  const heard = lines.flatMap(({ s }) => typeof s === "number" ? [s] : []);
  assert.deepEqual(heard, heard.toSorted((a, b) => a - b), "lines keep their order");
  assert.strictEqual(new Set(heard).size, heard.length, "a line is written once");
  // One that was under way when everything was given up may still have been taken.
  const unsure = sent.filter(({ taken }, s) => taken === false && heard.includes(s));
  assert.isAtMost(unsure.length, 1, "what was refused was not written");
  for (const [s, { good, taken }] of sent.entries()) {
    if (!good) assert.notInclude(heard, s);
    if (taken === true) assert.include(heard, s);
  }
  const answered = lines.filter(({ type }) => type === "control_response").map(({ response }) =>
    response as JsonObject
  );
  for (const [r, { written }] of responded) {
    const there = answered.some(({ response, error }) =>
      error === `responded ${r}` || (isJsonObject(response) && response.r === r)
    );
    if (written === true) assert.isTrue(there, `answer ${r} was written`);
  }
  const asked = lines.filter(({ type }) => type === "control_request").map(({ request_id }) => request_id);
  assert.strictEqual(new Set(asked).size, asked.length, "our ids are unique");
  for (const id of takenBack) assert.include(asked, id as string, "only what was written is taken back");
  assert.strictEqual(new Set(takenBack).size, takenBack.length, "and once");
}
