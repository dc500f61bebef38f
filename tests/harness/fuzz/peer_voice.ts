import type { JsonObject } from "../../../src/core/json.ts";
import type { ScriptedPeer } from "../scripted_peer.ts";

/** What a peer says, cut into chunks in one way or another. */
export class PeerVoice {
  /** It says no more. */
  silent = false;
  readonly #peer: ScriptedPeer;
  #chunks = 0;
  #unsaid = "";

  constructor(peer: ScriptedPeer) {
    this.#peer = peer;
  }

  /** Nothing waits to be said together with what comes next. */
  get isClear(): boolean {
    return this.#unsaid === "";
  }

  /** Every chunk was taken. */
  get heard(): boolean {
    return this.#peer.chunksTaken === this.#chunks;
  }

  /** Says a frame: in a chunk of its own, with the next one, or torn. */
  say(frame: JsonObject, cut: string): void {
    this.sayLine(JSON.stringify(frame), cut);
  }

  /** The same, with any line. */
  sayLine(line: string, cut: string): void {
    if (this.silent) return;
    const text = `${this.#unsaid}${line}\n`;
    this.#unsaid = "";
    if (cut === "with the next") this.#unsaid = text;
    else if (cut === "torn") {
      const third = Math.ceil(text.length / 3);
      for (let at = 0; at < text.length; at += third) this.#chunk(text.slice(at, at + third));
    } else this.#chunk(text);
  }

  /** Says what waits, and more, as it is. */
  flush(more: string): void {
    if (this.silent || this.#unsaid + more === "") return;
    const text = this.#unsaid + more;
    this.#unsaid = "";
    this.#chunk(text);
  }

  #chunk(text: string): void {
    this.#chunks++;
    this.#peer.sayText(text);
  }
}
