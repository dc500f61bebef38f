/** Counts how many bytes and characters the primitives look at that text is searched, cut, copied and parsed with. */

/** What was counted, by primitive. */
export type Visits = ReadonlyMap<string, number>;

type Method = (this: unknown, ...args: unknown[]) => unknown;

interface Watched {
  readonly name: string;
  readonly owner: object;
  /** How much one call looked at. */
  visited(self: unknown, args: readonly unknown[], result: unknown): number;
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const lengthOf = (value: unknown): number => (value as { length?: number } | undefined)?.length ?? 0;

/** From where a search starts to where it ends: at the end of the text if nothing is found. */
function forward(self: unknown, args: readonly unknown[], result: unknown): number {
  const from = typeof args[1] === "number" ? args[1] : 0;
  return (result === -1 ? lengthOf(self) : (result as number) + 1) - from;
}

function backward(self: unknown, _args: readonly unknown[], result: unknown): number {
  return result === -1 ? lengthOf(self) : lengthOf(self) - (result as number);
}

const WATCHED: readonly Watched[] = [
  { name: "decode", owner: TextDecoder.prototype, visited: (_, [bytes]) => lengthOf(bytes) },
  { name: "encode", owner: TextEncoder.prototype, visited: (_, [text]) => lengthOf(text) },
  { name: "indexOf", owner: String.prototype, visited: forward },
  { name: "lastIndexOf", owner: String.prototype, visited: backward },
  { name: "includes", owner: String.prototype, visited: lengthOf },
  { name: "split", owner: String.prototype, visited: lengthOf },
  { name: "trim", owner: String.prototype, visited: lengthOf },
  { name: "slice", owner: String.prototype, visited: (_self, _args, result) => lengthOf(result) },
  { name: "concat", owner: String.prototype, visited: (_self, _args, result) => lengthOf(result) },
  { name: "charCodeAt", owner: String.prototype, visited: () => 1 },
  { name: "indexOf", owner: typedArray, visited: forward },
  { name: "lastIndexOf", owner: typedArray, visited: backward },
  { name: "slice", owner: typedArray, visited: (_self, _args, result) => lengthOf(result) },
  { name: "set", owner: typedArray, visited: (_, [source]) => lengthOf(source) },
  { name: "join", owner: Array.prototype, visited: (_self, _args, result) => lengthOf(result) },
  { name: "parse", owner: JSON, visited: (_, [text]) => lengthOf(text) },
];

/** Counts while the work goes on; everything is as before afterwards. */
export function countVisits(work: () => void): Visits {
  const visits = new Map<string, number>();
  const undo: (() => void)[] = [];
  for (const { name, owner, visited } of WATCHED) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    if (descriptor === undefined) throw new Error(`${name} is not where it is looked for`);
    const real = descriptor.value as Method;
    const label = `${owner.constructor.name}.${name}`;
    const counting: Method = function (...args) {
      let result: unknown;
      try {
        result = real.apply(this, args);
      } finally {
        visits.set(label, (visits.get(label) ?? 0) + visited(this, args, result));
      }
      return result;
    };
    Object.defineProperty(owner, name, { ...descriptor, value: counting });
    undo.push(() => Object.defineProperty(owner, name, descriptor));
  }
  try {
    work();
  } finally {
    for (const restore of undo) restore();
  }
  return visits;
}

/** All of them together. */
export function totalVisits(visits: Visits): number {
  let total = 0;
  for (const count of visits.values()) total += count;
  return total;
}
