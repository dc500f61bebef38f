/** The demo's other ways: the user's own CLI, and a conversation in which nothing of ours was called. */
import { assert } from "chai";
import { join } from "node:path";
import { ROOT } from "../../scripts/root.ts";

/** A CLI that answers at once and calls nothing. */
const OWN_CLI = String.raw`#!/bin/sh
while IFS= read -r line; do
  case "$line" in
    *'"subtype":"initialize"'*)
      id=$(printf '%s' "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/')
      echo '{"type":"control_response","response":{"subtype":"success","request_id":"'"$id"'","response":{"claude_code_version":"2.1.332"}}}'
      ;;
    *'"type":"user"'*)
      echo '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"the own CLI"}]}}'
      echo '{"type":"result","subtype":"success","is_error":false,"result":"","num_turns":1}'
      ;;
  esac
done
`;

Deno.test("--live runs the CLI on PATH; hook, permission and tool that were not called are named, with code 1", async () => {
  const home = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(home, "claude"), OWN_CLI, { mode: 0o755 });
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", join(ROOT, "examples/demo/main.ts"), "--live"],
      env: { HOME: home, PATH: `${home}:${Deno.env.get("PATH")}`, NO_COLOR: "1" },
    }).output();
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    assert.include(text(stdout), "the own CLI");
    assert.include(text(stderr), "Not called: hook, permission, tool");
    assert.strictEqual(code, 1);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
