import { ABSENT, flag, list, oneOf, type Rule, text } from "../rules/rule.ts";

/** The rule of a key of the settings. */
export interface KeyRule extends Rule {
  /** Counts in managed settings only; elsewhere the key is skipped, whatever it holds. */
  readonly managedOnly?: boolean;
  /** The key this is another name of. That one counts where both are written. */
  readonly insteadOf?: string;
}

/** Rules by key. */
export type KeyRules = Readonly<Record<string, KeyRule>>;

/** A switch that guards something when it is `strict`: an invalid one counts as that in managed settings. */
export function guard(strict: boolean): KeyRule {
  return { ...flag, strictest: strict, nullable: true };
}

/** The same inside an object, where `null` is no way to leave it out. */
export function innerGuard(strict: boolean): Rule {
  return { ...flag, strictest: strict };
}

/** What is invalid counts as not written, whoever wrote it. */
export function lenient(rule: Rule): KeyRule {
  return { ...rule, otherwise: ABSENT };
}

/** A choice that counts as not made when it is unknown. */
export function mildChoice(...words: readonly string[]): KeyRule {
  return lenient(oneOf(words));
}

/** One rule for many keys. */
export function same(rule: KeyRule, ...keys: readonly string[]): KeyRules {
  return Object.fromEntries(keys.map((key) => [key, rule]));
}

/** A list of text that allows something: in managed settings an invalid one allows nothing. */
export const allowedTexts: KeyRule = {
  ...list(text, { keepsRest: "managed", mayEmpty: true }),
  strictest: [],
  nullIsInvalid: true,
};
