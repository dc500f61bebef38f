/** Does each, whatever becomes of those before it. @throws what the first that threw has thrown. */
export function inAnyCase(works: readonly (() => unknown)[]): void {
  let failure: { readonly error: unknown } | undefined;
  for (const work of works) {
    try {
      work();
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
}
