import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { ClarifyingQuestion, QuestionChoice } from "../../core/options/mod.ts";
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

/**
 * The answers as the tool takes them: by the text of the question. Several labels may come as a list.
 *
 * @throws {TypeError} for what are no answers, and for answers none of which belongs to a question.
 */
export function readAnswers(
  answers: unknown,
  questions: readonly ClarifyingQuestion[],
  onFault: (fault: string) => void,
): Record<string, string> {
  if (!isJsonObject(answers)) throw new TypeError(`it returned ${kindOf(answers)} instead of answers`);
  const known = new Set(questions.map((question) => question.question));
  const result: Record<string, string> = {};
  let strangers = 0;
  for (const [question, answer] of Object.entries(answers as Record<string, unknown>)) {
    if (answer === undefined) continue;
    const text = Array.isArray(answer) ? answer.join(", ") : answer;
    if (typeof text !== "string") throw new TypeError(`an answer is ${kindOf(answer)} instead of text`);
    if (known.has(question)) result[question] = text;
    else strangers++;
  }
  if (strangers > 0 && Object.keys(result).length === 0) {
    throw new TypeError("no answer is named by the text of a question");
  }
  if (strangers > 0) onFault(`${strangers} of the answers are not named by the text of a question`);
  return result;
}
