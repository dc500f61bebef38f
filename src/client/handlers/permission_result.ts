import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { kindOf, sendable } from "./answer_shape.ts";
import type { PermissionRequest } from "./permission_context.ts";
import { soundPermissionUpdates } from "./permission_updates.ts";

const CLASSIFICATIONS: readonly unknown[] = ["user_temporary", "user_permanent", "user_reject"];

/** What the model reads if a callback denies without a word. */
export const DEFAULT_DENY_MESSAGE = "The tool call was denied.";

/** A deny as it travels. */
export function denial(message: string, toolUseID: string): JsonObject {
  return { behavior: "deny", message, toolUseID };
}

/**
 * A permission result as it travels: an allow carries its input (older CLIs take one without for a deny) and only updates
 * that the CLI takes; a deny carries a message, and `interrupt` only if it is true.
 *
 * @throws {TypeError} for what is no permission result.
 */
export function permissionAnswer(
  result: unknown,
  request: PermissionRequest,
  onFault: (fault: string) => void,
): JsonObject {
  if (!isJsonObject(result)) throw new TypeError(`it returned ${kindOf(result)} instead of a permission result`);
  const { toolUseID } = request.context;
  const classified = CLASSIFICATIONS.includes(result.decisionClassification)
    ? { decisionClassification: result.decisionClassification }
    : {};
  if (result.behavior === "deny") {
    const { message } = result;
    const interrupt = result.interrupt === true ? { interrupt: true } : {};
    const text = typeof message === "string" && message !== "" ? message : DEFAULT_DENY_MESSAGE;
    return { ...denial(text, toolUseID), ...interrupt, ...classified };
  }
  if (result.behavior !== "allow") throw new TypeError('its result has a behavior that is neither "allow" nor "deny"');
  const given = (result.updatedInput ?? request.input) as unknown;
  if (!isJsonObject(given)) throw new TypeError(`its updatedInput is ${kindOf(given)} instead of an object`);
  const updatedInput = given === request.input ? given : sendable(given);
  const updates = result.updatedPermissions === undefined || result.updatedPermissions === null
    ? []
    : soundPermissionUpdates(result.updatedPermissions, onFault);
  return {
    behavior: "allow",
    updatedInput,
    ...(updates.length > 0 ? sendable({ updatedPermissions: updates }) : {}),
    toolUseID,
    ...classified,
  };
}
