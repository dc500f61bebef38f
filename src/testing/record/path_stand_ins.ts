import { anyOf, escapeExpression, type TextPieces } from "./text_pieces.ts";

/** A folder of this machine, and what stands for it. */
export interface FolderStandIn {
  /** Its full path. */
  readonly path: string;
  /** Where it is in a recording, in POSIX spelling: `/home/user`. */
  readonly standIn: string;
}

/** Where Linux on Windows has the drives. */
const WSL = "/mnt";
const IS_WINDOWS = /^[A-Za-z]:[\\/]/;
/** Homes of whoever: what follows is a user's name. */
const HOMES: readonly RegExp[] = [
  /((?<![\w.-])\/(?:home|Users)\/)([^\s\/\\"'`:*?<>|,;()[\]{}$]+)/g,
  /((?<![A-Za-z])[A-Za-z]:[\\/]{1,4}Users[\\/]{1,4})([^\s\/\\"'`:*?<>|,;()[\]{}$]+)/gi,
  /((?<![\w.-])\/(?:mnt\/)?[a-z]\/Users\/)([^\s\/\\"'`:*?<>|,;()[\]{}$]+)/gi,
  // The CLI's names of project folders: every other character is a hyphen
  /((?<![\w-])(?:[A-Za-z]-)?-(?:home|Users)-)([A-Za-z0-9]+)/g,
];
/** Names below a folder of homes that are nobody's. */
const NOBODY: ReadonlySet<string> = new Set(["user", "shared", "public", "default", "all", "...", "…", ".", ".."]);

/** Replaces folders by stable ones that are paths as well, in every spelling in which they are met. */
export class PathStandIns {
  /** By spelling, in lower case for folders of Windows. */
  readonly #spellings = new Map<string, string>();
  readonly #expressions: RegExp[] = [];
  readonly #users = new Map<string, string>();

  /** @param folders Those known; the first that has a path counts. */
  constructor(folders: readonly FolderStandIn[]) {
    const plain: string[] = [];
    const short: string[] = [];
    const keys: string[] = [];
    const windows: string[] = [];
    for (const { path, standIn } of folders) {
      const bare = path.replace(/[\\/]+$/, "");
      if (bare === "" || /^[A-Za-z]:$/.test(bare)) continue;
      if (IS_WINDOWS.test(bare)) {
        for (const [spelling, replacement] of windowsSpellings(bare, standIn)) {
          this.#learn(windows, spelling.toLowerCase(), replacement);
        }
        continue;
      }
      if (bare === standIn) continue;
      const list = bare.lastIndexOf("/") > 0 ? plain : short;
      for (const folder of [bare, ...otherName(bare)]) {
        this.#learn(list, folder, standIn);
        this.#learn(list, encodeURI(folder), standIn);
        if (list === plain) {
          this.#learn(list, folder.replaceAll("/", "\\/"), standIn.replaceAll("/", "\\/"));
          this.#learn(keys, projectKey(folder), projectKey(standIn));
        }
      }
    }
    // A folder of the root is a common word: only where a path begins, and ends.
    const expressions = [
      anyOf(plain, "g"),
      anyOf(windows, "gi"),
      anyOf(short, "g", ["(?<![\\w.\\-])", "(?![\\w\\-])"]),
      anyOf(keys, "g", ["(?<!\\w)", ""]),
    ];
    this.#expressions = expressions.filter((expression) => expression !== undefined);
  }

  /** Replaces them in a text. */
  redact(text: TextPieces): void {
    for (const expression of this.#expressions) {
      text.replace(expression, ([found]) => this.#spellings.get(found) ?? this.#spellings.get(found.toLowerCase()));
    }
    for (const home of HOMES) {
      text.replace(
        home,
        ([, base = "", name = ""]) => NOBODY.has(name.toLowerCase()) ? undefined : base + this.#user(name),
      );
    }
  }

  /** First come, first served. */
  #learn(list: string[], spelling: string, replacement: string): void {
    if (this.#spellings.has(spelling)) return;
    this.#spellings.set(spelling, replacement);
    list.push(spelling);
  }

  #user(name: string): string {
    const key = name.toLowerCase();
    const standIn = this.#users.get(key) ?? `user${this.#users.size + 2}`;
    this.#users.set(key, standIn);
    return standIn;
  }
}

/** The name the CLI gives to the folder in which it keeps a project's transcripts (2.1.332). */
export function projectKey(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

/** macOS has two names for some folders. */
function otherName(path: string): string[] {
  if (path.startsWith("/private/")) return [path.slice("/private".length)];
  return /^\/(?:var|tmp|etc)\//.test(path) ? [`/private${path}`] : [];
}

function* windowsSpellings(path: string, standIn: string): Generator<[string, string]> {
  const back = path.replaceAll("/", "\\");
  const forward = path.replaceAll("\\", "/");
  const base = `C:${standIn}`;
  yield [back, base.replaceAll("/", "\\")];
  yield [back.replaceAll("\\", "\\\\"), base.replaceAll("/", "\\\\")];
  yield [back.replaceAll("\\", "\\\\\\\\"), base.replaceAll("/", "\\\\\\\\")];
  yield [forward, base];
  yield [encodeURI(forward), base];
  yield [`/${forward[0]}${forward.slice(2)}`, `/c${standIn}`];
  yield [`${WSL}/${forward[0]}${forward.slice(2)}`, `${WSL}/c${standIn}`];
  yield [projectKey(back), projectKey(base)];
}

/** An expression for a name as a word of its own. */
export function asWord(names: readonly string[]): RegExp | undefined {
  const list = names.filter((name) => name !== "").map(escapeExpression);
  return list.length === 0 ? undefined : new RegExp(`(?<![A-Za-z0-9])(?:${list.join("|")})(?![A-Za-z0-9])`, "gi");
}
