import type { ModelRequest } from "./model_request.ts";
import { type Turn, turn } from "./turn.ts";

/** One line of a script: an answer, or what makes one from the request. */
export type ScriptLine = Turn | ((request: ModelRequest) => Turn | Promise<Turn>);

/** The lines of one conversation: a list that is used up in order, or a function that never ends. */
export type ScriptLines =
  | readonly ScriptLine[]
  | ((request: ModelRequest, index: number) => Turn | Promise<Turn>);

/** Lines of their own for the requests that `when` picks: a subagent, a second session. */
export interface ScriptBranch {
  /** For error texts. Default `match[<n>]`. */
  readonly name?: string;
  /** Whether a request belongs here. The first branch that says so takes it. */
  when(request: ModelRequest): boolean;
  /** Its lines. */
  readonly turns: ScriptLines;
}

/** A script for several conversations at once. */
export interface ModelScript {
  /** Lines of every main request no branch takes. Default none. */
  readonly main?: ScriptLines;
  /** Branches, asked in order; they see main and side requests. */
  readonly match?: readonly ScriptBranch[];
  /** Answers the side requests no branch takes (titles, summaries, side questions). Default: something short that fits, for ever. */
  readonly side?: ScriptLines;
}

/** Where a request's answer comes from. */
export interface ScriptPlace {
  /** Name of the branch, for error texts. */
  readonly branch: string;
  /** Number of the line in its branch, from 0. */
  readonly line: number;
  /** The answer; undefined past the end of the lines. */
  readonly turn: Turn | undefined;
}

/** What the CLI gets for a question of its own that nobody scripted. */
function sideAnswer(request: ModelRequest): Turn {
  switch (request.topic) {
    case "summary":
      return turn.text("<analysis>Scripted.</analysis>\n<summary>Scripted summary.</summary>");
    case "structured":
      return turn.text(JSON.stringify({ title: "Scripted title" }));
    default:
      return turn.text("Scripted answer");
  }
}

/** Hands out lines, one per request. */
export class ScriptCursor {
  readonly #branches: { name: string; when: (request: ModelRequest) => boolean; lines: ScriptLines; used: number }[];

  /** Reads a script in any of its forms. */
  constructor(script: ScriptLines | ModelScript) {
    const full: ModelScript = isLines(script) ? { main: script } : script;
    this.#branches = [
      ...(full.match ?? []).map((branch, index) => ({
        name: branch.name ?? `match[${index}]`,
        when: (request: ModelRequest) => branch.when(request),
        lines: branch.turns,
        used: 0,
      })),
      { name: "main", when: (request) => request.kind === "main", lines: full.main ?? [], used: 0 },
      { name: "side", when: () => true, lines: full.side ?? sideAnswer, used: 0 },
    ];
  }

  /** Takes the next line for a request. Rejects with what a function of the script throws. */
  async take(request: ModelRequest): Promise<ScriptPlace> {
    const branch = this.#branches.find((candidate) => candidate.when(request));
    if (branch === undefined) throw new TypeError("No branch took the request");
    // Counted before anything is awaited: requests that come at the same moment get different lines.
    const line = branch.used++;
    const { lines, name } = branch;
    if (typeof lines === "function") return { branch: name, line, turn: await lines(request, line) };
    const entry = lines[line];
    return { branch: name, line, turn: typeof entry === "function" ? await entry(request) : entry };
  }

  /** What was never asked for, one sentence per branch. */
  unplayed(): string[] {
    return this.#branches.flatMap(({ name, lines, used }) =>
      typeof lines !== "function" && used < lines.length
        ? [`${name}: ${lines.length - used} of ${lines.length} lines were never asked for`]
        : []
    );
  }
}

function isLines(script: ScriptLines | ModelScript): script is ScriptLines {
  return typeof script === "function" || Array.isArray(script);
}
