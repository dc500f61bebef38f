/** What a callback of somebody's may return: anything at all, and what is made to be hard to look at. */

import fc from "fast-check";

const allow = { behavior: "allow" };
const verdict = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } };

/** Values that cannot be told by what they print as, by name. */
const NAMED: Readonly<Record<string, () => unknown>> = {
  "a getter that throws": () =>
    Object.defineProperty({ ...allow }, "updatedInput", { enumerable: true, get: () => failWith("getter") }),
  "a toJSON that throws": () => ({ ...allow, toJSON: () => failWith("toJSON") }),
  "a toJSON that gives nothing": () => ({ ...allow, toJSON: () => undefined }),
  "a toJSON that gives something else": () => ({ behavior: "deny", toJSON: () => allow }),
  "a cycle": () => {
    const cycle: Record<string, unknown> = { ...allow };
    cycle.self = cycle;
    return cycle;
  },
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a proxy that throws": () => new Proxy({}, { get: () => failWith("proxy"), ownKeys: () => failWith("proxy") }),
  "a thenable that throws": () => ({ then: () => failWith("thenable") }),
  "a thenable that gives an allow": () => ({ then: (resolve: (value: unknown) => void) => resolve(allow) }),
  "an allow of a class": () =>
    new (class {
      get behavior(): string {
        return "allow";
      }
    })(),
  "an inherited allow": () => Object.create(allow),
  "an allow with a function": () => ({ ...allow, updatedInput: { f: () => {} } }),
  "an allow with a big number": () => ({ ...allow, updatedInput: { n: 5n } }),
  "an allow without a number": () => ({ ...allow, updatedInput: { n: NaN } }),
  "an allow with half a character": () => ({ ...allow, updatedInput: { "\ud83d": "\ude00" } }),
  "an allow and rubbish": () => ({ ...allow, updatedPermissions: [{ type: "addRules" }, 5, null] }),
  "an allow in a list": () => [allow],
  "an allow as text": () => JSON.stringify(allow),
  "an error": () => new Error("returned"),
  "too deep": () => {
    let deep: Record<string, unknown> = { ...allow };
    for (let level = 0; level < 20_000; level++) deep = { ...allow, updatedInput: deep };
    return deep;
  },
  "a verdict": () => structuredClone(verdict),
  "a verdict in the wrong place": () => ({ permissionDecision: "allow" }),
  "a verdict of another event": () => ({
    hookSpecificOutput: { ...verdict.hookSpecificOutput, hookEventName: "Stop" },
  }),
  "an inherited verdict": () => Object.create(verdict),
  "a verdict with a function": () => ({
    hookSpecificOutput: { ...verdict.hookSpecificOutput, updatedInput: () => {} },
  }),
  "a verdict and async": () => ({ ...verdict, async: true }),
  "a promise in a promise": () => Promise.resolve(Promise.resolve(allow)),
};

/** A value as it can be printed. */
export type Hostile = { readonly named: string } | { readonly value: unknown };

/** Any value. */
export const hostile: fc.Arbitrary<Hostile> = fc.oneof(
  fc.constantFrom(...Object.keys(NAMED)).map((named) => ({ named })),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }).map((
    value,
  ) => (
    { value }
  )),
  // Half right: the words are there.
  fc.dictionary(
    fc.constantFrom(
      "behavior",
      "updatedInput",
      "message",
      "interrupt",
      "updatedPermissions",
      "action",
      "content",
      "decision",
      "continue",
      "hookSpecificOutput",
      "async",
      "result",
    ),
    fc.oneof(
      fc.constantFrom<unknown>("allow", "deny", "accept", "completed", "block", "approve", true, undefined, null),
      fc.jsonValue({ maxDepth: 1 }),
      fc.record({ permissionDecision: fc.constantFrom("allow", "deny", "ask", 5) }),
    ),
    { maxKeys: 4 },
  ).map((value) => ({ value })),
);

/** Makes the value. */
export function hostileValue(hostile: Hostile): unknown {
  return "named" in hostile ? NAMED[hostile.named]!() : hostile.value;
}

/** What reading one field gives; undefined where that throws. */
export function fieldOf(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

function failWith(text: string): never {
  throw new Error(text);
}
