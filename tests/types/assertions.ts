/** Statements about types. A file that makes them is checked, never run. */

/** `true` if two types are the same, `any` included. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

/** `true` for `any` alone. */
export type IsAny<T> = 0 extends 1 & T ? true : false;

/** `true` if a value of the first type can stand where one of the second is wanted. */
export type Fits<A, B> = [A] extends [B] ? true : false;

/** Fails to compile unless it is given `true`. */
export type Holds<T extends true> = T;

/** Fails to compile unless it is given `false`. */
export type Fails<T extends false> = T;
