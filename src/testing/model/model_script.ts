import { OptionError } from "../../core/errors/option_error.ts";
import { isJsonObject } from "../../core/json.ts";
import { checkFields, gotKind, isFunction, isName } from "../checks.ts";
import { ScriptError } from "../script_error.ts";
import type { ModelRequest } from "./model_request.ts";
import { requestDifferences } from "./request_expectation.ts";
import { type CountedLine, countLines, noScript, type ScriptLine, type SingleLine } from "./script_line.ts";
import { type Turn, turn } from "./turn.ts";
import { checkTurn } from "./turn_check.ts";

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
  /** How many requests its branch has had before. */
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

/** The lines of one branch, and how far they are used up. */
class Branch {
  readonly name: string;
  readonly when: (request: ModelRequest) => boolean;
  readonly #lines: CountedLine[] | ((request: ModelRequest, index: number) => Turn | Promise<Turn>);
  readonly #length: number;
  #used = 0;
  #at = 0;
  #usedOfLine = 0;

  constructor(name: string, when: (request: ModelRequest) => boolean, lines: ScriptLines, path: string) {
    this.name = name;
    this.when = when;
    if (typeof lines !== "function" && !Array.isArray(lines)) throw noScript(lines, path);
    this.#lines = typeof lines === "function" ? lines : countLines(lines, path);
    this.#length = typeof this.#lines === "function" ? 0 : this.#lines.reduce((sum, { times }) => sum + times, 0);
  }

  /** Uses up a line; nothing is awaited, so requests that come at the same moment get different ones. */
  next(): { readonly number: number; readonly line: SingleLine | undefined } {
    const number = this.#used++;
    if (typeof this.#lines === "function") {
      const lines = this.#lines;
      return { number, line: (request) => lines(request, number) };
    }
    const current = this.#lines[this.#at];
    if (current !== undefined && ++this.#usedOfLine >= current.times) {
      this.#at++;
      this.#usedOfLine = 0;
    }
    return { number, line: current?.line };
  }

  /** What was never asked for; undefined if nothing is left. */
  get unplayed(): string | undefined {
    if (typeof this.#lines === "function") return undefined;
    // A line for all that follow has been played when it was asked for once.
    if (this.#length === Infinity) {
      return this.#at === this.#lines.length - 1 && this.#usedOfLine > 0
        ? undefined
        : `${this.name}: its last line was never asked for`;
    }
    const left = this.#length - this.#used;
    return left <= 0 ? undefined : `${this.name}: ${left} of ${this.#length} lines were never asked for`;
  }
}

/** Hands out lines, one per request. */
export class ScriptCursor {
  readonly #branches: readonly Branch[];

  /** Reads a script in any of its forms. @throws {OptionError} for what is none. */
  constructor(script: ScriptLines | ModelScript) {
    const full = fullScript(script);
    const { main = [], match = [], side = sideAnswer } = full;
    const isPlain = typeof script === "function" || Array.isArray(script);
    this.#branches = [
      ...match.map((branch, index) => {
        const path = `script.match[${index}]`;
        checkFields(branch, path, { name: isName, when: isFunction, turns: () => {} });
        isFunction(branch.when, `${path}.when`);
        return new Branch(
          branch.name ?? `match[${index}]`,
          (request) => branch.when(request),
          branch.turns,
          `${path}.turns`,
        );
      }),
      new Branch("main", (request) => request.kind === "main", main, isPlain ? "script" : "script.main"),
      new Branch("side", () => true, side, "script.side"),
    ];
  }

  /** Takes the next line for a request. Rejects with what a function of the script throws, or a {@linkcode ScriptError}. */
  async take(request: ModelRequest): Promise<ScriptPlace> {
    const branch = this.#branches.find((candidate) => candidate.when(request));
    if (branch === undefined) throw new TypeError("No branch took the request");
    const { number, line } = branch.next();
    return {
      branch: branch.name,
      line: number,
      turn: line === undefined ? undefined : await answerOf(line, request, `line ${number + 1} of "${branch.name}"`),
    };
  }

  /** What was never asked for, one sentence per branch. */
  unplayed(): string[] {
    return this.#branches.flatMap(({ unplayed }) => unplayed === undefined ? [] : [unplayed]);
  }
}

async function answerOf(line: SingleLine, request: ModelRequest, name: string): Promise<Turn> {
  if (typeof line === "function") return checked(await line(request));
  if (line.kind !== "expect") return line;
  const differences = requestDifferences(request, line.expected);
  if (differences.length > 0) throw new ScriptError(`${name} expects another request`, differences);
  return typeof line.line === "function" ? checked(await line.line(request)) : line.line;
}

/** What a function of the script gave: nobody has looked at it yet. */
function checked(given: unknown): Turn {
  checkTurn(given, "what it returned");
  return given as Turn;
}

function fullScript(script: ScriptLines | ModelScript): ModelScript {
  if (typeof script === "function" || Array.isArray(script)) return { main: script };
  if (!isJsonObject(script) || "kind" in script) throw noScript(script, "script");
  checkFields(script, "script", { main: () => {}, match: isList, side: () => {} });
  return script as ModelScript;
}

function isList(value: unknown, path: string): void {
  if (!Array.isArray(value)) throw new OptionError(path, `must be a list of branches; it is ${gotKind(value)}`);
}
