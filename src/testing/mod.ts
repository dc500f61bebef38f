/**
 * The testing kit: run agents without an account and without the network.
 *
 * - {@linkcode testCallbacks}: your hooks, permissions, questions and tools, asked as the CLI asks them, with no CLI.
 * - {@linkcode scriptedModel}: a Messages API on 127.0.0.1 that plays a script; the real CLI runs against it.
 * - {@linkcode cliEnvironment}: the complete environment such a CLI needs.
 * - {@linkcode scriptedCli}: a double of the CLI itself, in memory or as a process.
 * - {@linkcode recordFrames} and {@linkcode replay}: a conversation recorded, redacted, and played again.
 * - {@linkcode virtualClock}: deadlines without waiting.
 * - {@linkcode memoryTransportPair}: the two ends of a transport without a process.
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
  type OfferedTool,
  type SideTopic,
  type ToolResult,
  type ToolUse,
} from "./model/model_request.ts";
export type { ModelScript, ScriptBranch, ScriptLines } from "./model/model_script.ts";
export type { ExpectLine, RepeatLine, ScriptLine } from "./model/script_line.ts";
export { expectRequest, type RequestExpectation, type ToolResultExpectation } from "./model/request_expectation.ts";
export type { NamesPattern, TextPattern } from "./model/text_pattern.ts";
export {
  type ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
  type WaitOptions,
} from "./model/scripted_model.ts";
export { type ScriptedCli, scriptedCli } from "./cli/scripted_cli.ts";
export type { ScriptedCliPlay } from "./cli/scripted_cli_play.ts";
export type { ScriptedCliTransport } from "./cli/play_in_memory.ts";
export type { ScriptedCliOptions } from "./cli/cli_options.ts";
export type { ProgramOptions, ScriptedCliProgram, ScriptedCliRun } from "./cli/scripted_cli_program.ts";
export { step } from "./cli/step.ts";
export type {
  AskedStep,
  AskOptions,
  AskStep,
  BeginStep,
  CliScript,
  CliStep,
  EmitStep,
  ExpectStep,
  FinishStep,
  PiecesOptions,
  PiecesStep,
  ProcessStep,
  RawStep,
  RunStep,
  TurnStepOptions,
} from "./cli/step.ts";
export type { CliStage } from "./cli/cli_stage.ts";
export type { ControlReplier, ControlReply } from "./cli/control_reply.ts";
export type { FramePattern } from "./cli/frame_pattern.ts";
export { frame } from "./cli/frame.ts";
export {
  type MemoryCliEnd,
  type MemoryTransportOptions,
  type MemoryTransportPair,
  memoryTransportPair,
} from "./memory_transport_pair.ts";
export { testCallbacks } from "./callbacks/test_callbacks.ts";
export type { TestedCallbacks } from "./callbacks/tested_callbacks.ts";
export type {
  AskCallbackOptions,
  ElicitationAsk,
  PermissionAskOptions,
  QuestionReply,
  ToolCallOptions,
} from "./callbacks/callback_asks.ts";
export type { HookFields } from "./callbacks/hook_fields.ts";
export type { HookDecision, HookReply, HookVerdict } from "./callbacks/hook_verdict.ts";
export type { ListedTool, ToolReply } from "./callbacks/server_session.ts";
export { type FrameRecorder, recordFrames, type RecordFramesOptions } from "./record/record_frames.ts";
export type {
  ExitedEntry,
  LineEntry,
  PipeEntry,
  RecordedEntry,
  RecordedMoment,
  Recording,
  RecordingHeader,
  StartedEntry,
  StderrEntry,
} from "./record/recording.ts";
export { encodeRecording, parseRecording } from "./record/recording_format.ts";
export { RecordingError, type RecordingErrorCode } from "./record/recording_error.ts";
export type { Normalize } from "./record/normalize.ts";
export type { Redact, RedactContext, Redaction } from "./record/redaction.ts";
export { type Replay, replay, type ReplayOptions } from "./record/replay.ts";
export type { CompareFrames } from "./record/replay_plan.ts";
export { VirtualClock, virtualClock } from "./clock/virtual_clock.ts";
export { ScriptError } from "./script_error.ts";

// What the above is made of; the same as in the root entry.
export { ClaudeSDKError } from "../core/errors/claude_sdk_error.ts";
export { OptionError } from "../core/errors/option_error.ts";
export type { Clock } from "../core/clock.ts";
export type { JsonObject, JsonValue } from "../core/json.ts";
export type { ExitStatus } from "../core/runtime.ts";
export type { Options } from "../core/options/mod.ts";
export type { CloseOptions, StreamTransport, TransportExit } from "../core/options/custom_transport.ts";
