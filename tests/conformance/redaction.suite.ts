import { assert } from "chai";
import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json.ts";
import { RecordingError } from "../../src/testing/record/recording_error.ts";
import { Redactor, type RedactorSettings } from "../../src/testing/record/redactor.ts";
import { suite } from "../harness/suite.ts";
import { throwsWith } from "../harness/throws.ts";

const FOLDERS = [
  { path: "/home/alice", standIn: "/home/user" },
  { path: "/home/alice/acme", standIn: "/srv/project" },
  { path: "/var/folders/x1/T", standIn: "/tmp" },
  { path: "C:\\Users\\Alice Doe", standIn: "/home/user" },
  { path: "D:\\Code\\acme", standIn: "/srv/project" },
  { path: "/data", standIn: "/srv/data" },
];

function redactor(settings: Partial<RedactorSettings> = {}): Redactor {
  return new Redactor({ rules: true, folders: FOLDERS, users: ["alice"], hosts: ["alices-laptop"], ...settings });
}

const text = (given: string, settings?: Partial<RedactorSettings>): string => redactor(settings).text(given, "cli");
const frame = (given: JsonObject, settings?: Partial<RedactorSettings>): JsonObject =>
  redactor(settings).frame(given, "cli");

/** What must not be found afterwards, and how it may come. */
const PLANTED = [
  "sk-ant-api03-AbCdEf_0123456789",
  "ghp_0123456789abcdefABCDEF0123456789abcd",
  "AKIAABCDEFGHIJKLMNOP",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
  "the value of a variable",
  "/home/alice",
  "/home/alice/acme",
  "/var/folders/x1/T",
  "C:\\Users\\Alice Doe",
  "D:\\Code\\acme",
  "da581a1a-0d20-47d2-b4a0-043d8653f534",
  "toolu_01AbCdEfGhIjKlMnOpQrStUv",
  "msg_01AbCdEfGhIjKlMnOpQrStUv",
  "alice.doe@example.org",
  "alices-laptop",
] as const;
const SECRET_VALUES = ["the value of a variable"];

/** A text that holds it, apart from its neighbours. */
const around = fc.constantFrom("", " ", "(", '"', "x ", "/", " = ", "\n", "ü ");
const planted = fc.constantFrom(...PLANTED);
const holder = fc.tuple(around, planted, fc.constantFrom("", " ", ")", '"', ", y", "\n", "!")).map((parts) =>
  parts.join("")
);
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    holder,
    fc.string({ unit: "grapheme", maxLength: 8 }),
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom("type", "text", "content", "id", "session_id", "cwd", "input", "__proto__"), holder),
      tie("value"),
      { maxKeys: 5 },
    ),
  ),
})).value as fc.Arbitrary<JsonValue>;

function size(value: JsonValue | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + size(item), 1);
  return isJsonObject(value) ? Object.values(value).reduce<number>((sum, item) => sum + size(item), 1) : 1;
}

