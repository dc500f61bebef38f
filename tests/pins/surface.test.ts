/** That every name of the official SDK is there, or its absence is a deliberate difference. */

import { assert } from "chai";
import { ROOT } from "../../scripts/root.ts";
import { runCommand } from "../../scripts/run_command.ts";
import { namesLeftOut } from "../harness/differences_table.ts";
import { OFFICIAL_SURFACE } from "./official_surface.ts";

/** What each kind of theirs may be with us: a type may be written as any kind of type. */
const OUR_KINDS: Readonly<Record<keyof typeof OFFICIAL_SURFACE.exports, readonly string[]>> = {
  function: ["function"],
  class: ["class"],
  const: ["variable"],
  type: ["interface", "typeAlias", "class"],
  interface: ["interface", "typeAlias", "class"],
};

/** What is read of `deno doc --json`. */
interface Documentation {
  readonly nodes: Readonly<
    Record<string, { readonly symbols: readonly { name: string; declarations: readonly { kind: string }[] }[] }>
  >;
}

async function exportedKinds(): Promise<Map<string, Set<string>>> {
  const result = await runCommand(Deno.execPath(), ["doc", "--json", "mod.ts"], { cwd: ROOT, stdoutOnly: true });
  assert.strictEqual(result.code, 0, result.stderr);
  const kinds = new Map<string, Set<string>>();
  for (const { symbols } of Object.values((JSON.parse(result.output) as Documentation).nodes)) {
    for (const { name, declarations } of symbols) {
      kinds.set(name, new Set([...kinds.get(name) ?? [], ...declarations.map(({ kind }) => kind)]));
    }
  }
  return kinds;
}

Deno.test("the list of the official surface is whole", () => {
  const { exports: byKind } = OFFICIAL_SURFACE;
  const names = Object.values(byKind).flat();
  assert.strictEqual(new Set(names).size, names.length);
  assert.deepEqual(
    Object.fromEntries(Object.entries(byKind).map(([kind, list]) => [kind, list.length])),
    { function: 21, class: 2, type: 228, const: 9, interface: 8 },
  );
  const lists = Object.entries(OFFICIAL_SURFACE).filter(([, list]) => Array.isArray(list));
  assert.deepEqual(
    Object.fromEntries(lists.map(([name, list]) => [name, new Set(list as readonly string[]).size])),
    {
      options: 70,
      queryMethods: 33,
      sessionStore: 6,
      transport: 8,
      messages: 40,
      hookEvents: 34,
      exitReasons: 5,
      builtinToolNames: 54,
      settingsKeys: 185,
      warmQuery: 2,
      spareProcess: 4,
    },
  );
});

Deno.test("each of its 268 names is exported under the same kind, or is a row of docs/differences.md", async () => {
  const ours = await exportedKinds();
  const absent = namesLeftOut();
  const faults: string[] = [];
  let names = 0;
  for (const [kind, list] of Object.entries(OFFICIAL_SURFACE.exports)) {
    for (const name of list) {
      names++;
      const kinds = ours.get(name);
      if (kinds === undefined) {
        if (!absent.has(name)) faults.push(`${name} (${kind}) is neither exported nor in the table`);
      } else if (absent.has(name)) faults.push(`${name} is exported, and the table says it is not`);
      else if (!OUR_KINDS[kind as keyof typeof OUR_KINDS].some((wanted) => kinds.has(wanted))) {
        faults.push(`${name} is a ${kind} there, and ${[...kinds].join()} here`);
      }
    }
  }
  assert.strictEqual(faults.join("\n"), "");
  assert.strictEqual(names, 268);
});
