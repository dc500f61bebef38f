/**
 * Passes on why an optional peer could not be loaded. To be caught with right at the `import()`: that is how a bundler knows
 * that the package may be missing, and bundles a program that never needs it.
 */
export function missingPeer(cause: unknown): never {
  throw cause;
}
