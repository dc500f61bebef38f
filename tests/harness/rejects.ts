import { assert } from "chai";

/** What a promise rejects with. Fails if it does not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("the promise resolved, it should have rejected");
}

/** Fails unless the promise rejects with an instance of the class; returns that. */
export async function rejectsWith<E>(
  promise: Promise<unknown>,
  // deno-lint-ignore no-explicit-any -- constructors differ in their arguments, which are none of our concern here
  kind: abstract new (...args: any[]) => E,
): Promise<E> {
  const error = await rejection(promise);
  assert.instanceOf(error, kind);
  return error as E;
}
