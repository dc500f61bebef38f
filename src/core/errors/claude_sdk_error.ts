/** Marks our errors so that they are known across bundles, workers and realms, where `instanceof` fails. */
const BRAND: unique symbol = Symbol.for("tether.error") as never;

/**
 * The root of every error Tether makes.
 *
 * `code` is a stable snake_case word to branch on. Messages never hold payloads, environment values or prompt text.
 */
export class ClaudeSDKError extends Error {
  /** Name of the class, also where `instanceof` fails. */
  /** The name of the class. */
  override readonly name: string = "ClaudeSDKError";
  /** Stable word for this kind of failure. */
  readonly code: string;

  /** Makes one; `options.cause` is what led to it. */
  /** Made by the library; see the class. */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True for any error of Tether, also one made by another copy of this module. */
  static isClaudeSDKError(value: unknown): value is ClaudeSDKError {
    return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
  }
}
