import type { Clock } from "../../core/clock.ts";
import type { ChildHandle } from "../../core/runtime.ts";

const LOOK_MS = 20;
/** After SIGKILL only what waits to be reaped by somebody else can still be seen. */
const LAST_LOOKS = 10;

/**
 * After a child had to be signalled: sees to it that what it left in its group goes too. Its members got the same SIGTERM as the
 * child; those still there after `termMs` get SIGKILL. Looks at the group without a gap, for its number is only ours as long
 * as it is seen alive. Resolves when the group is gone, or holds nothing but zombies.
 */
export async function sweepGroup(
  child: Pick<ChildHandle, "groupAlive" | "killGroup">,
  termMs: number,
  clock: Clock,
): Promise<void> {
  const killAt = clock.now() + termMs;
  while (child.groupAlive()) {
    if (clock.now() < killAt) {
      await pause(clock);
      continue;
    }
    child.killGroup("SIGKILL");
    for (let look = 0; look < LAST_LOOKS && child.groupAlive(); look++) await pause(clock);
    return;
  }
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.after(LOOK_MS, resolve));
}
