import type { OpenString } from "../messages/unknown.ts";

/** An MCP server asks the user for something. */
export interface ElicitationRequest {
  serverName: string;
  message: string;
  /** A form to fill in, or a page to visit. */
  mode?: OpenString<"form" | "url">;
  url?: string;
  elicitationId?: string;
  /** JSON Schema of the form. */
  requestedSchema?: Record<string, unknown>;
  title?: string;
  displayName?: string;
  description?: string;
}

/** The user's answer to an {@linkcode ElicitationRequest}. */
export interface ElicitationResult {
  action: "accept" | "decline" | "cancel";
  /** The filled-in form, with `accept`. */
  content?: Record<string, string | number | boolean | string[]>;
  [key: string]: unknown;
}

/** What every question to the host comes with. */
export interface AskContext {
  /** Aborts when the CLI takes the question back. */
  signal: AbortSignal;
  /** Names the question. */
  requestId: string;
}

/** Answers what MCP servers ask the user. Without it they are declined. `null` sends no answer. */
export type OnElicitation = (request: ElicitationRequest, options: AskContext) => Promise<ElicitationResult | null>;

/** A dialog the CLI wants shown. */
export interface UserDialogRequest {
  /** Which dialog; decides what `payload` and the result look like. */
  dialogKind: string;
  payload: Record<string, unknown>;
  toolUseID?: string;
}

/** How a dialog ended. `cancelled` is the right answer to a kind you do not know. */
export type UserDialogResult = { behavior: "completed"; result: unknown } | { behavior: "cancelled" };

/** Shows dialogs. Only kinds listed in `supportedDialogKinds` are asked for. `null` sends no answer. */
export type OnUserDialog = (request: UserDialogRequest, options: AskContext) => Promise<UserDialogResult | null>;

/** One choice of a {@linkcode ClarifyingQuestion}. */
export interface QuestionChoice {
  label: string;
  description?: string;
  /** Markdown or HTML, see `toolConfig.askUserQuestion.previewFormat`. */
  preview?: string;
}

/** Something the model wants to know before it goes on (tool `AskUserQuestion`). */
export interface ClarifyingQuestion {
  question: string;
  /** A word or two for a heading. */
  header?: string;
  options: QuestionChoice[];
  multiSelect?: boolean;
}

/** What {@linkcode OnQuestion} is told beside the questions. */
export interface QuestionContext extends AskContext {
  toolUseID: string;
  /** Set when a subagent asks. */
  agentID?: string;
}

/**
 * The answers: by the text of each question, the label of the choice (several: joined by `", "`) or words of the user's
 * own. `null` refuses to answer, and the model is told so.
 */
export type QuestionAnswers = Record<string, string>;

/** Answers the model's questions. Without it they go to `canUseTool`, or, without that too, the model cannot ask. */
export type OnQuestion = (
  questions: readonly ClarifyingQuestion[],
  context: QuestionContext,
) => Promise<QuestionAnswers | null>;
