import { ABSENT, either, flag, list, oneOf, someText, text, texts } from "../rules/rule.ts";
import { allowedTexts, guard, type KeyRules, lenient, mildChoice, same } from "./key_rule.ts";

/** Model providers that can be allowed. */
const PROVIDERS = ["anthropic", "anthropicAws", "bedrock", "customEndpoint", "foundry", "gateway", "mantle", "vertex"];

/** Accounts, credentials, providers, versions. */
export const ACCOUNT_KEYS: KeyRules = {
  ...same(
    text,
    "apiKeyHelper",
    "proxyAuthHelper",
    "awsCredentialExport",
    "awsAuthRefresh",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "minimumVersion",
    "requiredMinimumVersion",
    "requiredMaximumVersion",
    "downloadsMirrorUrl",
  ),
  ...same(flag, "allowNestedModelAccessUnderForceLogin", "forceRemoteSettingsRefresh", "wslInheritsWindowsSettings"),
  forceLoginMethod: mildChoice("claudeai", "console", "gateway"),
  forceLoginGatewayUrl: lenient(someText),
  forceLoginOrgUUID: { ...either("text or a list of text", text, texts()), strictest: [], nullIsInvalid: true },
  allowedProviders: {
    ...list(oneOf(PROVIDERS), { keepsRest: "everyone", mayEmpty: true }),
    otherwise: ABSENT,
    strictest: [],
    nullIsInvalid: true,
  },
  gatewayInternalNetworks: { ...texts(), otherwise: ["(unreadable)"] },
  autoUpdatesChannel: oneOf(["latest", "stable", "rc"]),
  skipWebFetchPreflight: guard(false),
  allowedHttpHookUrls: allowedTexts,
  httpHookAllowedEnvVars: allowedTexts,
};
