import { OptionError } from "../errors/option_error.ts";

/** @throws {OptionError} if the text holds a NUL: the operating system would cut it there, or refuse it. */
export function refuseNul(option: string, value: string): void {
  if (value.includes("\0")) throw new OptionError(option, "must not hold a NUL character");
}

/** @throws {OptionError} for an id or a name that holds a NUL or a line break. */
export function checkName(option: string, value: string): void {
  refuseNul(option, value);
  if (/[\r\n]/.test(value)) throw new OptionError(option, "must not hold a line break");
}

/** @throws {OptionError} for an element that cannot stand in a list the CLI splits at commas and blanks. */
export function checkListItems(option: string, items: readonly string[]): void {
  items.forEach((item, index) => {
    checkName(`${option}[${index}]`, item);
    if (item === "" || /[\s,]/.test(item)) {
      throw new OptionError(`${option}[${index}]`, "must be one word without commas or blanks");
    }
  });
}

/**
 * @throws {OptionError} for a variable that no environment can hold: an empty name, `=` in a name, NUL, or a value that is
 * no string. `undefined` is a variable left out.
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
