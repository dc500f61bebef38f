import type { UserMessage } from "./sdk.ts";

/** A stream of one prompt that stays open until it is let go: the answers to control requests need the input open. */
export class HeldPrompt {
  readonly #over: Promise<void>;
  #letGo: () => void = () => {};

  constructor() {
    this.#over = new Promise((resolve) => this.#letGo = resolve);
  }

  /** The stream. */
  async *messages(): AsyncGenerator<UserMessage> {
    yield { type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: null, session_id: "" };
    await this.#over;
  }

  /** Ends the stream. */
  end(): void {
    this.#letGo();
  }
}
