import type { PermissionResult, PermissionUpdate, PermissionUpdateDestination } from "../core/options/mod.ts";

/** How far "always" reaches: this session, or a settings file that later ones read too. */
export type AllowScope = "session" | "local" | "project" | "user";

const DESTINATIONS: Readonly<Record<AllowScope, PermissionUpdateDestination>> = {
  session: "session",
  local: "localSettings",
  project: "projectSettings",
  user: "userSettings",
};

/**
 * The answer of a permission callback that means "yes, and do not ask again".
 *
 * The CLI's suggestions are taken, but kept where `scope` says: given back as they came, they may end up on disk though
 * the user meant this session. Where there are none, and an echo would change nothing, the whole tool is allowed.
 */
export function allowAlways(
  request: { readonly toolName: string; readonly suggestions?: readonly PermissionUpdate[] | undefined },
  options: { readonly scope: AllowScope },
): PermissionResult {
  const destination = DESTINATIONS[options.scope];
  const { toolName, suggestions = [] } = request;
  const updates: PermissionUpdate[] = suggestions.length > 0
    ? suggestions.map((suggestion) => ({ ...suggestion, destination }))
    : [{ type: "addRules", rules: [{ toolName }], behavior: "allow", destination }];
  const decisionClassification = options.scope === "session" ? "user_temporary" : "user_permanent";
  return { behavior: "allow", updatedPermissions: updates, decisionClassification };
}
