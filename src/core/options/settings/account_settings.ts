import type { OpenString } from "../../messages/unknown.ts";

/** Settings of accounts, credentials, providers and versions. */
export interface AccountSettings {
  /** A command that prints an API key. */
  apiKeyHelper?: string;
  /** A command that prints what to log in to a proxy with. */
  proxyAuthHelper?: string;
  /** A command that prints AWS credentials as JSON. */
  awsCredentialExport?: string;
  /** A command that renews AWS credentials when they have run out. */
  awsAuthRefresh?: string;
  /** A command that renews Google Cloud credentials when they have run out. */
  gcpAuthRefresh?: string;
  /** A command that prints headers for OpenTelemetry as JSON. */
  otelHeadersHelper?: string;
  /** The only way to log in. */
  forceLoginMethod?: OpenString<"claudeai" | "console" | "gateway">;
  /** The gateway to log in at. */
  forceLoginGatewayUrl?: string;
  /** The organisations that may log in. */
  forceLoginOrgUUID?: string | string[];
  /** Sessions started inside a session reach a model although logging in is restricted. */
  allowNestedModelAccessUnderForceLogin?: boolean;
  /** Model providers that may be used. */
  allowedProviders?: OpenString<
    "anthropic" | "anthropicAws" | "bedrock" | "customEndpoint" | "foundry" | "gateway" | "mantle" | "vertex"
  >[];
  /** Networks a gateway reaches inside the organisation. */
  gatewayInternalNetworks?: string[];
  /** WebFetch does not ask the service whether a site is blocked. */
  skipWebFetchPreflight?: boolean;
  /** URLs that hooks of type `http` may call; `*` stands for anything. */
  allowedHttpHookUrls?: string[];
  /** Variables whose values such hooks may put into headers. */
  httpHookAllowedEnvVars?: string[];
  /** Which releases an update takes. */
  autoUpdatesChannel?: OpenString<"latest" | "stable" | "rc">;
  /** An update never goes below this version. */
  minimumVersion?: string;
  /** Managed: an older CLI does not start. */
  requiredMinimumVersion?: string;
  /** Managed: a newer CLI does not start. */
  requiredMaximumVersion?: string;
  /** Where updates are loaded from instead of the maker's server. */
  downloadsMirrorUrl?: string;
}
