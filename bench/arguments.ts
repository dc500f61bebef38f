import { parseArgs } from "node:util";
import { RUNTIME_NAMES, type RuntimeName, type Size } from "./plan.ts";

/** What `deno task bench` was asked for. */
export interface Arguments {
  readonly size: Size;
  /** The official SDK runs too. */
  readonly peer: boolean;
  /** Names of measures. */
  readonly only: readonly string[];
  readonly runtimes: readonly RuntimeName[];
  /** How often a cell of the short kind runs. */
  readonly rounds: number;
  /** Which Node. */
  readonly node: "20" | "22" | "24";
  /** The result's name in `bench/out/`. */
  readonly out: string;
  /** Draws the tables of this result again and measures nothing. */
  readonly from: string | undefined;
  /** Puts the tables into docs/benchmarks.md. */
  readonly writeDocs: boolean;
}

/** What was asked for makes no sense; the message says why, and is all there is to say. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** How to use it. */
export const USAGE = `deno task bench [--quick | --smoke] [--peer] [--only <measure,…>] [--runtimes deno,bun,node]
    [--rounds <n>] [--node 20|22|24] [--out <name>] [--from <name>] [--write-docs]`;

const ROUNDS: Readonly<Record<Size, number>> = { full: 7, quick: 3, smoke: 1 };

/** Reads the arguments. @throws {UsageError} */
export function parseArguments(args: readonly string[], measures: readonly string[]): Arguments {
  const values = parsed(args);
  if (values.quick && values.smoke) throw new UsageError("--quick and --smoke exclude each other");
  const size = values.smoke ? "smoke" : values.quick ? "quick" : "full";
  const rounds = values.rounds === undefined ? ROUNDS[size] : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new UsageError(`--rounds: not a count: ${values.rounds}`);
  if (!/^[\w.-]+$/.test(values.out)) throw new UsageError(`--out: a plain name, no path: ${values.out}`);
  return {
    size,
    peer: values.peer,
    only: values.only === undefined ? measures : listed("--only", values.only, measures),
    runtimes: listed("--runtimes", values.runtimes, RUNTIME_NAMES),
    rounds,
    node: listed("--node", values.node, ["20", "22", "24"])[0]!,
    out: values.out,
    from: values.from,
    writeDocs: values["write-docs"],
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: "boolean", default: false },
        smoke: { type: "boolean", default: false },
        peer: { type: "boolean", default: false },
        only: { type: "string" },
        runtimes: { type: "string", default: RUNTIME_NAMES.join(",") },
        rounds: { type: "string" },
        node: { type: "string", default: "22" },
        out: { type: "string", default: "last" },
        from: { type: "string" },
        "write-docs": { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A list of known words. */
function listed<Word extends string>(option: string, text: string, known: readonly Word[]): readonly Word[] {
  const words = text.split(",").filter((word) => word !== "");
  const unknown = words.find((word) => !known.includes(word as Word));
  if (unknown !== undefined || words.length === 0) {
    throw new UsageError(`${option}: ${unknown ?? "nothing"} is none of ${known.join(", ")}`);
  }
  return known.filter((word) => words.includes(word));
}