export default suite("redaction", (test) => {
  test("nothing that was planted is left, in whatever value or key it stood", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 6 }), json, { maxKeys: 6 }), (value) => {
        // As it comes from the wire: a key `__proto__` is one like others.
        const given = JSON.parse(JSON.stringify(value)) as JsonObject;
        const out = frame(given, { secrets: SECRET_VALUES });
        const written = JSON.stringify(out);
        for (const secret of PLANTED) {
          for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) {
            assert.isFalse(written.toLowerCase().includes(form.toLowerCase()), `${form} in ${written}`);
          }
        }
        assert.strictEqual(size(out), size(given), "something was lost");
        assert.strictEqual(JSON.stringify(frame(given, { secrets: SECRET_VALUES })), written, "not the same twice");
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  test("secrets are known by their shape, by the name they stand under, and by where they were seen", () => {
    const seen = redactor();
    const out = seen.frame({
      apiKey: "plain-secret-1",
      headers: { "X-Whatever": "plain-secret-2", Accept: "plain-secret-3" },
      env: { DB_PASSWORD: "plain-secret-4", EDITOR: "vim" },
      tokens: ["plain-secret-5"],
      apiKeySource: "ANTHROPIC_API_KEY",
      max_tokens: 5,
      text: "it said plain-secret-4, Bearer abc.def and x-api-key: qwertyuiop",
      pin_password: "12",
    }, "host");
    assert.deepEqual(out, {
      apiKey: "***",
      headers: { "X-Whatever": "***", Accept: "***" },
      env: { DB_PASSWORD: "***", EDITOR: "vim" },
      tokens: ["***"],
      apiKeySource: "ANTHROPIC_API_KEY",
      max_tokens: 5,
      text: "it said ***, Bearer *** and x-api-key: ***",
      pin_password: "***",
    });
    assert.strictEqual(seen.text("again plain-secret-1", "stderr"), "again ***");
  });

  test("folders become others that are paths too, in each spelling", () => {
    for (
      const [given, expected] of [
        ["/home/alice/acme/src/a.ts:3", "/srv/project/src/a.ts:3"],
        ["~ is /home/alice.", "~ is /home/user."],
        ["file:///home/alice/acme/x", "file:///srv/project/x"],
        ["/home/alice/.claude/projects/-home-alice-acme/x.jsonl", "/home/user/.claude/projects/-srv-project/x.jsonl"],
        ["/private/var/folders/x1/T/a", "/tmp/a"],
        ["C:\\Users\\Alice Doe\\x", "C:\\home\\user\\x"],
        ["c:/users/alice doe/x", "C:/home/user/x"],
        ['"C:\\\\Users\\\\Alice Doe\\\\x"', '"C:\\\\home\\\\user\\\\x"'],
        ["file:///C:/Users/Alice%20Doe/x", "file:///C:/home/user/x"],
        ["/d/Code/acme", "/c/srv/project"],
        ["D--Code-acme", "C--srv-project"],
        ["/home/bob/x and /home/bob/y, /Users/carol", "/home/user2/x and /home/user2/y, /Users/user3"],
        ["C:\\Users\\bob\\x", "C:\\Users\\user2\\x"],
        ["/data/x, /database, my/data", "/srv/data/x, /database, my/data"],
        ["/home/user/x", "/home/user/x"],
      ] as const
    ) assert.strictEqual(text(given), expected);
  });

  test("an id has one stand-in that looks like it, wherever it comes again", () => {
    const seen = redactor();
    const id = "da581a1a-0d20-47d2-b4a0-043d8653f534";
    assert.deepEqual(
      seen.frame({
        type: "control_request",
        text: "pqfeips6myj is asked, see tool_7x9k2m",
        request_id: "pqfeips6myj",
        session_id: id,
        request: { subtype: "can_use_tool", tool_use_id: "toolu_01AbCdEfGhIjKlMnOpQrStUv", callback_id: "hook_0" },
        [`file ${id.toUpperCase()}`]: 1,
        task_id: "tool_7x9k2m",
        still_queued: [id, "11111111-2222-4333-8444-555555555555"],
        message: { type: "message", id: "msg_fake55" },
        model_id: "claude-opus-5-5",
        event: { id: "tp1", type: "tool_use" },
        parent_tool_use_id: "tp1",
      }, "cli"),
      {
        type: "control_request",
        text: "00000000001 is asked, see tool_000001",
        request_id: "00000000001",
        session_id: "00000000-0000-4000-8000-000000000001",
        request: {
          subtype: "can_use_tool",
          tool_use_id: "toolu_000000000000000000000001",
          callback_id: "hook_0",
        },
        "file 00000000-0000-4000-8000-000000000001": 1,
        task_id: "tool_000001",
        still_queued: ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"],
        message: { type: "message", id: "msg_000001" },
        model_id: "claude-opus-5-5",
        event: { id: "0002", type: "tool_use" },
        parent_tool_use_id: "0002",
      },
    );
    assert.strictEqual(seen.text(`${id} of pqfeips6myj`, "cli"), "00000000-0000-4000-8000-000000000001 of 00000000001");
  });

  test("words of the protocol stay what they are, whatever people and ids are called", () => {
    const given = { type: "assistant", subtype: "assistants", role: "user", task_id: "assistant", name: "assistant" };
    const out = frame(given, { users: ["assistant", "user", "root"], hosts: ["localhost"] });
    assert.deepEqual([out.type, out.subtype, out.role], ["assistant", "assistants", "user"]);
    assert.strictEqual(
      text("root on localhost, user", { users: ["user", "root"], hosts: ["localhost"] }),
      "root on localhost, user",
    );
  });

  test("people, machines and addresses", () => {
    assert.strictEqual(
      text("Alice (alice@corp.example, bob@corp.example) on alices-laptop; malice aforethought; alice@corp.example"),
      "user (user@example.com, user2@example.com) on host; malice aforethought; user@example.com",
    );
    assert.strictEqual(text("cc-plugin@builtin, pkg@1.2.3"), "cc-plugin@builtin, pkg@1.2.3");
  });

  test("times and costs are kept unless they are not wanted", () => {
    const given = {
      timestamp: "2026-11-30T16:40:47.734Z",
      duration_ms: 20,
      total_cost_usd: 0.1,
      modelUsage: { opus: { costUSD: 0.1, inputTokens: 5 } },
      pid: 4711,
      text: "at 2026-11-30T16:40:47Z on 127.0.0.1:38975",
    };
    assert.deepEqual(frame(given), given);
    assert.deepEqual(frame(given, { normalize: true }), {
      timestamp: "2000-01-01T00:00:00.000Z",
      duration_ms: 0,
      total_cost_usd: 0,
      modelUsage: { opus: { costUSD: 0, inputTokens: 5 } },
      pid: 1,
      text: "at 2000-01-01T00:00:00.000Z on 127.0.0.1:1",
    });
    assert.strictEqual(frame(given, { normalize: { costs: true } }).duration_ms, 20);
  });

  test("a function of the user's sees what is left, and where it stands", () => {
    const seen: unknown[] = [];
    const out = frame({ a: { text: "mail bob@corp.example" }, list: [1, true, null] }, {
      redact: (value, context) => {
        seen.push([value, context.from, ...context.path]);
        return typeof value === "number" ? { was: "a number" } : value.toUpperCase();
      },
    });
    assert.deepEqual(out, { a: { text: "MAIL USER@EXAMPLE.COM" }, list: [{ was: "a number" }, true, null] });
    assert.deepEqual(seen, [["mail user@example.com", "cli", "a", "text"], [1, "cli", "list", 0]]);
    assert.deepEqual(
      frame({ text: "sk-ant-api03-AbCdEf_0123456789" }, { rules: false, redact: (value) => `${value}!` }),
      { text: "sk-ant-api03-AbCdEf_0123456789!" },
    );
  });

  test("one that throws or returns nothing is an error that does not say what it was given", () => {
    const secret = "sk-nothing-to-be-seen";
    for (
      const redact of [
        () => {
          throw new Error("no");
        },
        () => undefined as unknown as string,
      ]
    ) {
      const error = throwsWith(() => frame({ text: secret }, { redact }), RecordingError);
      assert.strictEqual(error.code, "redaction_failed");
      assert.notInclude(error.message, secret);
    }
    throwsWith(() => text("x", { redact: () => 5 }), RecordingError);
  });

  test("keys that look the same afterwards stay apart", () => {
    const out = frame({ "sk-ant-aaaaaaaaaa": 1, "sk-ant-bbbbbbbbbb": 2, "***": 3 });
    assert.deepEqual(out, { "***": 1, "*** (2)": 2, "*** (3)": 3 });
  });

  test("long texts take their time, not more", () => {
    for (const piece of ["a-", "ab", "KEY", "x@", "://", "eyJa.", "-home-"]) {
      const long = piece.repeat(200_000 / piece.length);
      assert.isAbove(text(long).length, 10);
    }
  }, { timeoutMs: 60_000 });
});
