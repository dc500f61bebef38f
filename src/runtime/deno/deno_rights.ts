/**
 * Whether this program has a right. Asked before anything is tried: on a terminal, trying would prompt the user.
 *
 * The right without limits is asked for first. Deno keeps each answer for good, by what it was asked about (some 400 bytes,
 * 2.9.6), and pids of children and names of temporary folders are new with each query.
 */
export function granted(permission: Deno.PermissionDescriptor): boolean {
  const whole = Deno.permissions.querySync({ name: permission.name } as Deno.PermissionDescriptor);
  // One with exceptions says nothing of this path.
  if (whole.state === "granted" && !whole.partial) return true;
  return Deno.permissions.querySync(permission).state === "granted";
}
