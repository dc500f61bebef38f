import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { ScriptError } from "../script_error.ts";
import type { CliStage } from "./cli_stage.ts";
import type { CliTurns } from "./cli_turns.ts";
import { fitsPattern, type FramePattern } from "./frame_pattern.ts";
import type { AskOptions } from "./step.ts";

/** What a double asks its host, and what became of it. */
export class CliAsks {
  readonly #stage: Pick<CliStage, "emit" | "expect">;
  readonly #turns: CliTurns;
  readonly #ids: Map<string, string> = new Map();

  /** @param stage Writes the questions and waits for the answers. */
  constructor(stage: Pick<CliStage, "emit" | "expect">, turns: CliTurns) {
    this.#stage = stage;
    this.#turns = turns;
  }

  /** Asks, and waits unless the question has a name. A permission puts the session on hold, as in the CLI. */
  async ask(request: JsonObject, options: AskOptions): Promise<JsonObject> {
    const { requestId: id = crypto.randomUUID(), as } = options;
    const gate = as === undefined && request.subtype === "can_use_tool" && this.#turns.open;
    if (gate) await this.#turns.state("requires_action");
    await this.#stage.emit({ type: "control_request", request_id: id, request });
    if (as !== undefined) {
      this.#ids.set(as, id);
      return {};
    }
    const response = await this.#answer(id, String(request.subtype), options.check);
    if (gate) await this.#turns.state("running");
    return response;
  }

  /** Waits for the answer to a question with a name. */
  async answered(as: string, check: FramePattern | undefined): Promise<void> {
    await this.#answer(this.#idOf(as), as, check);
  }

  /** Takes a question with a name back. */
  async cancel(as: string): Promise<void> {
    await this.#stage.emit({ type: "control_cancel_request", request_id: this.#idOf(as) });
  }

  async #answer(id: string, what: string, check: FramePattern | undefined): Promise<JsonObject> {
    const answer = await this.#stage.expect(
      (item) => item.type === "control_response" && isJsonObject(item.response) && item.response.request_id === id,
      `the answer to ${what}`,
    );
    const response = answer.response as JsonObject;
    if (check !== undefined && !fitsPattern(check, response)) {
      throw fault(`the answer to ${what} does not fit, its subtype is ${String(response.subtype)}`);
    }
    return response;
  }

  #idOf(as: string): string {
    const id = this.#ids.get(as);
    if (id === undefined) throw fault(`nothing was asked under the name "${as}"`);
    return id;
  }
}

function fault(problem: string): ScriptError {
  return new ScriptError("scriptedCli", [problem]);
}
