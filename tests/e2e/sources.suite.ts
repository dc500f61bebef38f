/** What a session of the real CLI is made of: the environment, settings from several sources, agents, earlier conversations. */

import { assert } from "chai";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Options, ProcessError, type SDKMessage } from "../../mod.ts";
import { turn } from "../../src/testing/mod.ts";
import { rejectsWith } from "../harness/rejects.ts";
import { suite, type TestContext } from "../harness/suite.ts";
import { cliEnvFor } from "./real_cli.ts";
import { Scene, texts, userMessage } from "./real_query.ts";

type Init = Extract<SDKMessage, { type: "system"; subtype: "init" }>;

const AGENT = "---\nname: NAME\ndescription: looks around\n---\nLook.";

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A session in a project and a home that each have settings, a command and an agent; it prints one variable. */
async function session(t: TestContext, options: Options) {
  const scene = await Scene.start(t, {
    script: [turn.toolUse("Bash", { command: "printenv SHADE", description: "d" }), turn.text("done")],
    prompt: "go",
    options: ({ folders, model }) => {
      write(join(folders.configDir, "settings.json"), JSON.stringify({ env: { SHADE: "of the settings" } }));
      write(join(folders.configDir, "commands", "mine.md"), "Do it.");
      write(join(folders.cwd, ".claude", "commands", "ours.md"), "Do it.");
      write(join(folders.cwd, ".claude", "agents", "ranger.md"), AGENT.replace("NAME", "ranger"));
      const env = cliEnvFor(model, folders, { SHADE: "of the options", CLAUDE_AGENT_SDK_CLIENT_APP: "knitter/1.2" });
      return { allowedTools: ["Bash"], env, ...options };
    },
  });
  await scene.drain();
  const init = scene.messages[0] as Init;
  assert.deepEqual(texts(scene.messages), ["done"]);
  return {
    shade: scene.toolOutput(1),
    commands: init.slash_commands.filter((name) => name === "mine" || name === "ours"),
    agents: init.agents?.filter((name) => name === "knitter" || name === "ranger"),
    userAgent: scene.model.requests[0]?.headers["user-agent"],
  };
}

export default suite("sources of a session", (test) => {
  test("settings count where they are a source, env where not; agents come from options and project (C08 C09 N18 N19)", async (t) => {
    const agents = { knitter: { description: "knits", prompt: "Knit." } };
    const [none, user, both] = await Promise.all([
      session(t, { settingSources: [], agents }),
      session(t, { settingSources: ["user"] }),
      session(t, { settingSources: ["user", "project"], agents }),
    ]);
    assert.deepInclude(none, { shade: "of the options", commands: [], agents: ["knitter"] });
    assert.deepInclude(user, { shade: "of the settings", commands: ["mine"], agents: [] });
    assert.strictEqual(both.shade, "of the settings");
    assert.sameMembers(both.commands, ["mine", "ours"]);
    assert.sameMembers([...both.agents ?? []], ["knitter", "ranger"]);
    assert.include(none.userAgent, "knitter/1.2");
  });

  test(
    "a resume that drops a turn forks and leaves its source alone; one that would drop another is refused (N22 N23)",
    async (t) => {
      const lines = ["FIRST", "SECOND"].map((text) => ({ ...userMessage(text), uuid: crypto.randomUUID() }));
      const source = await Scene.start(t, {
        script: [turn.text("one"), turn.text("two")],
        prompt: async function* () {
          for (const line of lines) yield line;
        },
      });
      await source.drain();
      const { session_id: resume } = source.results()[0]!;
      const kept = source.messages.find((message) => message.type === "assistant")?.uuid;
      const files = (): Record<string, string> => transcripts(source);
      const before = files();
      const again = (options: Options, script = [turn.text("three")]) =>
        Scene.start(t, {
          script,
          prompt: "THIRD",
          options: ({ model }) => {
            const { cwd } = source.folders;
            return { cwd, env: cliEnvFor(model, source.folders), forkSession: true, ...options };
          },
        });

      const wrong = await again({ resume, resumeSessionAt: kept!, resumeDropsTurn: crypto.randomUUID() }, []);
      assert.match(String(await rejectsWith(wrong.drain(), ProcessError)), /Resume rejected by --resume-drops-turn/);
      assert.isEmpty(wrong.model.requests);
      assert.deepEqual(files(), before, "nothing was written");

      const right = await again({ resume, resumeSessionAt: kept!, resumeDropsTurn: lines[1]!.uuid });
      await right.drain();
      const sent = JSON.stringify(right.model.requests[0]?.messages);
      assert.deepEqual(["FIRST", "one", "SECOND", "two", "THIRD"].filter((word) => sent.includes(word)), [
        "FIRST",
        "one",
        "THIRD",
      ]);
      const { session_id: fork } = right.results()[0]!;
      assert.notStrictEqual(fork, resume);
      const { [fork]: forked, ...others } = files();
      assert.include(forked, "THIRD");
      assert.deepEqual(others, before, "the source is as it was");

      const unknown = crypto.randomUUID();
      const nobody = await again({ resume: unknown }, []);
      const error = await rejectsWith(nobody.drain(), ProcessError);
      assert.include(error.message, `No conversation found with session ID: ${unknown}`);
      assert.isEmpty(nobody.model.requests);
    },
    { timeoutMs: 60_000 },
  );
});

/** What the CLI has saved, by session. */
function transcripts({ folders }: Scene): Record<string, string> {
  const projects = join(folders.configDir, "projects");
  const names = (readdirSync(projects, { recursive: true }) as string[]).filter((name) => name.endsWith(".jsonl"));
  return Object.fromEntries(
    names.map((name) => [basename(name, ".jsonl"), readFileSync(join(projects, name), "utf8")]),
  );
}
