import { assert } from "chai";

/** Fails unless the work throws an instance of the class; returns that. */
export function throwsWith<E>(
  work: () => void,
  // deno-lint-ignore no-explicit-any -- constructors differ in their arguments, which are none of our concern here
  kind: abstract new (...args: any[]) => E,
): E {
  try {
    work();
  } catch (error) {
    assert.instanceOf(error, kind);
    return error as E;
  }
  throw new Error("it returned, it should have thrown");
}
