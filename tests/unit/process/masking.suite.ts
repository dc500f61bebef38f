import { assert } from "chai";
import fc from "fast-check";
import { maskArgv } from "../../../src/transport/process/mask_argv.ts";
import { MASK, maskSecrets, secretsOf } from "../../../src/transport/process/mask_secrets.ts";
import { StderrTail } from "../../../src/transport/process/stderr_tail.ts";
import { suite } from "../../harness/suite.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function tail(limit: number, env: Record<string, string>, ...chunks: string[]): string {
  const kept = new StderrTail(limit, env);
  for (const chunk of chunks) kept.push(encode(chunk));
  return kept.text();
}

export default suite("masking", (test) => {
  test("keys, bearer tokens, assignments and passwords in URLs are masked whoever set them", () => {
    for (
      const [text, masked] of [
        ["key sk-ant-api03-abc_DEF-123 refused", `key ${MASK} refused`],
        ["sk-proj-0123456789abcdef", MASK],
        ["Authorization: Bearer abc.def-ghi/=", `Authorization: Bearer ${MASK}`],
        ["ANTHROPIC_API_KEY=sk-ant-x12345678 bad", `ANTHROPIC_API_KEY=${MASK} bad`],
        ['MY_SECRET="hunter2222"', `MY_SECRET="${MASK}"`],
        ['{"apiKey":"abcdef123"}', `{"apiKey":"${MASK}"}`],
        ["https://bob:hunter2@proxy.local:80/x", `https://bob:${MASK}@proxy.local:80/x`],
        ["max_tokens: 4096 at line 7", "max_tokens: 4096 at line 7"],
        ["Invalid API key, please run login", "Invalid API key, please run login"],
        ["task-skipped-because-sk-1", "task-skipped-because-sk-1"],
      ] as const
    ) assert.strictEqual(maskSecrets(text, []), masked);
  });

  test("values of variables with telling names are masked in every form in which they may be printed", () => {
    const secrets = secretsOf({
      GH_TOKEN: "ghp_value1",
      DB_PASSWORD: 'pa"ss\\word',
      PRIVATE_KEY: "-----BEGIN\nline-of-key\r\n-----END",
      ANTHROPIC_CUSTOM_HEADERS: "X-Auth: header-value\nX-Other: other-value",
      AWS_CREDENTIALS: "cred-value",
      HOME: "/home/someone",
      GIT_AUTHOR_NAME: "Somebody",
      KEY_COUNT: "12345",
      TOKENS_ENABLED: "true",
      SHORT_KEY: "abc",
    });
    const text = 'ghp_value1 pa"ss\\word pa\\"ss\\\\word line-of-key header-value X-Auth: header-value other-value ' +
      "cred-value /home/someone Somebody 12345 true abc";
    assert.strictEqual(
      maskSecrets(text, secrets),
      `${MASK} ${MASK} ${MASK} ${MASK} ${MASK} ${MASK} ${MASK} ${MASK} /home/someone Somebody 12345 true abc`,
    );
  });

  test("no part of a secret survives, wherever the tail is cut and however the chunks fall", () => {
    const secret = "s3cr3t-ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 300 }),
        (limit, before, chunk, after) => {
          const text = `${"x".repeat(before)} ${secret} ${secret}${"é".repeat(after)}`;
          const kept = new StderrTail(limit, { APP_SECRET: secret });
          const bytes = encode(text);
          for (let at = 0; at < bytes.length; at += chunk) kept.push(bytes.slice(at, at + chunk));
          const shown = kept.text();
          assert.isAtMost(encode(shown).length, limit);
          for (let size = 4; size <= secret.length; size += 4) assert.notInclude(shown, secret.slice(-size));
          assert.notInclude(shown, "\ufffd");
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });

  test("a secret longer than the limit does not show its end", () => {
    const secret = "k".repeat(3_000) + "-the-end";
    assert.strictEqual(tail(64, { API_KEY: secret }, secret), MASK);
    assert.strictEqual(tail(64, { API_KEY: secret }, "y".repeat(99_999), secret), MASK);
    assert.notInclude(tail(64, { API_KEY: secret }, secret, "y".repeat(60)), "end");
  });

  test("the tail is the last bytes, whole characters, colours and title sequences taken out", () => {
    assert.strictEqual(tail(5, {}, "abc", "defgh"), "defgh");
    assert.strictEqual(tail(4, {}, "aéé"), "éé");
    assert.strictEqual(tail(3, {}, "aéé"), "é");
    assert.strictEqual(tail(100, {}, "\u001b[1;31mred\u001b[0m \u001b]0;title\u0007plain\n"), "red plain");
    assert.strictEqual(tail(100, {}), "");
    // A colour inside a secret does not save it.
    assert.strictEqual(tail(100, { A_TOKEN: "abcdefgh" }, "abcd\u001b[0mefgh"), MASK);
  });

  test("memory stays bounded: what is far from the end is let go", () => {
    const kept = new StderrTail(1_000, {});
    const chunk = encode("z".repeat(100_000));
    for (let index = 0; index < 50; index++) kept.push(chunk);
    kept.push(encode("end"));
    assert.strictEqual(kept.text(), "z".repeat(997) + "end");
  });

  test("a command line shows its flags, and values only of flags that say nothing private", () => {
    assert.deepEqual(
      maskArgv("/opt/claude", [
        "--output-format=stream-json",
        "--verbose",
        "--model=claude-x",
        "--mcp-config",
        '{"a":"secret"}',
        "--permission-mode",
        "plan",
        "--settings={}",
        "a prompt --not-a-flag",
        "-v",
        "--odd flag=value",
      ]),
      [
        "/opt/claude",
        "--output-format=stream-json",
        "--verbose",
        `--model=${MASK}`,
        "--mcp-config",
        MASK,
        "--permission-mode",
        "plan",
        `--settings=${MASK}`,
        MASK,
        "-v",
        MASK,
      ],
    );
  });
});
