import {
  type ModelScript,
  type ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
  type ScriptLines,
} from "../../src/testing/mod.ts";
import type { TestContext } from "./suite.ts";

/** A scripted model that ends with the body. */
export async function modelOf(
  t: TestContext,
  script: ScriptLines | ModelScript,
  options?: ScriptedModelOptions,
): Promise<ScriptedModel> {
  const model = await scriptedModel(script, options);
  // A body that wants the verdict of a strict model closes it itself.
  t.cleanup(() => model.close().catch(() => {}));
  return model;
}
