import { OptionError } from "../../src/core/errors/mod.ts";

/** What a call refuses. Fails if it throws nothing, or something else than an {@linkcode OptionError}. */
export function refusal(call: () => unknown): OptionError {
  try {
    call();
  } catch (error) {
    if (error instanceof OptionError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** The path of the option a call refuses. */
export function refusedOption(call: () => unknown): string {
  return refusal(call).option;
}
