/**
 * Records the conversations of tests/fixtures/recordings with the pinned CLI on a scripted model, one file each. Run it when
 * the pinned CLI changes: `deno run -A scripts/record_fixtures.ts [name …]`.
 */

import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeRecording, type RecordedEntry, recordFrames, scriptedModel } from "../src/testing/mod.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../src/core/json.ts";
import { pinnedCli } from "../tests/e2e/real_cli.ts";
import { CONVERSATIONS } from "../tests/fixtures/recordings/conversations.ts";
import { ROOT } from "./root.ts";

/** Lists of everything the CLI offers, the same in each recording: two of each tell their shape. */
const CATALOGUES = new Set([
  "commands",
  "agents",
  "models",
  "available_output_styles",
  "slash_commands",
  "terminal_slash_commands",
  "tools",
  "skills",
  "plugins",
  "capabilities",
]);

function shorten(value: JsonValue, key = ""): JsonValue {
  if (Array.isArray(value)) {
    const items = CATALOGUES.has(key) && !value.some((item) => isJsonObject(item) && "inputSchema" in item)
      ? value.slice(0, 2)
      : value;
    return items.map((item) => shorten(item));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member!, name)]));
}

function shortEntry(entry: RecordedEntry): RecordedEntry {
  if (entry.kind !== "received" || entry.frame === undefined) return entry;
  return { ...entry, frame: shorten(entry.frame) as JsonObject };
}

for (const name of Deno.args.length > 0 ? Deno.args : Object.keys(CONVERSATIONS)) {
  const conversation = CONVERSATIONS[name];
  if (conversation === undefined) throw new Error(`There is no conversation "${name}"`);
  const root = await realpath(await mkdtemp(join(tmpdir(), "tether-record-")));
  const cwd = join(root, "project");
  await mkdir(cwd);
  const model = await scriptedModel(conversation.script);
  const recorder = recordFrames({ redaction: { normalize: true } });
  try {
    const messages = await conversation.host(recorder.options({
      cwd,
      pathToClaudeCodeExecutable: pinnedCli().path,
      env: { ...model.env(root), ...conversation.env },
    })).catch((error: Error) => [error.name]);
    const recording = await recorder.recording();
    const entries = recording.entries.map(shortEntry);
    const file = join(ROOT, "tests", "fixtures", "recordings", `${name}.jsonl`);
    await Deno.writeTextFile(file, encodeRecording({ header: recording.header, entries }));
    console.log(`${name}: ${entries.length} entries, ${messages.length} messages, CLI ${recording.cliVersion}`);
  } finally {
    await model.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
