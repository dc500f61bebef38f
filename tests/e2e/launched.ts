/** A launch plan carried out by hand on the real CLI, so that its state can be asked for by any request. */
import { assert } from "chai";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { awaitsInitialize, buildInitialize } from "../../src/client/initialize.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { type Options, validateOptions } from "../../src/core/options/mod.ts";
import { type ScriptedModel, scriptedModel, turn } from "../../src/testing/mod.ts";
import {
  buildArguments,
  type LaunchContext,
  type LaunchPlan,
  withFilePaths,
} from "../../src/transport/process/arguments.ts";
import type { TestContext } from "../harness/suite.ts";
import { type CliRun, makeCliHome, startCli } from "./real_cli.ts";

/** A CLI whose package says its version. */
export const KNOWN: LaunchContext = { platform: "linux", cliVersion: "2.1.332" };
/** One whose version nobody knows before it runs. */
export const UNKNOWN: LaunchContext = { platform: "linux" };

/** A CLI that was started as options say, and has said one word. */
export interface Launched {
  readonly cli: CliRun;
  readonly model: ScriptedModel;
  readonly plan: LaunchPlan;
  readonly answer: JsonObject;
}

/** Starts the CLI as the options say, initializes it, and lets it say one word. */
export async function launch(t: TestContext, options: Options, context = KNOWN): Promise<Launched> {
  validateOptions(options);
  const folders = await makeCliHome(t);
  // A structured answer is a call of a tool.
  const structured = options.outputFormat === undefined ? [] : [turn.toolUse("StructuredOutput", { a: 5 })];
  const model = await scriptedModel([...structured, turn.text("done")]);
  t.cleanup(() => model.close());
  const plan = buildArguments(options, context);
  for (const { name, content } of plan.files) {
    await writeFile(join(folders.home, name), content);
    await chmod(join(folders.home, name), 0o600);
  }
  const args = withFilePaths(plan, ({ name }) => join(folders.home, name));
  const cli = await startCli(t, model, { args: args.slice(3), folders });
  const asked = cli.request("initialize", buildInitialize(options, { delivered: plan.initialize }));
  if (!awaitsInitialize(options, plan.initialize)) cli.prompt("say it");
  const answer = await asked;
  if (awaitsInitialize(options, plan.initialize)) cli.prompt("say it");
  assert.deepInclude(await cli.result(), { subtype: "success", is_error: false });
  return { cli, model, plan, answer };
}

/** The settings of one source, as the CLI has them. */
export async function settingsOf(cli: CliRun, source: string): Promise<unknown> {
  const { sources } = await cli.request("get_settings");
  return (sources as JsonObject[]).find((item) => item.source === source)?.settings;
}
