/**
 * A text in which rules replace pieces, one rule after the other: what one has put in is not looked at by the next, so that
 * a stand-in is never taken for something to redact.
 */
export class TextPieces {
  /** Open text and settled text by turns, open first. */
  #pieces: string[];

  /** Nothing is settled yet. */
  constructor(text: string) {
    this.#pieces = [text];
  }

  /** Replaces each match in what is open; undefined leaves one open. The expression must be global. */
  replace(expression: RegExp, standIn: (match: RegExpMatchArray) => string | undefined): void {
    this.split((text) => {
      const pieces: string[] = [];
      let at = 0;
      for (const match of text.matchAll(expression)) {
        const settled = match[0] === "" ? undefined : standIn(match);
        if (settled === undefined) continue;
        pieces.push(text.slice(at, match.index), settled);
        at = match.index + match[0].length;
      }
      return at === 0 ? undefined : [...pieces, text.slice(at)];
    });
  }

  /** Cuts what is open into open and settled pieces by turns, open first and last; undefined leaves it as it is. */
  split(cut: (text: string) => string[] | undefined): void {
    let changed: string[] | undefined;
    for (let index = 0; index < this.#pieces.length; index++) {
      const piece = this.#pieces[index]!;
      const pieces = index % 2 === 0 && piece !== "" ? cut(piece) : undefined;
      if (pieces !== undefined) changed ??= this.#pieces.slice(0, index);
      changed?.push(...pieces ?? [piece]);
    }
    if (changed !== undefined) this.#pieces = changed;
  }

  /** All of it. */
  toString(): string {
    return this.#pieces.length === 1 ? this.#pieces[0]! : this.#pieces.join("");
  }
}

/** An expression for any of these texts, the longest first; undefined for none. */
export function anyOf(
  texts: Iterable<string>,
  flags: string,
  around: readonly [string, string] = ["", ""],
): RegExp | undefined {
  const list = [...new Set(texts)].filter((text) => text !== "").sort((a, b) => b.length - a.length);
  if (list.length === 0) return undefined;
  return new RegExp(`${around[0]}(?:${list.map(escapeExpression).join("|")})${around[1]}`, flags);
}

/** The text as part of an expression that matches nothing else. */
export function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|\/-]/g, "\\$&");
}
