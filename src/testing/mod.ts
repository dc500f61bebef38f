/**
 * The testing kit: run agents without an account and without the network.
 *
 * - {@linkcode scriptedModel}: a Messages API on 127.0.0.1 that plays a script; the real CLI runs against it.
 * - {@linkcode cliEnvironment}: the complete environment such a CLI needs.
 *
 * Importing this module starts nothing and needs no permission.
 *
 * @module
 */
export { cliEnvironment, type CliEnvironmentOptions } from "./cli_environment.ts";
export { block, turn } from "./model/turn.ts";
export type {
  Cut,
  DropTurn,
  ErrorTurn,
  ErrorTurnOptions,
  MessageTurn,
  ModelBlock,
  ModelUsage,
  StallTurn,
  StopReason,
  ToolUseOptions,
  Turn,
  TurnOptions,
} from "./model/turn.ts";
export {
  ModelRequest,
  type ModelRequestFacts,
  type ModelRequestKind,
  type SideTopic,
  type ToolResult,
} from "./model/model_request.ts";
export type { ModelScript, ScriptBranch, ScriptLine, ScriptLines } from "./model/model_script.ts";
export {
  type ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
  type WaitOptions,
} from "./model/scripted_model.ts";
export { ScriptError } from "./script_error.ts";
