/** Whether a version is at least another. What does not look like a version is not. */
export function atLeast(version: string, minimum: string): boolean {
  const numbers = (text: string) => (/^\d+(\.\d+)*/.exec(text)?.[0] ?? "").split(".").map(Number);
  const have = numbers(version);
  const need = numbers(minimum);
  if (Number.isNaN(have[0]) || version.trim() === "" || !/^\d/.test(version)) return false;
  for (let i = 0; i < Math.max(have.length, need.length); i++) {
    const difference = (have[i] ?? 0) - (need[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
