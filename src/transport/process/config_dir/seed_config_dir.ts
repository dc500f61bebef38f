import type { DiagnosticListener } from "../../../core/diagnostics.ts";
import { pathRules } from "../../../core/paths.ts";
import type { FolderEntry, Platform, RuntimeFs } from "../../../core/runtime.ts";
import type { ConfigSource } from "./config_source.ts";
import { loginEnd, withoutPlugins, withoutRefreshTokens } from "./seed_contents.ts";

/** The CLI's own state: account, MCP servers of the user, trusted projects. */
const STATE_FILE = ".claude.json";
const CREDENTIALS = ".credentials.json";

/** Files that are copied, and what becomes of their contents; text beside them (`*.md`) is memory or imported by it. */
const FILES: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array | string>> = {
  [CREDENTIALS]: withoutRefreshTokens,
  // Where the CLI finds this one it takes it for its state.
  ".config.json": (bytes) => bytes,
  "settings.json": withoutPlugins,
  "cowork_settings.json": withoutPlugins,
};

/**
 * Folders that are copied with all that is in them. CLI 2.1.332 reads each of them; everything else there is history, cache
 * or what belongs to other sessions.
 */
const FOLDERS = ["agents", "commands", "output-styles", "rules", "skills", "workflows"];

/** What {@linkcode seedConfigDir} works with. */
export interface SeedContext {
  readonly fs: RuntimeFs;
  readonly platform: Platform;
  /** Told what could not be copied. */
  readonly onDiagnostic: DiagnosticListener;
  /** A login from elsewhere, taken instead of the file's. */
  readonly credentials?: Uint8Array | undefined;
  /** Milliseconds since 1970: a login may have run out. */
  readonly now: number;
  /** Asked before each file: true gives up, for nobody needs the rest. */
  stopped?(): boolean;
}

/**
 * Copies what makes a session the user's into a config directory that is there and empty: login (without its refresh token),
 * settings (without plugins), state, memory, agents, skills, commands, output styles, rules. Files get mode 600, programs and
 * folders 700. A link to a file is copied as that file, a link to a folder stays a link. What cannot be read, and
 * pipes and the like, are left out and told. The user's directory is only read. What has been copied when it is stopped stays.
 *
 * @throws what writing throws.
 */
export async function seedConfigDir(
  source: Pick<ConfigSource, "dir" | "stateFile">,
  target: string,
  context: SeedContext,
): Promise<void> {
  const { fs, now } = context;
  const copy = new Copy(context);
  const { join } = pathRules(context.platform);
  await copy.file(source.stateFile, join(target, STATE_FILE));
  for (const { name, kind } of await copy.entries(source.dir)) {
    const change = Object.hasOwn(FILES, name) ? FILES[name] : /\.md$/i.test(name) ? keep : undefined;
    const [from, to] = [join(source.dir, name), join(target, name)];
    if (change !== undefined && !(name === CREDENTIALS && context.credentials !== undefined)) {
      await copy.file(from, to, change);
    } else if (FOLDERS.includes(name) && kind !== "file") await copy.folder(from, to);
  }
  const credentials = join(target, CREDENTIALS);
  if (context.credentials !== undefined) {
    await fs.writeFile(credentials, withoutRefreshTokens(context.credentials), { mode: 0o600 });
  }
  const seeded = await fs.readFile(credentials);
  const end = seeded === undefined ? undefined : loginEnd(seeded);
  if (end !== undefined && end <= now) {
    copy.skip(join(source.dir, CREDENTIALS), "the login has run out, and a copy cannot renew it: start the CLI once");
  }
}

const keep = (bytes: Uint8Array): Uint8Array => bytes;

/** Copies files and folders, and tells what it leaves out. */
class Copy {
  readonly #context: SeedContext;

  constructor(context: SeedContext) {
    this.#context = context;
  }

  /** A folder's entries; none if it is not there or cannot be read. */
  async entries(folder: string): Promise<readonly FolderEntry[]> {
    const { fs } = this.#context;
    const entries = await fs.readDir(folder);
    if (entries !== undefined) return entries;
    if (await fs.stat(folder) !== undefined) this.skip(folder, "the host cannot read it");
    else this.#garbled(folder);
    return [];
  }

  /** A file, or what a link to one points to. Nothing if there is none. */
  async file(from: string, to: string, change: (bytes: Uint8Array) => Uint8Array | string = keep): Promise<void> {
    const { fs } = this.#context;
    if (this.#stopped) return;
    const facts = await fs.stat(from);
    if (facts === undefined) return this.#garbled(from);
    if (facts.kind === "directory" || facts.kind === "other") return this.skip(from, "it is no file");
    let bytes: Uint8Array | undefined;
    try {
      bytes = await fs.readFile(from);
    } catch (error) {
      // A disk that fails, a file of gigabytes: the session can do without it.
      return this.skip(from, `it cannot be read (${error instanceof Error ? error.message : error})`);
    }
    if (bytes === undefined) return this.skip(from, "the host cannot read it");
    await fs.writeFile(to, change(bytes), { mode: facts.executable ? 0o700 : 0o600 });
  }

  /** A folder, or what a link to one points to, with all that is in it. */
  async folder(from: string, to: string): Promise<void> {
    const { fs, platform } = this.#context;
    const { join } = pathRules(platform);
    if (this.#stopped) return;
    await fs.makeDir(to, { mode: 0o700 });
    for (const { name, kind } of await this.entries(from)) {
      const [source, target] = [join(from, name), join(to, name)];
      if (kind === "directory") await this.folder(source, target);
      else if (kind === "link") await this.#link(source, target);
      else await this.file(source, target);
    }
  }

  skip(path: string, reason: string): void {
    this.#context.onDiagnostic({ kind: "config_not_seeded", path, reason });
  }

  get #stopped(): boolean {
    return this.#context.stopped?.() === true;
  }

  /** A name that is no UTF-8 is listed as one that is not there. */
  #garbled(path: string): void {
    if (path.includes("\ufffd")) this.skip(path, "its name is no UTF-8");
  }

  /** A link inside a folder. One to a folder is not followed: it may lead anywhere, the disk's root included. */
  async #link(from: string, to: string): Promise<void> {
    const { fs } = this.#context;
    const target = await fs.realPath(from);
    if (target === undefined) return this.skip(from, "the link leads nowhere, or the host may not follow it");
    if ((await fs.stat(target))?.kind !== "directory") return await this.file(target, to);
    try {
      await fs.linkDir(target, to);
    } catch (error) {
      this.skip(from, `a link to a folder cannot be made here (${error instanceof Error ? error.message : error})`);
    }
  }
}
