import type { OpenString } from "../messages/unknown.ts";

/** An MCP server asks the user for something. */
export interface ElicitationRequest {
  /** The server that asks. */
  serverName: string;
  /** The question. */
  message: string;
  /** A form to fill in, or a page to visit. */
  mode?: OpenString<"form" | "url">;
  /** The page to visit. */
  url?: string;
  /** Names the question. */
  elicitationId?: string;
  /** JSON Schema of the form. */
  requestedSchema?: Record<string, unknown>;
  /** A heading for a dialog. */
  title?: string;
  /** The server's name for people. */
  displayName?: string;
  /** What it is, for people. */
  description?: string;
}

/** The user's answer to an {@linkcode ElicitationRequest}. */
export interface ElicitationResult {
  /** What the user did. */
  action: "accept" | "decline" | "cancel";
  /** The filled-in form, with `accept`. */
  content?: Record<string, string | number | boolean | string[]>;
  /** Other keys pass through. */
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
  /** What to show; its form depends on the kind. */
  payload: Record<string, unknown>;
  /** The call it belongs to. */
  toolUseID?: string;
}

/** How a dialog ended. `cancelled` is the right answer to a kind you do not know. */
export type UserDialogResult = { behavior: "completed"; result: unknown } | { behavior: "cancelled" };

/** Shows dialogs. Only kinds listed in `supportedDialogKinds` are asked for. `null` sends no answer. */
export type OnUserDialog = (request: UserDialogRequest, options: AskContext) => Promise<UserDialogResult | null>;

/** One choice of a {@linkcode ClarifyingQuestion}. */
export interface QuestionChoice {
  /** What the choice is called; it is the answer, too. */
  label: string;
  /** What choosing it means. */
  description?: string;
  /** Markdown or HTML, see `toolConfig.askUserQuestion.previewFormat`. */
  preview?: string;
}

/** Something the model wants to know before it goes on (tool `AskUserQuestion`). */
export interface ClarifyingQuestion {
  /** The question; answers are keyed by it. */
  question: string;
  /** A word or two for a heading. */
  header?: string;
  /** What there is to choose from. */
  options: QuestionChoice[];
  /** Several may be chosen. */
  multiSelect?: boolean;
}

/** What {@linkcode OnQuestion} is told beside the questions. */
export interface QuestionContext extends AskContext {
  /** The call of the question tool. */
  toolUseID: string;
  /** Set when a subagent asks. */
  agentID?: string;
}

/** An answer with words beside it. */
export interface AnnotatedAnswer {
  /** The label of the choice, several of them, or words of the user's own. */
  answer: string | readonly string[];
  /** What the user wants to say about it. The model reads it. */
  notes?: string | undefined;
}

/** A question that was seen and not answered. */
export interface UnansweredQuestion {
  /** How it was passed over. */
  unanswered: OpenString<"skipped" | "replied_in_chat" | "dismissed">;
}

/** The label of the choice, several of them, or words of the user's own; or more than that. */
export type QuestionAnswer = string | readonly string[] | AnnotatedAnswer | UnansweredQuestion;

/**
 * The answers, by the text of each question. A question may be left out; if all are, the model reads that nobody answered.
 * It reads the preview of the choice as well, if that has one.
 */
export type QuestionAnswers = Record<string, QuestionAnswer | undefined>;

/**
 * Answers the model's questions; `null` refuses to, and the model is told so. Without it they go to `canUseTool`, or,
 * without that too, the model cannot ask. One that throws has refused.
 */
export type OnQuestion = (
  questions: readonly ClarifyingQuestion[],
  context: QuestionContext,
) => Promise<QuestionAnswers | null>;
