import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { AnnotatedAnswer, ClarifyingQuestion, QuestionChoice } from "../../core/options/mod.ts";
import { kindOf } from "./answer_shape.ts";

/** The tool by which the model asks the user. */
export const QUESTION_TOOL = "AskUserQuestion";

/** The questions of an `AskUserQuestion` call. @throws {TypeError} if there are none to read. */
export function readQuestions(input: Record<string, unknown>): ClarifyingQuestion[] {
  const { questions } = input;
  if (!Array.isArray(questions)) throw new TypeError("the question tool was called without questions");
  return questions.filter(isJsonObject).map((item): ClarifyingQuestion => ({
    question: String(item.question ?? ""),
    ...(typeof item.header === "string" ? { header: item.header } : {}),
    options: Array.isArray(item.options) ? item.options.filter(isJsonObject).map(readChoice) : [],
    ...(typeof item.multiSelect === "boolean" ? { multiSelect: item.multiSelect } : {}),
  }));
}

function readChoice(item: JsonObject): QuestionChoice {
  return {
    label: String(item.label ?? ""),
    ...(typeof item.description === "string" ? { description: item.description } : {}),
    ...(typeof item.preview === "string" ? { preview: item.preview } : {}),
  };
}

/** What the question tool is given beside its questions. */
export interface ReadAnswers {
  /** By the text of the question. Several labels are joined by a comma. */
  readonly answers: Record<string, string>;
  /** What goes with an answer, or with its absence. */
  readonly annotations?: Record<string, JsonObject>;
}

/**
 * The answers as the tool takes them (CLI 2.1.332).
 *
 * @throws {TypeError} for what are no answers, and for answers none of which belongs to a question.
 */
export function readAnswers(
  given: unknown,
  questions: readonly ClarifyingQuestion[],
  onFault: (fault: string) => void,
): ReadAnswers {
  if (!isJsonObject(given)) throw new TypeError(`it returned ${kindOf(given)} instead of answers`);
  const known = new Map(questions.map((question) => [question.question, question]));
  const answers: Record<string, string> = {};
  const annotations: Record<string, JsonObject> = {};
  let found = 0;
  let strangers = 0;
  for (const [text, answer] of Object.entries(given as Record<string, unknown>)) {
    if (answer === undefined) continue;
    const question = known.get(text);
    if (question === undefined) {
      strangers++;
      continue;
    }
    found++;
    const read = readAnswer(answer, question);
    if (read.answer !== undefined) answers[text] = read.answer;
    if (Object.keys(read.annotation).length > 0) annotations[text] = read.annotation;
  }
  if (strangers > 0 && found === 0) throw new TypeError("no answer is named by the text of a question");
  if (strangers > 0) onFault(`${strangers} of the answers are not named by the text of a question`);
  return { answers, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
}

function readAnswer(
  given: unknown,
  question: ClarifyingQuestion,
): { readonly answer?: string; readonly annotation: JsonObject } {
  if (isJsonObject(given) && given.unanswered !== undefined) {
    if (typeof given.unanswered !== "string") throw new TypeError("an answer's `unanswered` is no word");
    return { annotation: { unanswered: given.unanswered } };
  }
  const annotated = (isJsonObject(given) ? given : { answer: given }) as Partial<AnnotatedAnswer>;
  const { answer: said } = annotated;
  const isList = Array.isArray(said);
  if (isList && !said.every((label) => typeof label === "string")) {
    throw new TypeError("an answer's list holds no text");
  }
  const answer = isList ? said.join(", ") : said;
  if (typeof answer !== "string") throw new TypeError(`an answer is ${kindOf(annotated.answer)} instead of text`);
  const { notes } = annotated;
  if (notes !== undefined && typeof notes !== "string") throw new TypeError("an answer's `notes` are no text");
  const preview = question.options.find(({ label }) => label === answer)?.preview;
  return {
    answer,
    annotation: { ...(preview === undefined ? {} : { preview }), ...(notes === undefined ? {} : { notes }) },
  };
}
