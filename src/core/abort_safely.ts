/**
 * Aborts, and never throws. workerd lets the exception of a listener out of `abort()` and calls no further listener;
 * elsewhere it is an error that nobody caught. Here it is that everywhere, so that who aborts can go on with its work.
 *
 * @param tell Gets such an exception. Default: throws it where nobody can catch it.
 */
export function abortSafely(
  controller: Pick<AbortController, "abort">,
  reason: unknown,
  tell: (error: unknown) => void = throwLater,
): void {
  try {
    controller.abort(reason);
  } catch (error) {
    tell(error);
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
