/** That every kind of diagnostic is there for a reason: said somewhere, seen by a suite, told to users. */

import { assert } from "chai";
import { join } from "node:path";
import { listFiles } from "../../scripts/list_files.ts";
import { ROOT } from "../../scripts/root.ts";
import type { DiagnosticKind } from "../../src/core/diagnostics.ts";

/** Every kind; one that is missing here does not compile. */
const KINDS: Readonly<Record<DiagnosticKind, true>> = {
  answer_unmatched: true,
  background_ceiling: true,
  callback_failed: true,
  config_not_seeded: true,
  consumer_stalled: true,
  folder_not_removed: true,
  line_skipped: true,
  option_warning: true,
  orphan_guard_off: true,
  process_exited: true,
  process_forced: true,
  record_broken: true,
  request_failed: true,
  tracing_failed: true,
  transport_stuck: true,
  version_untested: true,
};

async function texts(pattern: RegExp): Promise<string[]> {
  const files = (await listFiles()).filter((file) => pattern.test(file));
  assert.isNotEmpty(files);
  return await Promise.all(files.map((file) => Deno.readTextFile(join(ROOT, file))));
}

Deno.test("every kind of diagnostic is emitted, and asserted by a suite", async () => {
  const sources = await texts(/^src\/(?!core\/diagnostics\.ts$).*\.ts$/);
  const suites = await texts(/^tests\/.*\.suite\.ts$/);
  const unsaid = Object.keys(KINDS).filter((kind) => !sources.some((text) => text.includes(`kind: "${kind}"`)));
  const unseen = Object.keys(KINDS).filter((kind) => !suites.some((text) => text.includes(`"${kind}"`)));
  assert.deepEqual({ unsaid, unseen }, { unsaid: [], unseen: [] });
});

Deno.test("the guide lists the kinds of diagnostics, each with its fields", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs/guide/diagnostics_and_tracing.md"));
  const source = await Deno.readTextFile(join(ROOT, "src/core/diagnostics.ts"));
  const table = page.slice(page.indexOf("| kind | when | fields |"), page.indexOf("## Tracing"));
  const rows = [...table.matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)];
  assert.sameMembers(rows.map(([, kind]) => kind), Object.keys(KINDS));
  for (const [, kind, fields] of rows) {
    const arm = source.slice(source.indexOf(`kind: "${kind}"`)).split("}")[0]!;
    const wanted = [...arm.matchAll(/readonly (\w+):/g)].map((match) => match[1]);
    assert.sameMembers([...fields!.matchAll(/`(\w+)`/g)].map((match) => match[1]), wanted, kind);
  }
});
