/**
 * Some members of a list, each as likely as any other, in no order. All of it if there are no more.
 *
 * For looks that must stay short: the first ones would be the same every time, and what comes behind them never seen.
 */
export function someOf<T>(list: readonly T[], most: number): T[] {
  const rest = [...list];
  const some: T[] = [];
  while (some.length < most && rest.length > 0) {
    const at = Math.floor(Math.random() * rest.length);
    some.push(rest[at]!);
    rest[at] = rest.at(-1)!;
    rest.pop();
  }
  return some;
}
