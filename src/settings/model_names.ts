/** A model's name taken apart: `claude-opus-4-8-20260101` is family `opus`, 4, 8, and a rest. */
export interface ModelVersion {
  /** The family, in lower case. */
  readonly family: string;
  /** The number before the point. */
  readonly major: number;
  /** The number after it; undefined where the name has none. */
  readonly minor: number | undefined;
  /** What follows: a date, a variant. Begins with `-` or `@`, or is empty. */
  readonly rest: string;
}

/** Sizes of the context window, which say nothing about the model. */
const CONTEXT_TAG = /\[[12]m\]/gi;

/** Where a cloud provider serves a model, in front of its name. */
const PROVIDER = /^(?:(?:us|us-gov|eu|apac|jp|au|global)\.)?anthropic\./;

/** `claude-opus-4-8…`. A number of one or two digits after the first is the minor one, and nothing may cling to it. */
const FAMILY_FIRST = /^claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2})|(?!-\d{1,2}(?!\d)))(?=$|[-@])(.*)$/s;

/** `claude-3-5-sonnet…`, the older order. */
const NUMBER_FIRST = /^claude-(\d{1,2})(?:-(\d{1,2}))?-([a-z]+)(?=$|[-@])(.*)$/s;

/** Ways to name one and the same model: a release channel, a date, a build. */
const SNAPSHOT = /^(?:-fast|-latest)?(?:-v\d{1,3}@\d{8}|[-@]\d{8}(?:-v\d{1,3}(?::\d{1,3})?)?|-v\d{1,3}(?::\d{1,3})?)?$/;

/** The name without case, blanks around it and tags of the context's size. */
export function plainModelName(name: string): string {
  return name.toLowerCase().replaceAll(CONTEXT_TAG, "").trim();
}

/** Whether the name says how large the context is to be. */
export function hasContextTag(name: string): boolean {
  return name.search(CONTEXT_TAG) !== -1;
}

/** Takes a plain name apart; undefined if it names no version. What stands before the last `/` does not count. */
export function parseModelVersion(plainName: string): ModelVersion | undefined {
  const name = plainName.slice(plainName.lastIndexOf("/") + 1).replace(PROVIDER, "");
  const modern = FAMILY_FIRST.exec(name);
  if (modern !== null) return versionOf(modern[1], modern[2], modern[3], modern[4]);
  const older = NUMBER_FIRST.exec(name);
  return older === null ? undefined : versionOf(older[3], older[1], older[2], older[4]);
}

/** Whether a rest only says which snapshot of a model is meant. */
export function isSnapshot(rest: string): boolean {
  return SNAPSHOT.test(rest);
}

function versionOf(family = "", major = "", minor: string | undefined, rest = ""): ModelVersion {
  return { family, major: Number(major), minor: minor === undefined ? undefined : Number(minor), rest };
}
