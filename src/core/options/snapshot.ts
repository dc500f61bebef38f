import { isJsonObject } from "../json.ts";
import { OPTION_TABLE, SHAPES } from "./option_table.ts";
import type { Options } from "./options.ts";

/**
 * Options as they are now. A start takes time, and reads them more than once: what a caller changes meanwhile, for the next
 * query say, must neither reach this one nor get past the checks. Lists and plain objects are copied at every depth; what lives
 * (controllers, stores, transports, servers of this program, instances of classes) is the very same.
 *
 * What is no object is given back as it is.
 */
export function snapshotOptions(options: Options): Options {
  if (!isJsonObject(options as unknown)) return options;
  const copier = new Copier();
  const result: Record<string, unknown> = {};
  for (const name of namesIn(options)) {
    define(result, name, copier.copy(options[name as keyof Options], MANNERS[name]));
  }
  copier.finish();
  return result as Options;
}

/** Its own, and of an object with a class or a prototype of its own those of options. */
function namesIn(options: Options): string[] {
  const own = Object.keys(options);
  if (isPlain(options)) return own;
  return [...new Set([...own, ...Object.keys(OPTION_TABLE).filter((name) => name in options)])];
}

/** How a value is copied that is not copied like all others. */
interface Manner {
  /** Not at all: what it is is not what is in it. */
  readonly living?: boolean;
  /** Also where it is not plain: `process.env` is not. */
  readonly always?: boolean;
  /** Its members. */
  readonly members?: Manners;
}

type Manners = Readonly<Record<string, Manner | undefined>>;

/** By name, and nothing but these: a name may be any. */
function manners(named: Record<string, Manner>): Manners {
  return Object.assign(Object.create(null), named);
}

const MANNERS: Manners = manners({
  abortController: { living: true },
  env: { always: true },
  sessionStore: { living: true },
  tether: {
    always: true,
    members: manners({ clock: { living: true }, extraEnv: { always: true }, transport: { living: true } }),
  },
});

/** Copies without the call stack: any depth may come, and is somebody else's to refuse. */
class Copier {
  /** Each object once, so that what is shared stays shared, and a circle ends. */
  readonly #copies = new Map<object, object>();
  readonly #open: (() => void)[] = [];

  /** The copy of a value; of an object, still empty until {@linkcode Copier.finish}. */
  copy(value: unknown, manner: Manner = {}): unknown {
    if (typeof value !== "object" || value === null || manner.living === true) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const list: unknown[] = new Array(value.length).fill(undefined);
      this.#copies.set(value, list);
      this.#open.push(() => {
        for (let index = 0; index < list.length; index++) list[index] = this.copy(value[index]);
      });
      return list;
    }
    if (!isPlain(value) && !(manner.always === true && SHAPES.object.fits(value))) return value;
    // A server of this program: its instance may be one that cannot be asked for yet.
    if ((value as { readonly type?: unknown }).type === "sdk") return value;
    const record: Record<string, unknown> = {};
    this.#copies.set(value, record);
    this.#open.push(() => {
      for (const [key, member] of Object.entries(value)) {
        define(record, key, this.copy(member, manner.members?.[key]));
      }
    });
    return record;
  }

  /** Fills what was begun. */
  finish(): void {
    for (let work = this.#open.pop(); work !== undefined; work = this.#open.pop()) work();
  }
}

/** No assignment: that would take `__proto__` for more than a name. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Made by braces, in this realm or another; no instance of a class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
