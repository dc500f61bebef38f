import { OptionError } from "../errors/option_error.ts";

/** Refuses NUL, where the operating system would cut a text off. @throws {OptionError} if there is one. */
export function refuseNul(option: string, value: string): void {
  if (value.includes("\0")) throw new OptionError(option, "must not hold a NUL character");
}

/** Checks an id or a name. @throws {OptionError} if it holds a NUL or a line break. */
export function checkName(option: string, value: string): void {
  refuseNul(option, value);
  if (/[\r\n]/.test(value)) throw new OptionError(option, "must not hold a line break");
}

/** Checks a list the CLI splits at commas and blanks. @throws {OptionError} for an element that it would split. */
export function checkListItems(option: string, items: readonly string[]): void {
  items.forEach((item, index) => {
    checkName(`${option}[${index}]`, item);
    if (item === "" || /[\s,]/.test(item)) {
      throw new OptionError(`${option}[${index}]`, "must be one word without commas or blanks");
    }
  });
}

/**
 * Checks variables. `undefined` is a variable left out.
 *
 * @throws {OptionError} for what no environment can hold: an empty name, `=` in a name, NUL, or a value that is no string.
 */
export function checkVariables(option: string, variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (name === "" || /[=\0]/.test(name)) {
      throw new OptionError(option, "holds a name that is empty or has = or NUL in it");
    }
    if (value === undefined) continue;
    if (typeof value !== "string") throw new OptionError(`${option}.${name}`, "must be a string");
    refuseNul(`${option}.${name}`, value);
  }
}
